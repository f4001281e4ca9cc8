import type { Row, SectionOf } from './section.js';

/** Section 13: more information. */

const HARDCOPY = { kind: 'text', indent: 7, hint: 'Y or URL', unknown: 'empty' } as const;
const REQUIRED: Row = { kind: 'text', unknown: 'empty' };

/** More Information (section 13). */
export const MORE_INFORMATION: SectionOf<'moreInformation'> = {
  number: '13',
  heading: 'More Information',
  repeats: false,
  indent: 5,
  element: 'moreInformation',
  flat: true,
  id: 'more-information',
  rows: {
    primaryDataCenter: {
      ...REQUIRED,
      label: 'Primary Data Center',
      aliases: ['primarydatacentre'],
      element: 'dataCenter[1]',
      sopac: 'primaryDataCenter',
    },
    secondaryDataCenter: {
      kind: 'text',
      label: 'Secondary Data Center',
      aliases: ['secondarydatacentre'],
      element: 'dataCenter[2]',
      sopac: 'secondaryDataCenter',
    },
    urlForMoreInformation: { ...REQUIRED, label: 'URL for More Information' },
    siteMap: { ...HARDCOPY, label: 'Site Map', before: '     Hardcopy on File' },
    siteDiagram: { ...HARDCOPY, label: 'Site Diagram' },
    horizonMask: { ...HARDCOPY, label: 'Horizon Mask' },
    monumentDescription: { ...HARDCOPY, label: 'Monument Description' },
    sitePictures: { ...HARDCOPY, label: 'Site Pictures' },
    notes: { kind: 'text', label: 'Additional Information', hint: 'multiple lines' },
    antennaGraphics: {
      kind: 'drawing',
      label: 'Antenna Graphics with Dimensions',
      hint: 'insert text graphic from file antenna.gra',
      element: 'antennaGraphicsWithDimensions',
      unknown: 'empty',
    },
    textGraphicFromAntenna: { kind: 'drawing', element: 'insertTextGraphicFromAntenna', unknown: 'empty' },
    doi: { kind: 'text', element: 'DOI', codeSpace: 'urn:ga-gov-au:self.moreInformation-type', unknown: 'empty' },
  },
};
