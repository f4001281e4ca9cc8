import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { countryCode, countryName as nameOfCountry } from '../values/country.js';
import { onOneLine } from '../../words.js';
import { readCode } from '../values/reading.js';

/** The ids and the country of a log, in the way in which each form gives them. */

const NINE_CHARACTERS = /^([A-Z0-9_]{4})(\d)(\d)([A-Z]{3})$/i;

/** The ids of a log. */
interface Ids {
  four: string | null;
  /** Null unless its first characters are those of the four-character id. */
  nine: { id: string; monument: string; receiver: string } | null;
}

/** The ids of a log; the four characters are also those of a log that gives only nine. */
export function idsOf({
  siteIdentification: { fourCharacterId, nineCharacterId },
}: SiteLogSections): Ids {
  const parts = NINE_CHARACTERS.exec(nineCharacterId?.written ?? '');
  const written = fourCharacterId?.written ?? null;
  // An id has one line.
  const given = written === null ? null : (readCode(written) ?? written);
  const four = given ?? parts?.[1] ?? null;
  if (parts === null || four?.toUpperCase() !== parts[1]!.toUpperCase())
    return { four, nine: null };
  return { four, nine: { id: parts[0], monument: parts[2]!, receiver: parts[3]! } };
}

/**
 * A log with a nine-character id: its own, or else its four characters and the rest.
 * @param rest monument, receiver and country: `00AUS`
 */
export function withNineCharacters(log: SiteLogSections, rest: string): SiteLogSections {
  const { siteIdentification } = log;
  const four = siteIdentification.fourCharacterId;
  if (
    siteIdentification.nineCharacterId !== null ||
    four === null ||
    !/^[A-Z0-9_]{4}$/i.test(four.written)
  )
    return log;
  const id = four.written.toUpperCase() + rest;
  const nineCharacterId = { ...four, written: id, value: id };
  return { ...log, siteIdentification: { ...siteIdentification, nineCharacterId } };
}

/**
 * The country of a log as a code and as a name, each on one line; empty if there is none, the text
 * as written if it is unknown.
 */
export function countryOf({ siteLocation: { country, countryName } }: SiteLogSections): {
  code: string;
  name: string;
} {
  const written = onOneLine(country?.written ?? '');
  const name = countryName && onOneLine(countryName.written);
  const code = countryCode(written) ?? (/^[A-Z]{3}$/.test(written) ? written : null);
  return {
    code: code ?? countryCode(name ?? '') ?? written,
    name: name ?? (code !== null && code === written ? (nameOfCountry(code) ?? code) : written),
  };
}

/** Whether a value of the country is among some texts, as written or as its code. */
export const saysCountry = (value: Written | null, texts: readonly string[]): boolean =>
  value === null ||
  texts.includes(onOneLine(value.written)) ||
  texts.includes(countryCode(value.written) ?? value.written);
