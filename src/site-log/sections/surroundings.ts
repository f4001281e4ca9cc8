import { EFFECTIVE_DATES, type Row, type SectionOf } from './section.js';

/** Sections 5, 7, 9 and 10: what is near the station and what affects it. */

const NOTES: Row = { kind: 'text', label: 'Additional Information', hint: 'multiple lines', aliases: ['notes'] };
const component = (axis: 'X' | 'Y' | 'Z'): Row => ({
  kind: 'coordinate',
  label: `d${axis.toLowerCase()} (m)`,
  indent: 7,
  hint: 'm',
  element: `differentialComponentsGNSSMarkerToTiedMonumentITRS/d${axis.toLowerCase()}`,
  sopac: `differentialComponentsGNSSMarkerToTiedMonumentsITRS/d${axis}`,
  unknown: 'NaN',
});

/** Surveyed Local Ties (section 5). */
export const LOCAL_TIES: SectionOf<'surveyedLocalTies'> = {
  number: '5',
  heading: 'Surveyed Local Ties',
  repeats: true,
  indent: 5,
  element: 'surveyedLocalTie',
  sopac: 'surveyedLocalTies',
  id: 'local-tie',
  rows: {
    tiedMarkerName: { kind: 'text', label: 'Tied Marker Name', unknown: 'empty' },
    tiedMarkerUsage: { kind: 'text', label: 'Tied Marker Usage', hint: 'SLR/VLBI/LOCAL CONTROL/FOOTPRINT/etc', unknown: 'empty' },
    tiedMarkerCdpNumber: { kind: 'text', label: 'Tied Marker CDP Number', hint: 'A4', element: 'tiedMarkerCDPNumber', unknown: 'empty' },
    tiedMarkerDomesNumber: {
      kind: 'text',
      label: 'Tied Marker DOMES Number',
      hint: 'A9',
      element: 'tiedMarkerDOMESNumber',
      unknown: 'empty',
    },
    dx: {
      ...component('X'),
      before: '     Differential Components from GNSS Marker to the tied monument (ITRS)',
    },
    dy: component('Y'),
    dz: component('Z'),
    localSiteTieAccuracy: { kind: 'millimetres', label: 'Accuracy (mm)', hint: 'mm', element: 'localSiteTiesAccuracy', unknown: 'nil' },
    surveyMethod: { kind: 'text', label: 'Survey method', hint: 'GPS CAMPAIGN/TRILATERATION/TRIANGULATION/etc', unknown: 'empty' },
    dateMeasured: { kind: 'instant', label: 'Date Measured', hint: 'CCYY-MM-DDThh:mmZ', unknown: 'empty' },
    notes: NOTES,
  },
};

/** Collocation Information (section 7). */
export const COLLOCATION: SectionOf<'collocationInformation'> = {
  number: '7',
  heading: 'Collocation Information',
  repeats: true,
  indent: 7,
  element: 'collocationInformation',
  id: 'collocation-information',
  rows: {
    instrumentType: {
      kind: 'text',
      label: 'Instrumentation Type',
      hint: 'GPS/GLONASS/DORIS/PRARE/SLR/VLBI/TIME/etc',
      element: 'instrumentationType',
      sopac: 'instrumentType',
      codeSpace: 'urn:ga-gov-au:instrumentation-type',
      unknown: 'empty',
    },
    status: { kind: 'text', label: 'Status', hint: 'PERMANENT/MOBILE', codeSpace: 'urn:ga-gov-au:status-type', unknown: 'empty' },
    effectiveDates: EFFECTIVE_DATES,
    notes: { ...NOTES, label: 'Notes', aliases: ['additionalinformation'] },
  },
};

const SOURCE: Row = { kind: 'text', sopac: 'possibleProblemSources', unknown: 'empty' };

/** Radio Interferences (section 9.1). */
export const RADIO_INTERFERENCES: SectionOf<'radioInterferences'> = {
  number: '9.1',
  heading: 'Local Ongoing Conditions Possibly Affecting Computed Position',
  repeats: true,
  indent: 7,
  element: 'radioInterference',
  sopac: 'radioInterferences',
  id: 'radio-interference',
  rows: {
    possibleProblemSource: { ...SOURCE, label: 'Radio Interferences', hint: 'TV/CELL PHONE ANTENNA/RADAR/etc' },
    observedDegradations: {
      kind: 'text',
      label: 'Observed Degradations',
      hint: 'SN RATIO/DATA GAPS/etc',
      element: 'observedDegradation',
      sopac: 'observedDegredation',
      unknown: 'empty',
    },
    effectiveDates: EFFECTIVE_DATES,
    notes: { ...NOTES, unknown: 'empty' },
  },
  order: ['possibleProblemSource', 'effectiveDates', 'notes', 'observedDegradations'],
};

/** Multipath Sources (section 9.2). */
export const MULTIPATH_SOURCES: SectionOf<'multipathSources'> = {
  number: '9.2',
  heading: null,
  repeats: true,
  indent: 7,
  element: 'multipathSource',
  sopac: 'multipathSources',
  id: 'multipath-source',
  rows: {
    possibleProblemSource: { ...SOURCE, label: 'Multipath Sources', hint: 'METAL ROOF/DOME/VLBI ANTENNA/etc' },
    effectiveDates: EFFECTIVE_DATES,
    notes: { ...NOTES, unknown: 'empty' },
  },
};

/** Signal Obstructions (section 9.3). */
export const SIGNAL_OBSTRUCTIONS: SectionOf<'signalObstructions'> = {
  number: '9.3',
  heading: null,
  repeats: true,
  indent: 7,
  element: 'signalObstruction',
  sopac: 'signalObstructions',
  id: 'signal-obstruction',
  rows: {
    possibleProblemSource: { ...SOURCE, label: 'Signal Obstructions', hint: 'TREES/BUILDINGS/etc' },
    effectiveDates: EFFECTIVE_DATES,
    notes: { ...NOTES, unknown: 'empty' },
  },
};

/** Local Episodic Effects (section 10). */
export const EPISODIC_EFFECTS: SectionOf<'localEpisodicEffects'> = {
  number: '10',
  heading: 'Local Episodic Effects Possibly Affecting Data Quality',
  repeats: true,
  indent: 5,
  element: 'localEpisodicEffect',
  sopac: 'localEpisodicEvents',
  id: 'episodic-effect',
  rows: {
    effectiveDates: { ...EFFECTIVE_DATES, label: 'Date', aliases: ['effectivedates'], sopac: 'date' },
    event: { kind: 'text', label: 'Event', hint: 'TREE CLEARING/CONSTRUCTION/etc', unknown: 'empty' },
  },
};
