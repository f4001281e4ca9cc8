import type { CorsSite, EquipmentInUse, SiteLogSections } from '../../schemas/index.js';
import { cartesianPosition } from '../site-log/position.js';

/** Writes a skeleton: the records of a RINEX 2.11 header that describe the station. Values too long for their columns are cut. */

/** The columns of the content of a record. The label follows. */
const CONTENT_WIDTH = 60;
/** The longest agency; a longer one is cut and ends with dots. */
const LONGEST_AGENCY = 40;

/** The columns of an antenna type before the radome, and those of the radome. */
const [RADOME_OFFSET, RADOME_LENGTH] = [16, 4];

/** Letters that have no decomposition into an ASCII letter and a mark. */
const SPELLINGS: Record<string, string> = {
  ...{ ß: 'ss', Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe', Ø: 'O', ø: 'o', Ł: 'L', ł: 'l', Đ: 'D', đ: 'd' },
  ...{ Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', ı: 'i', '‘': "'", '’': "'", '“': '"', '”': '"', '–': '-', '—': '-' },
};

/** A text in printable ASCII: letters without their marks, and `?` for all other characters. */
const ascii = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/gu, (character) => SPELLINGS[character] ?? character)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?');

/** A text in its columns (A20); blank if it is unknown. */
const column = (text: string | null | undefined, width = 20): string =>
  ascii(text ?? '')
    .slice(0, width)
    .padEnd(width);

/** A number in its columns (F14.4); blank if it is unknown or does not fit. */
function decimal(value: number | null | undefined): string {
  const text = value?.toFixed(4).replace(/^-(?=0\.0000$)/, '') ?? '';
  return (text.length > 14 ? '' : text).padStart(14);
}

const line = (content: string, label: string): string => `${content.padEnd(CONTENT_WIDTH)}${label}\n`;

/** X, Y and Z; if the log does not give them, they are computed from latitude, longitude and elevation. */
function positionOf({ x, y, z, latitude, longitude, height }: CorsSite['location']): (number | null)[] {
  const isComputed = x === null && latitude !== null && longitude !== null && height !== null;
  return isComputed ? cartesianPosition({ latitude, longitude, elevation: height }) : [x, y, z];
}

/** The organisation that maintains the site log: the agency of section 12, else that of section 11. */
function agencyOf({ responsibleParties }: SiteLogSections): string {
  const parties = (['siteMetadataCustodian', 'siteContact'] as const).flatMap((part) =>
    responsibleParties.filter(({ role }) => role === part),
  );
  const agency = ascii(parties.find(({ organisation }) => (organisation?.value ?? null) !== null)?.organisation?.value ?? '');
  return agency.length > LONGEST_AGENCY ? `${agency.slice(0, LONGEST_AGENCY - 4)}...` : agency;
}

/** The equipment of a kind that was installed last; of several that were installed at once, the last in the log. */
function lastInstalled<T extends EquipmentInUse>(
  inUse: EquipmentInUse[],
  isOfKind: (item: EquipmentInUse) => item is T,
): T['content'] | undefined {
  return inUse
    .filter(isOfKind)
    .map(({ content }): T['content'] => content)
    .reduce<T['content'] | undefined>((last, each) => (last !== undefined && last.period.from > each.period.from ? last : each), undefined);
}

/** Antenna Type; if it has no radome in columns 17 to 20, with the radome that the log gives separately. */
function antennaTypeOf({ id: { type }, configuration: { radomeType } }: OfKind<'gnss antenna'>['content']): string | null {
  const lacksRadome = type !== null && type.length <= RADOME_OFFSET && radomeType?.length === RADOME_LENGTH;
  return lacksRadome ? type.padEnd(RADOME_OFFSET) + radomeType : type;
}

type OfKind<Kind> = Extract<EquipmentInUse, { content: { id: { equipmentType: Kind } } }>;
const isReceiver = (item: EquipmentInUse): item is OfKind<'gnss receiver'> => item.content.id.equipmentType === 'gnss receiver';
const isAntenna = (item: EquipmentInUse): item is OfKind<'gnss antenna'> => item.content.id.equipmentType === 'gnss antenna';

/** The skeleton of a Site. @param inUse the equipment that it had at one instant @param log its current site log, for the agency */
export function renderRinexSkeleton(
  { fourCharacterId, domesNumber, location }: CorsSite,
  inUse: EquipmentInUse[],
  log: SiteLogSections,
): string {
  const receiver = lastInstalled(inUse, isReceiver);
  const antenna = lastInstalled(inUse, isAntenna);
  const { markerArpUpEccentricity, markerArpEastEccentricity, markerArpNorthEccentricity } = antenna?.configuration ?? {};
  return [
    line(fourCharacterId, 'MARKER NAME'),
    line(column(domesNumber), 'MARKER NUMBER'),
    line(column('') + column(agencyOf(log), LONGEST_AGENCY), 'OBSERVER / AGENCY'),
    line(
      column(receiver?.id.serialNumber) + column(receiver?.id.type) + column(receiver?.configuration.firmwareVersion),
      'REC # / TYPE / VERS',
    ),
    line(column(antenna?.id.serialNumber) + column(antenna && antennaTypeOf(antenna)), 'ANT # / TYPE'),
    line(positionOf(location).map(decimal).join(''), 'APPROX POSITION XYZ'),
    line([markerArpUpEccentricity, markerArpEastEccentricity, markerArpNorthEccentricity].map(decimal).join(''), 'ANTENNA: DELTA H/E/N'),
    line('', 'END OF HEADER'),
  ].join('');
}
