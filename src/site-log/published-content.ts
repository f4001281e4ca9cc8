import type {
  Instant,
  Plain,
  PublishedIdentification,
  PublishedLocation,
  PublishedTie,
  SiteLogSections,
  WithEffectiveDates,
  Written,
} from '../../schemas/index.js';
import { SiteLogContent } from '../../schemas/index.js';
import { serializerOf } from '../serializers/serializers.js';
import { onOneLine } from '../words.js';
import { isWithheld } from './contacts/withhold.js';
import { NO_IDS } from './content-of-site.js';

/**
 * The content of a log as JSON, as it is sent. The ids are of its Site, so they are added later.
 */

/** Writes the content of a log. */
export const writeContent = serializerOf(SiteLogContent);

/** The values of a part of a log, without the text that they were read from. */
function plain<T>(part: T): Plain<T>;
function plain(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => plain(each));
  if (typeof part !== 'object' || part === null) return part;
  if ('written' in part) return (part as unknown as { value: unknown }).value;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(part)) values[name] = plain((part as typeof values)[name]);
  return values;
}

const identificationOf = (
  section: Plain<SiteLogSections['siteIdentification']>,
): PublishedIdentification => ({ ...section, ...NO_IDS });

/** A value as written, on one line. */
const writtenOf = (value: Written | null): string | null =>
  value === null ? null : onOneLine(value.written);

function locationOf(
  section: SiteLogSections['siteLocation'],
  values: Plain<SiteLogSections['siteLocation']>,
): PublishedLocation {
  const {
    country: countryCode,
    referenceFrame,
    x,
    y,
    z,
    latitude,
    longitude,
    elevation,
    ...rest
  } = values;
  return {
    ...rest,
    country: writtenOf(section.country),
    countryName: writtenOf(section.countryName),
    countryCode,
    approximatePosition: {
      referenceFrame,
      cartesianPosition: { x, y, z },
      geodeticPosition: { latitude, longitude, elevation },
    },
  };
}

/** A receiver or antenna, with its period of use. */
const withEffectiveDates = <
  T extends { dateInstalled: Instant | null; dateRemoved: Instant | null },
>(
  block: T,
): WithEffectiveDates<T> => ({
  ...block,
  effectiveDates: { from: block.dateInstalled, to: block.dateRemoved },
});

const tieOf = ({
  dx,
  dy,
  dz,
  ...block
}: Plain<SiteLogSections>['surveyedLocalTies'][number]): PublishedTie => ({
  ...block,
  differentialFromMarker: { dx, dy, dz },
});

/** The content of a log, without ids. */
function contentOf(sections: SiteLogSections): SiteLogContent {
  const { siteIdentification, moreInformation, form: _form, ...others } = plain(sections);
  return {
    contactsWithheld: isWithheld(sections),
    ...others,
    siteIdentification: identificationOf(siteIdentification),
    siteLocation: locationOf(sections.siteLocation, others.siteLocation),
    gnssReceivers: others.gnssReceivers.map(withEffectiveDates),
    gnssAntennas: others.gnssAntennas.map(withEffectiveDates),
    surveyedLocalTies: others.surveyedLocalTies.map(tieOf),
    moreInformation: Object.values(moreInformation).some((value) => value !== null)
      ? [moreInformation]
      : [],
  };
}

/** Writes the content of a log. @param sections what is published of them */
export const contentText = (sections: SiteLogSections): string => writeContent(contentOf(sections));
