/**
 * The codes of antenna reference points: the abbreviations with which the IGS file `antenna.gra`
 * marks the heights in its drawings. The site log form asks for one of them. The same ten are
 * `AntennaReferencePoint` of the IGS Site Log Manager (International-GNSS-Service/SLM,
 * src/slm/defines/AntennaReferencePoint.py).
 */
const ANTENNA_REFERENCE_POINTS: ReadonlySet<string> = new Set([
  // Bottom of antenna mount, choke ring, dome ground plane, ground plane, preamplifier.
  'BAM',
  'BCR',
  'BDG',
  'BGP',
  'BPA',
  // Top of choke ring, dome ground plane, ground plane, pole, preamplifier.
  'TCR',
  'TDG',
  'TGP',
  'TOP',
  'TPA',
]);

/** Whether a text is the code of an antenna reference point, in either case. */
export const isAntennaReferencePoint = (text: string): boolean =>
  ANTENNA_REFERENCE_POINTS.has(text.trim().toUpperCase());
