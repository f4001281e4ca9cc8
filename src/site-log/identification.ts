import type { SiteLogSections, Written } from '../../schemas/index.js';
import { countryCode } from './values/country.js';
import { oneLineOf } from './fields.js';
import { kindOf } from './values/kinds.js';
import { POSITION, type Position, reconcilePosition } from './values/position.js';
import { type Findings, reject } from '../findings/findings.js';
import { isTextForm, type SiteIdentification } from './site-log.js';
import { SECTIONS } from './sections/index.js';
import { readProse } from './values/reading.js';
import { withSingleBlanks } from '../words.js';

/** What an id must be. */
const NINE = 'nine characters such as ALIC00AUS';
const FOUR = 'four letters, digits or underscores such as ALIC';
const WITHOUT_O = 'nine characters such as ALIC00AUS, with digits 0 in place of letters O';
const NINE_CHARACTERS = /^[A-Z0-9_]{4}\d{2}[A-Z]{3}$/i;
/** Nine characters with the letter O in place of a digit. */
const LETTER_O = /^[A-Z0-9_]{4}(?:O[O\d]|\dO)[A-Z]{3}$/i;

/** Where a form with a field of four characters has nine; null if nowhere. */
function placeOfNine(form: string): 'title' | 'gml:id' | null {
  if (isTextForm(form)) return 'title';
  return form.startsWith('GeodesyML') ? 'gml:id' : null;
}

const numberOf = (value: Written | null): number | null =>
  typeof value?.value === 'number' ? value.value : null;

/**
 * What a log says about its Site in sections 1 and 2.
 * @throws {SiteLogRejected} if the log has no valid four-character or nine-character id
 */
export function readIdentification(
  { form, siteIdentification: site, siteLocation: place }: SiteLogSections,
  findings: Findings,
): SiteIdentification {
  const isNine = form === 'IGS site log 2.0' || site.nineCharacterId !== null;
  const id = isNine ? site.nineCharacterId : site.fourCharacterId;
  const rows = { ...SECTIONS.siteIdentification.rows, ...SECTIONS.siteLocation.rows };
  const proseOf = (name: string, value: Written | null): string | null => {
    const section = name in SECTIONS.siteIdentification.rows ? '1' : '2';
    return oneLineOf(value, { section, label: rows[name]!.label! }, findings.add);
  };
  const text = proseOf('fourCharacterId', id) ?? '';
  if (!(isNine ? NINE_CHARACTERS : /^[A-Z0-9_]{4}$/i).test(text)) {
    const label = isNine ? 'Nine Character ID' : 'Four Character ID';
    const nine = LETTER_O.test(text) ? WITHOUT_O : NINE;
    const expected = isNine ? nine : FOUR;
    const values = {
      label,
      expected: id === null ? null : expected,
      ...(!isNine && NINE_CHARACTERS.test(text) && { nineIn: placeOfNine(form) }),
      text: id?.written ?? '',
    };
    reject(findings, 'no-site-id', { line: id?.line ?? 1, section: '1' }, values);
  }
  const nineCharacterId = isNine ? text.toUpperCase() : null;
  const country = place.country && withSingleBlanks(place.country.written);
  return {
    fourCharacterId: text.slice(0, 4).toUpperCase(),
    nineCharacterId,
    name: proseOf('siteName', site.siteName),
    domesNumber: proseOf('iersDOMESNumber', site.iersDOMESNumber),
    dateInstalled: site.dateInstalled?.value ?? null,
    monumentDescription: proseOf('monumentDescription', site.monumentDescription),
    monumentFoundation: proseOf('monumentFoundation', site.monumentFoundation),
    monumentHeight: numberOf(site.heightOfMonument),
    markerDescription: proseOf('markerDescription', site.markerDescription),
    geologicCharacteristic: proseOf('geologicCharacteristic', site.geologicCharacteristic),
    bedrockType: proseOf('bedrockType', site.bedrockType),
    notes: proseOf('notes', site.notes),
    city: proseOf('city', place.city),
    state: proseOf('state', place.state),
    country: country === null ? null : readProse(country),
    countryCode: countryCode(country ?? '') ?? countryCode(nineCharacterId?.slice(6) ?? ''),
    ...readPosition(place),
  };
}

/**
 * The position of section 2. The whole log has as it is meant what it gives; here, the rest is
 * computed, by the same rule from what is written, so that an elevation that is missing is that of
 * X, Y and Z where they win.
 */
function readPosition(place: SiteLogSections['siteLocation']): Position {
  const { rows } = SECTIONS.siteLocation;
  const meant = POSITION.map((name) => [name, place[name]?.value ?? null] as const);
  if (meant.every(([, value]) => value !== null)) return Object.fromEntries(meant) as Position;
  const given = POSITION.map((name) => {
    const value = place[name];
    return [name, value === null ? null : kindOf(rows[name]!).read(value.written).value];
  });
  return reconcilePosition(Object.fromEntries(given) as Position).position;
}
