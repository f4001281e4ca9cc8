import type { Element } from './elements.js';

/**
 * The names of elements in the schemas of GeodesyML 0.4 to 0.6 for which the site log form has no
 * place: what every object can have, and what can stand beside or around a site log.
 */
const NAMES: ReadonlySet<string> = new Set(
  `associatedDocument atSite dataStream extension geodeticEquipmentItem geodeticMonument gnssNetwork
  igsRadomeModelCode metadata modifiedSection siteVisit
  AstronomicAzimuth AstronomicLatitude AstronomicLongitude DInSARWrapped
  DeformationGridTransformation DescriptiveQuality DirectionSet Document DynamicTransformation
  EllipsoidArcDistance EllipsoidChordDistance EllipsoidHeight GNSSBaseline GNSSBaselineCluster
  GNSSBaselineReduction GNSSObservationQuality GNSSObservationQualityInstance GNSSPointCluster
  GeodeticAzimuth GeodeticLatitude GeodeticLongitude GnssRadome GridTransformation HeightDifference
  HorizontalAngle Instrument InterpolatedDynamicValue InterpolatedSingleValue
  InterpolatedValueSource MeanSeaLevelArcDistance Measurement Monument Node NumericQualityList
  NumericSingleQuality ObservationQualitySource OrthometricHeight OrthometricHeightDifference
  Position PositionEstimatorProcess PositionPairCovariance PositionSource PositionTimeSeries
  PositionTimeSlice Project ReductionMethod Sensor Setup SetupInstance Site SiteCertificate
  SlopeDistance Status StatusInstance SupplementaryMark TerrestrialReferenceFrame Tie TieMeasurement
  Transformation VCV2D VCV3D Value VerticalAngle ZenithDistance`.split(/\s+/),
);

/** Whether an element is one of the schema for which the site log form has no place. */
export const isOnlyInSchema = ({ name, namespace }: Element): boolean =>
  namespace.includes('egeodesy') && NAMES.has(name);
