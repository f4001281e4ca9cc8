import type { CorsSite, Setup } from '../../schemas/index.js';
import { sentenceOf } from '../findings/notes.js';
import { isTextForm } from '../site-log/site-log.js';
import { ascii, commentLines, decimal, description, fittingFirmware } from './columns-of-text.js';
import { AGENCY_WIDTH } from './agency.js';
import { record } from './rinex-header.js';
import { zerosWritten } from './history-lines.js';
import { antennaTypeOf, intervalOf, lastInUse } from './site-history.js';
import { cartesianOf } from './written-position.js';

/**
 * Writes a skeleton of the reference service: the records of a RINEX 2.11 header that describe the
 * station. Values too long for their columns are cut, and unknown ones are blank.
 * {@link renderRinexHeader} says so instead.
 */

/** A long agency is cut and ends with dots, as in the reference service. */
const shortAgency = (agency: string): string =>
  agency.length > AGENCY_WIDTH ? `${agency.slice(0, AGENCY_WIDTH - 4)}...` : agency;

const column = (text: string | null | undefined): string => description(text, 20);

/** A number in its columns (F14.4); blank if it is unknown or does not fit. */
const number = (value: number | null): string =>
  (value === null ? null : decimal(value, 14, 4)) ?? ' '.repeat(14);

/** A Setup without equipment, for a Site that has none. */
const EMPTY: EquippedPeriod = { effectivePeriod: { from: '', to: null }, equipmentInUse: [] };

type EquippedPeriod = Pick<Setup, 'effectivePeriod' | 'equipmentInUse'>;

/**
 * The skeleton of a Site.
 * @param setup undefined if it has none
 * @param log its current site log; an unknown agency is null
 */
export function renderRinexSkeleton(
  { fourCharacterId, domesNumber, location }: CorsSite,
  setup: EquippedPeriod | undefined,
  { agency, form }: { agency: string | null; form: string },
): string {
  const { effectivePeriod, equipmentInUse } = setup ?? EMPTY;
  const { receiver, antenna } = lastInUse(equipmentInUse);
  const interval = intervalOf({ effectivePeriod, equipmentInUse }, { isText: isTextForm(form) });
  const { up, east, north } = interval.antenna ?? { up: null, east: null, north: null };
  const zeros = zerosWritten(interval).map(({ period: _, ...note }) => sentenceOf(note));
  return [
    record(fourCharacterId, 'MARKER NAME'),
    record(column(domesNumber), 'MARKER NUMBER'),
    record(
      column('') + description(shortAgency(ascii(agency ?? '')), AGENCY_WIDTH),
      'OBSERVER / AGENCY',
    ),
    record(
      column(receiver?.id.serialNumber) +
        column(receiver?.id.type) +
        column(fittingFirmware(receiver?.configuration.firmwareVersion ?? '', 20)),
      'REC # / TYPE / VERS',
    ),
    record(
      column(antenna?.id.serialNumber) + column(antenna && antennaTypeOf(antenna)),
      'ANT # / TYPE',
    ),
    record(cartesianOf(location).map(number).join(''), 'APPROX POSITION XYZ'),
    record([up, east, north].map(number).join(''), 'ANTENNA: DELTA H/E/N'),
    ...zeros.flatMap((zero) => commentLines(zero, 60).map((line) => record(line, 'COMMENT'))),
    record('', 'END OF HEADER'),
  ].join('');
}
