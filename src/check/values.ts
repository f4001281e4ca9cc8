import { isIersDomes } from '../formats/domes.js';
import { countryCode } from '../site-log/country.js';
import type { CheckedLog, Report } from './checks.js';

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

function checkRanges(values: object, report: Report): void {
  for (const [name, [least, most, unit]] of Object.entries(RANGES)) {
    const value = (values as Record<string, Value>)[name];
    if (typeof value?.value !== 'number' || (value.value >= least && value.value <= most)) continue;
    report(
      'out-of-range',
      value.line,
      `${name} is not between ${least} and ${most} ${unit}`,
      value.written,
    );
  }
}

/** Checks ids and numbers. */
export function checkValues({ sections, log }: CheckedLog, report: Report): void {
  const { siteIdentification, siteLocation, gnssReceivers, gnssAntennas } = sections;
  const id = siteIdentification.nineCharacterId ?? siteIdentification.fourCharacterId;
  const country = log.identification.nineCharacterId?.slice(6) ?? null;
  if (id !== null && !/^[A-Z0-9]{4}(\d\d[A-Z]{3})?$/.test(id.written.trim())) {
    report(
      'malformed-id',
      id.line,
      'the id of the site has other characters than capital letters and digits',
      id.written,
    );
  } else if (id !== null && country !== null && countryCode(country) !== country) {
    report(
      'malformed-id',
      id.line,
      `"${country}" in the id of the site is not a country code of ISO 3166-1`,
      id.written,
    );
  }
  const domes = siteIdentification.iersDOMESNumber;
  if (typeof domes?.value === 'string' && !isIersDomes(domes.value)) {
    report(
      'malformed-domes',
      domes.line,
      'the DOMES number is not five digits, M or S, and three digits',
      domes.written,
    );
  }
  for (const values of [siteIdentification, siteLocation, ...gnssReceivers, ...gnssAntennas])
    checkRanges(values, report);
}
