import type { CorsSite, EquipmentInUse } from '../../schemas/index.js';
import { ascii, decimal, description, fittingFirmware } from './columns-of-text.js';
import { AGENCY_WIDTH } from './agency.js';
import { record } from './rinex-header.js';
import { antennaTypeOf, cartesianOf, lastInUse } from './site-history.js';

/**
 * Writes a skeleton of the reference service: the records of a RINEX 2.11 header that describe the
 * station. Values too long for their columns are cut, and unknown ones are blank.
 * {@link renderRinexHeader} says so instead.
 */

/** The reference service cuts a long agency, and puts dots behind it. */
const shortAgency = (agency: string): string =>
  agency.length > AGENCY_WIDTH ? `${agency.slice(0, AGENCY_WIDTH - 4)}...` : agency;

const column = (text: string | null | undefined): string => description(text, 20);

/** A number in its columns (F14.4); blank if it is unknown or does not fit. */
const number = (value: number | null | undefined): string =>
  (value === null || value === undefined ? null : decimal(value, 14, 4)) ?? ' '.repeat(14);

/**
 * The skeleton of a Site.
 * @param inUse the equipment that it had at one instant
 * @param agency of its current site log; null if unknown
 */
export function renderRinexSkeleton(
  { fourCharacterId, domesNumber, location }: CorsSite,
  inUse: EquipmentInUse[],
  agency: string | null,
): string {
  const { receiver, antenna } = lastInUse(inUse);
  const { markerArpUpEccentricity, markerArpEastEccentricity, markerArpNorthEccentricity } =
    antenna?.configuration ?? {};
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
    record(
      [markerArpUpEccentricity, markerArpEastEccentricity, markerArpNorthEccentricity]
        .map(number)
        .join(''),
      'ANTENNA: DELTA H/E/N',
    ),
    record('', 'END OF HEADER'),
  ].join('');
}
