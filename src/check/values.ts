import { isIersDomes } from '../formats/domes.js';
import { nearestTo } from '../requests/nearest.js';
import { countryCode, countryCodes, countryName, isIn } from '../site-log/values/country.js';
import { readProse } from '../site-log/values/reading.js';
import type { Place } from '../findings/finding.js';
import type { Report } from '../findings/findings.js';
import { withSingleBlanks } from '../words.js';
import type { CheckedLog } from './checked-log.js';

/** The checks of single values, in any form of log. */

type Value = { value: unknown; written: string; line: number } | null;

/** The plausible ranges of numbers. */
const RANGES = {
  elevationCutoffSetting: [-5, 90, 'degrees'],
  markerArpUpEcc: [-5, 30, 'm'],
  markerArpNorthEcc: [-10, 10, 'm'],
  markerArpEastEcc: [-10, 10, 'm'],
  alignmentFromTrueNorth: [-360, 360, 'degrees'],
  antennaCableLength: [0, 1000, 'm'],
  heightOfMonument: [0, 100, 'm'],
  foundationDepth: [0, 100, 'm'],
  elevation: [-500, 9000, 'm'],
} as const;

/** @param place that of the values, without their lines */
function checkRanges(values: object, place: Omit<Place, 'line'>, report: Report): void {
  for (const [name, [least, most, unit]] of Object.entries(RANGES)) {
    const value = (values as Record<string, Value>)[name];
    if (typeof value?.value !== 'number' || (value.value >= least && value.value <= most)) continue;
    const found = { name, least, most, unit, text: value.written };
    report('out-of-range', { ...place, line: value.line }, found);
  }
}

/**
 * Checks that the country of section 2 is one.
 * @param code that of the Site; null if it has none
 */
function checkCountry(
  { siteLocation: { country } }: CheckedLog['sections'],
  code: string | null,
  report: Report,
): void {
  if (country === null || readProse(country.written) === null) return;
  if (countryCode(withSingleBlanks(country.written)) !== null) return;
  const [meant] = nearestTo(country.written, countryCodes(), (each) => [countryName(each)!], 1);
  const name = meant === undefined ? null : countryName(meant);
  // The nine characters of the id may give the country.
  const level = code === null ? 'warning' : 'info';
  report(
    'unknown-country',
    { line: country.line, section: '2' },
    { meant: name, text: country.written },
    level,
  );
}

/** Checks ids and numbers. */
export function checkValues({ sections, log }: CheckedLog, report: Report): void {
  const { siteIdentification, siteLocation, gnssReceivers, gnssAntennas } = sections;
  const id = siteIdentification.nineCharacterId ?? siteIdentification.fourCharacterId;
  const country = log.identification.nineCharacterId?.slice(6) ?? null;
  if (id !== null && !/^[A-Z0-9]{4}(\d\d[A-Z]{3})?$/.test(id.written.trim())) {
    report('malformed-id', { line: id.line, section: '1' }, { country: null, text: id.written });
  } else if (id !== null && country !== null && countryCode(country) !== country) {
    report('malformed-id', { line: id.line, section: '1' }, { country, text: id.written });
  } else if (id !== null && country !== null) {
    const other = countryCode(withSingleBlanks(siteLocation.country?.written ?? ''));
    if (other !== null && !isIn(country, other)) {
      const values = { country, other, text: id.written };
      report('id-country', { line: id.line, section: '1' }, values);
    }
  }
  checkCountry(sections, log.identification.countryCode, report);
  const domes = siteIdentification.iersDOMESNumber;
  if (typeof domes?.value === 'string' && !isIersDomes(domes.value)) {
    report('malformed-domes', { line: domes.line, section: '1' }, { text: domes.written });
  }
  checkRanges(siteIdentification, { section: '1' }, report);
  checkRanges(siteLocation, { section: '2' }, report);
  for (const [index, values] of gnssReceivers.entries())
    checkRanges(values, { section: '3', item: index + 1 }, report);
  for (const [index, values] of gnssAntennas.entries())
    checkRanges(values, { section: '4', item: index + 1 }, report);
}
