import { EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import { distance, geodeticPosition } from './position.js';
import { type Findings, type LogItem, reject, type SiteIdentification } from './site-log.js';
import {
  type Decimal,
  DEGREES,
  type Dimension,
  MEGAHERTZ,
  METRES,
  readAngle,
  readAntennaType,
  readDay,
  readDecimal,
  readEffectiveDates,
  type Reading,
  readInstant,
  readProse,
  readRadome,
  readSatelliteSystem,
  readStabilization,
  readString,
} from './values.js';

/**
 * What both forms of a site log have in common: blocks of named values. The readers of the forms name the
 * values as in the list below, whatever their label or element is called; here they become a SiteLog.
 */
const FIELD_NAMES = [
  // section 0
  'datePrepared',
  // sections 1 and 2
  'fourCharacterId',
  'nineCharacterId',
  'monumentNumber',
  'receiverNumber',
  'siteName',
  'domesNumber',
  'dateInstalled',
  'monumentDescription',
  'monumentFoundation',
  'monumentHeight',
  'markerDescription',
  'geologicCharacteristic',
  'bedrockType',
  'notes',
  'city',
  'state',
  'country',
  'x',
  'y',
  'z',
  'latitude',
  'longitude',
  'elevation',
  // sections 3, 4, 6, 8.1
  'type',
  'manufacturer',
  'serialNumber',
  'dateRemoved',
  'effectiveDates',
  'satelliteSystem',
  'firmwareVersion',
  'elevationCutoffSetting',
  'temperatureStabilization',
  'antennaReferencePoint',
  'markerArpUpEccentricity',
  'markerArpNorthEccentricity',
  'markerArpEastEccentricity',
  'alignmentFromTrueNorth',
  'radomeType',
  'radomeSerialNumber',
  'antennaCableType',
  'antennaCableLength',
  'inputFrequency',
  'aspiration',
  'heightDiffToAntenna',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** One value as the file has it. */
export interface Field {
  /** The label or element name, for findings. */
  label: string;
  /** The value; lines joined by a line feed. */
  text: string;
  /** The line on which the value begins. */
  line: number;
}

/** The values of one block, read with findings for what is not as the form wants it. */
export class Fields {
  private readonly byName = new Map<FieldName, Field>();

  /** @param line the line on which the block begins */
  constructor(
    readonly line: number,
    readonly findings: Findings,
  ) {}

  has(name: FieldName): boolean {
    return this.byName.has(name);
  }

  set(name: FieldName, field: Field): void {
    this.byName.set(name, field);
  }

  /** The value as the file has it; empty where the block has none of that name. */
  get(name: FieldName): Field {
    return this.byName.get(name) ?? { label: name, text: '', line: this.line };
  }

  /** The value as a string, by one of the readers of values.ts. */
  string(name: FieldName, read: (text: string) => string | null = readString): string | null {
    return read(this.get(name).text);
  }

  /** The value by a reader that may remark on it; the remark becomes a finding. */
  read<T>(name: FieldName, read: (text: string) => Reading<T>): T | null {
    const field = this.get(name);
    const { value, remark } = read(field.text);
    if (remark !== undefined) this.findings.add(field.line, remark.level, `${field.label}: ${remark.message}`, field.text);
    return value;
  }

  decimal(name: FieldName, dimension: Dimension): Decimal | null {
    return this.read(name, (text) => readDecimal(text, dimension));
  }
}

/** The most blocks of equipment that one log may hold. */
export const MOST_ITEMS = 1000;

type ItemOf<T extends EquipmentType> = Extract<LogItem, { id: { equipmentType: T } }>;
type ItemReaders = { [T in EquipmentType]: (fields: Fields) => Pick<ItemOf<T>, 'id' | 'configuration'> };

const prose = (fields: Fields, name: FieldName) => fields.string(name, readProse);

const readers: ItemReaders = {
  'gnss receiver': (fields) => ({
    id: {
      type: prose(fields, 'type'),
      equipmentType: 'gnss receiver',
      manufacturer: prose(fields, 'manufacturer'),
      serialNumber: prose(fields, 'serialNumber'),
    },
    configuration: {
      firmwareVersion: prose(fields, 'firmwareVersion'),
      satelliteSystem: fields.string('satelliteSystem', readSatelliteSystem),
      elevetionCutoffSetting: fields.decimal('elevationCutoffSetting', DEGREES)?.text ?? null,
      temperatureStabilization: fields.string('temperatureStabilization', readStabilization),
      notes: prose(fields, 'notes'),
    },
  }),
  'gnss antenna': (fields) => {
    const radomeType = fields.string('radomeType', readRadome);
    return {
      id: {
        type: fields.string('type', (text) => readAntennaType(text, radomeType)),
        equipmentType: 'gnss antenna',
        manufacturer: prose(fields, 'manufacturer'),
        serialNumber: prose(fields, 'serialNumber'),
      },
      configuration: {
        antennaReferencePoint: prose(fields, 'antennaReferencePoint'),
        markerArpUpEccentricity: fields.decimal('markerArpUpEccentricity', METRES)?.number ?? null,
        markerArpNorthEccentricity: fields.decimal('markerArpNorthEccentricity', METRES)?.number ?? null,
        markerArpEastEccentricity: fields.decimal('markerArpEastEccentricity', METRES)?.number ?? null,
        alignmentFromTrueNorth: fields.decimal('alignmentFromTrueNorth', DEGREES)?.text ?? null,
        radomeType,
        radomeSerialNumber: prose(fields, 'radomeSerialNumber'),
        antennaCableType: prose(fields, 'antennaCableType'),
        antennaCableLength: fields.decimal('antennaCableLength', METRES)?.text ?? null,
        notes: prose(fields, 'notes'),
      },
    };
  },
  'humidity sensor': (fields) => ({
    id: {
      type: prose(fields, 'type'),
      equipmentType: 'humidity sensor',
      manufacturer: prose(fields, 'manufacturer'),
      serialNumber: prose(fields, 'serialNumber'),
      aspiration: prose(fields, 'aspiration'),
    },
    configuration: {
      heightDiffToAntenna: fields.decimal('heightDiffToAntenna', METRES)?.text ?? null,
      notes: prose(fields, 'notes'),
    },
  }),
  clock: (fields) => ({
    id: { type: prose(fields, 'type'), equipmentType: 'clock', manufacturer: prose(fields, 'manufacturer'), serialNumber: null },
    configuration: { inputFrequency: fields.decimal('inputFrequency', MEGAHERTZ)?.text ?? null },
  }),
};

/** Collects the blocks of equipment of one log, in the order of a Setup. */
export class Items {
  private readonly byKind = new Map<EquipmentType, LogItem[]>(EQUIPMENT_TYPES.map((type) => [type, []]));
  private count = 0;

  /**
   * Reads one block of a kind; a block that says nothing is passed over with a finding.
   * @throws {SiteLogRejected} on more than {@link MOST_ITEMS} blocks
   */
  add(kind: EquipmentType, fields: Fields): void {
    if (++this.count > MOST_ITEMS) reject(fields.findings, fields.line, `more than ${MOST_ITEMS} blocks of equipment in one log`);
    const { id, configuration } = readers[kind](fields);
    const dates = fields.has('effectiveDates')
      ? this.effectiveDates(fields)
      : { from: fields.read('dateInstalled', readInstant), to: fields.read('dateRemoved', readInstant) };
    const { equipmentType: _, ...identity } = id;
    if (Object.values({ ...identity, ...configuration, ...dates }).every((value) => value === null)) {
      fields.findings.add(fields.line, 'info', `a ${kind} block without a value; passed over as a blank template`);
      return;
    }
    // The compiler cannot see that `id` and `configuration` are of the kind that `readers[kind]` makes.
    this.byKind.get(kind)!.push({ id, configuration, ...dates, line: fields.line } as LogItem);
  }

  private effectiveDates(fields: Fields): Pick<LogItem, 'from' | 'to'> {
    const { from, to } = readEffectiveDates(fields.get('effectiveDates').text);
    return { from: fields.read('effectiveDates', () => from), to: fields.read('effectiveDates', () => to) };
  }

  get list(): LogItem[] {
    return EQUIPMENT_TYPES.flatMap((type) => this.byKind.get(type)!);
  }
}

/**
 * Reads sections 1 and 2.
 * @throws {SiteLogRejected} where the log gives no four-character or nine-character id
 */
export function readIdentification(site: Fields, place: Fields): SiteIdentification {
  const nine = site.string('nineCharacterId');
  const four = site.string('fourCharacterId');
  const version2 = site.has('nineCharacterId');
  const field = site.get(version2 ? 'nineCharacterId' : 'fourCharacterId');
  if (version2 ? nine === null || !/^[A-Z0-9]{4}\d{2}[A-Z]{3}$/i.test(nine) : four === null || !/^[A-Z0-9]{4}$/i.test(four)) {
    const expected = version2 ? 'nine characters such as ALIC00AUS' : 'four letters or digits such as ALIC';
    reject(site.findings, field.line, `${field.label}: not ${expected}; a log without it cannot be told to be of a Site`, field.text);
  }
  const country = prose(place, 'country');
  const monument = site.string('monumentNumber');
  const receiver = site.string('receiverNumber');
  const composed =
    four !== null && /^\d$/.test(monument ?? '') && /^\d$/.test(receiver ?? '') && /^[A-Z]{3}$/.test(country ?? '')
      ? `${four}${monument}${receiver}${country}`
      : null;
  return {
    fourCharacterId: (nine ?? four!).slice(0, 4).toUpperCase(),
    nineCharacterId: (nine ?? composed)?.toUpperCase() ?? null,
    name: prose(site, 'siteName'),
    domesNumber: prose(site, 'domesNumber'),
    dateInstalled: site.read('dateInstalled', readInstant),
    monumentDescription: prose(site, 'monumentDescription'),
    monumentFoundation: prose(site, 'monumentFoundation'),
    monumentHeight: site.decimal('monumentHeight', METRES)?.number ?? null,
    markerDescription: prose(site, 'markerDescription'),
    geologicCharacteristic: prose(site, 'geologicCharacteristic'),
    bedrockType: prose(site, 'bedrockType'),
    notes: prose(site, 'notes'),
    city: prose(place, 'city'),
    state: prose(place, 'state'),
    country,
    ...readPosition(place),
  };
}

/** How far latitude and longitude may lie from X, Y and Z, in metres: both are asked for as approximate. */
const TOLERANCE = 1000;

/** Reads the position of section 2: latitude and longitude as they stand, or else what X, Y and Z come to. */
function readPosition(place: Fields): Pick<SiteIdentification, 'latitude' | 'longitude' | 'elevation'> {
  const latitude = place.read('latitude', (text) => readAngle(text, 90));
  const longitude = place.read('longitude', (text) => readAngle(text, 180));
  const elevation = place.decimal('elevation', METRES)?.number ?? null;
  const [x, y, z] = (['x', 'y', 'z'] as const).map((name) => place.decimal(name, METRES)?.number ?? null) as (number | null)[];
  const computed = x == null || y == null || z == null ? null : geodeticPosition(x, y, z);
  if (computed === null) return { latitude, longitude, elevation };
  if (latitude === null || longitude === null) {
    place.findings.add(place.get('x').line, 'info', 'no latitude and longitude; computed from X, Y and Z', `${x} ${y} ${z}`);
    return { ...computed, elevation: elevation ?? computed.elevation };
  }
  const apart = distance({ latitude, longitude }, computed);
  if (apart <= TOLERANCE) return { latitude, longitude, elevation };
  // In forms that are filled in by programs a 0 stands for nothing; on the equator or the meridian X, Y and Z say so, too.
  const blank = latitude === 0 || longitude === 0;
  place.findings.add(
    place.get('latitude').line,
    'warning',
    `latitude and longitude lie ${Math.round(apart / 1000)} km from X, Y and Z, which come to ${computed.latitude.toFixed(5)} ${computed.longitude.toFixed(5)}; ` +
      (blank ? 'a 0 is taken for no value, and X, Y and Z for the position' : 'taken as they stand'),
    `${latitude} ${longitude}`,
  );
  if (!blank) return { latitude, longitude, elevation };
  return { ...computed, elevation: elevation === null || elevation === 0 ? computed.elevation : elevation };
}

/** Reads Date Prepared of one form block. */
export function readDatePrepared(form: Fields): string | null {
  return form.read('datePrepared', readDay);
}
