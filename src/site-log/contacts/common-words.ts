import { AGENCIES } from '../sections/parties.js';
import { SECTIONS } from '../sections/index.js';

/**
 * Knows the words that name things and roles. A contact named with nothing else, such as `Network
 * Engineer` or `Pillar`, is not looked for in other text: there, the words mean something else.
 */

/** Words of which each is in the remarks of ten or more of 800 real stations, or is a role. */
const WORDS = `
  a above active adapter adaptor added administrator also american amplifier an anchored and are
  around array assistant at attached available base been below between bolt bolted bottom braced
  built by cable calibrated calibration campaign cemented centered centering centre centred
  change changed chief closed computed connected connector consists construction continuous
  continuously control coordinates corrected cors damaged deep deformation department derived
  design device diagram diameter directly director dome drill drilled driven during dynamic
  earthquake edge elevation embedded engineer engineering epoch eurasian exact exposed failed
  failure field file for found frame from galvanised gauge general generic geodesy geodetic
  geological geophysical glonass gnss granite group had has head high hole igneous in inner
  install institute integrated into its known large leader leveling lightning limestone listed
  local located long lower made main maintenance manager marine mast measured measurement
  measurements memorandum metal meter meters metres monitoring mount mounted moved national
  natural near nearby network networks new next not notches observatory observer of off officer
  offset old on operated operations operator or original our out outer pacific per permanent
  phase pier pipe point pole position positioning post power preamplifier principal problem
  protection reception reference reinforced remove removed repaired replaced replacement
  research rock roof screw section senior sensor service services setting shallow shed short
  signal small soil space spigot splitter stable staff stainless standard state station steel
  structure support surface surge survey surveying surveyor swap switched system systems team
  technical technician temporary the thread threaded time to top tower tracking transition
  tripod true under unit university unknown update updated upgrade upgraded used using vertical
  via view wall was welded well with within
`;
/** Tectonic plates. The form asks for one, and lists none of them all. */
const PLATES = `
  african amurian anatolian antarctic arabian australian caribbean cocos eurasian filipino indian
  nazca nubian okinawa philippine scotia somali somalian sunda
`;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** The words of the blank form: its labels, and the examples of values in its hints. */
const OF_FORM = [...Object.values(SECTIONS), ...Object.values(AGENCIES)]
  .flatMap(({ rows }) => Object.values(rows))
  .flatMap(({ label, label2, hint }) => [label ?? [], label2 ?? [], hint ?? []].flat());

const COMMON = new Set([WORDS, PLATES, ...OF_FORM].flatMap(wordsIn));

/** Whether all words of a text name things or roles. */
export function isOfCommonWords(text: string): boolean {
  const words = wordsIn(text);
  return words.length > 0 && words.every((word) => COMMON.has(word));
}
