import {
  ADDITIONAL_INFORMATION,
  codeSpaceOf,
  EFFECTIVE_DATES,
  type Row,
  type SectionsOf,
} from './section.js';

const source = (label: string, hint: string): Row => ({
  label,
  hint,
  sopac: 'possibleProblemSources',
  unknown: 'empty',
});
const NOTES: Row = { ...ADDITIONAL_INFORMATION, aliases: ['notes'], unknown: 'empty' };
const HARDCOPY = { indent: 7, hint: 'Y or URL', unknown: 'empty' } as const;

/** Sections 9, 10 and 13: what affects the station, and more information. */
export const SURROUNDINGS: SectionsOf<
  | 'radioInterferences'
  | 'multipathSources'
  | 'signalObstructions'
  | 'localEpisodicEffects'
  | 'moreInformation'
> = {
  radioInterferences: {
    number: '9.1',
    heading: 'Local Ongoing Conditions Possibly Affecting Computed Position',
    indent: 7,
    element: 'radioInterference',
    sopac: 'radioInterferences',
    rows: {
      possibleProblemSource: source('Radio Interferences', 'TV/CELL PHONE ANTENNA/RADAR/etc'),
      observedDegradations: {
        label: 'Observed Degradations',
        hint: 'SN RATIO/DATA GAPS/etc',
        element: 'observedDegradation',
        sopac: 'observedDegredation',
        unknown: 'empty',
      },
      effectiveDates: EFFECTIVE_DATES,
      notes: NOTES,
    },
    first: ['possibleProblemSource', 'effectiveDates', 'notes'],
  },
  multipathSources: {
    number: '9.2',
    indent: 7,
    element: 'multipathSource',
    sopac: 'multipathSources',
    rows: {
      possibleProblemSource: source('Multipath Sources', 'METAL ROOF/DOME/VLBI ANTENNA/etc'),
      effectiveDates: EFFECTIVE_DATES,
      notes: NOTES,
    },
  },
  signalObstructions: {
    number: '9.3',
    indent: 7,
    element: 'signalObstruction',
    sopac: 'signalObstructions',
    rows: {
      possibleProblemSource: source('Signal Obstructions', 'TREES/BUILDINGS/etc'),
      effectiveDates: EFFECTIVE_DATES,
      notes: NOTES,
    },
  },
  localEpisodicEffects: {
    number: '10',
    heading: 'Local Episodic Effects Possibly Affecting Data Quality',
    element: 'localEpisodicEffect',
    sopac: 'localEpisodicEvents',
    id: 'episodic-effect',
    rows: {
      effectiveDates: {
        ...EFFECTIVE_DATES,
        label: 'Date',
        aliases: ['effectivedates'],
        sopac: 'date',
      },
      event: { label: 'Event', hint: 'TREE CLEARING/CONSTRUCTION/etc', unknown: 'empty' },
    },
  },
  moreInformation: {
    number: '13',
    heading: 'More Information',
    once: true,
    element: 'moreInformation',
    rows: {
      primaryDataCenter: {
        label: 'Primary Data Center',
        aliases: ['primarydatacentre'],
        element: 'dataCenter[1]',
        sopac: 'primaryDataCenter',
        unknown: 'empty',
        public: 'text',
      },
      secondaryDataCenter: {
        label: 'Secondary Data Center',
        aliases: ['secondarydatacentre'],
        element: 'dataCenter[2]',
        sopac: 'secondaryDataCenter',
        public: 'text',
      },
      urlForMoreInformation: {
        label: 'URL for More Information',
        unknown: 'empty',
        public: 'text',
      },
      siteMap: { ...HARDCOPY, label: 'Site Map', before: '     Hardcopy on File' },
      siteDiagram: { ...HARDCOPY, label: 'Site Diagram' },
      horizonMask: { ...HARDCOPY, label: 'Horizon Mask' },
      monumentDescription: { ...HARDCOPY, label: 'Monument Description' },
      sitePictures: { ...HARDCOPY, label: 'Site Pictures' },
      notes: ADDITIONAL_INFORMATION,
      antennaGraphics: {
        kind: 'drawing',
        label: 'Antenna Graphics with Dimensions',
        hint: 'insert text graphic from file antenna.gra',
        element: 'antennaGraphicsWithDimensions',
        unknown: 'empty',
      },
      textGraphicFromAntenna: {
        kind: 'drawing',
        element: 'insertTextGraphicFromAntenna',
        unknown: 'empty',
      },
      doi: { element: 'DOI', codeSpace: codeSpaceOf('self.moreInformation'), unknown: 'empty' },
    },
  },
};
