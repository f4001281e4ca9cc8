import { EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import { type Field, type FieldName, Fields, Items, readDatePrepared, readIdentification } from './fields.js';
import type { Findings, SiteLog } from './site-log.js';

/**
 * The IGS site log in text form, versions 1 and 2.0: numbered sections and items of `label : value` lines,
 * values going on in the lines below.
 */

/** A label without its blanks and signs, lower case: `Marker->ARP Up Ecc. (m)` is `markerarpupeccm`. */
const labelKey = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A label of the form that is known and not wanted. */
const unused = null;

/**
 * The labels of the sections that are read, as {@link labelKey}s, and the field each is; in sections of
 * items the first label begins an item.
 */
const LABELS = {
  '0': {
    dateprepared: 'datePrepared',
    preparedbyfullname: unused,
    preparedby: unused,
    reporttype: unused,
    ifupdate: unused,
    update: unused,
    previoussitelog: unused,
    modifiedaddedsections: unused,
  },
  '1': {
    sitename: 'siteName',
    fourcharacterid: 'fourCharacterId',
    ninecharacterid: 'nineCharacterId',
    monumentinscription: unused,
    iersdomesnumber: 'domesNumber',
    cdpnumber: unused,
    monumentdescription: 'monumentDescription',
    heightofthemonument: 'monumentHeight',
    monumentfoundation: 'monumentFoundation',
    foundationdepth: unused,
    markerdescription: 'markerDescription',
    dateinstalled: 'dateInstalled',
    geologiccharacteristic: 'geologicCharacteristic',
    bedrocktype: 'bedrockType',
    bedrockcondition: unused,
    fracturespacing: unused,
    faultzonesnearby: unused,
    distanceactivity: unused,
    additionalinformation: 'notes',
  },
  '2': {
    cityortown: 'city',
    stateorprovince: 'state',
    country: 'country',
    countryorregion: 'country',
    tectonicplate: unused,
    approximatepositionitrf: unused,
    xcoordinatem: 'x',
    ycoordinatem: 'y',
    zcoordinatem: 'z',
    latitudenis: 'latitude',
    longitudeeis: 'longitude',
    elevationmellips: 'elevation',
    additionalinformation: unused,
  },
  '3': {
    receivertype: 'type',
    satellitesystem: 'satelliteSystem',
    serialnumber: 'serialNumber',
    firmwareversion: 'firmwareVersion',
    elevationcutoffsetting: 'elevationCutoffSetting',
    dateinstalled: 'dateInstalled',
    dateremoved: 'dateRemoved',
    temperaturestabiliz: 'temperatureStabilization',
    temperaturestabilization: 'temperatureStabilization',
    additionalinformation: 'notes',
  },
  '4': {
    antennatype: 'type',
    serialnumber: 'serialNumber',
    antennareferencepoint: 'antennaReferencePoint',
    markerarpupeccm: 'markerArpUpEccentricity',
    markerarpnortheccm: 'markerArpNorthEccentricity',
    markerarpeasteccm: 'markerArpEastEccentricity',
    alignmentfromtruen: 'alignmentFromTrueNorth',
    antennaradometype: 'radomeType',
    radomeserialnumber: 'radomeSerialNumber',
    antennacabletype: 'antennaCableType',
    antennacablelength: 'antennaCableLength',
    dateinstalled: 'dateInstalled',
    dateremoved: 'dateRemoved',
    additionalinformation: 'notes',
  },
  '6': {
    standardtype: 'type',
    inputfrequency: 'inputFrequency',
    effectivedates: 'effectiveDates',
    notes: unused,
    additionalinformation: unused,
  },
  '8.1': {
    humiditysensormodel: 'type',
    manufacturer: 'manufacturer',
    serialnumber: 'serialNumber',
    datasamplinginterval: unused,
    accuracyrelh: unused,
    accuracy: unused,
    aspiration: 'aspiration',
    heightdifftoant: 'heightDiffToAntenna',
    calibrationdate: unused,
    effectivedates: 'effectiveDates',
    notes: 'notes',
    additionalinformation: 'notes',
  },
} as const satisfies Record<string, Record<string, FieldName | typeof unused>>;
const LABELS_OF_SECTION: Record<string, Record<string, FieldName | typeof unused>> = LABELS;

/** The section whose items are equipment of a kind. */
const SECTION_OF_KIND: Record<EquipmentType, keyof typeof LABELS> = {
  'gnss receiver': '3',
  'gnss antenna': '4',
  'humidity sensor': '8.1',
  clock: '6',
};
const KIND_OF_SECTION: Record<string, EquipmentType> = Object.fromEntries(EQUIPMENT_TYPES.map((kind) => [SECTION_OF_KIND[kind], kind]));

/** `3.   GNSS Receiver Information`: a section begins. */
const SECTION = /^ {0,4}(\d{1,2})\.(?![\dx])[^:]*:?$/i;
/** `3.1  Receiver Type            : …`, `8.1.x Humidity Sensor Model   :`: an item begins. */
const ITEM = /^ {0,4}(\d{1,2})\.(?:(\d{1,3})\.)?(\d{1,4}|x)\.?(?:\s+(\S.*)?)?$/is;
/** Values that go on are indented to column 32; where hands or tabs were at work, to somewhere near. */
const CONTINUATION_INDENT = 20;
/** Further in than this no label begins, even one that is known. */
const LABEL_INDENT = 28;
/** Lines of the form without a value. */
const SUBTITLE = /^(differential components|approximate position|if update|update|primary contact|secondary contact)/i;

/** Whether the text is an IGS site log: it has the title line, or a label that only such a log has. */
export function isAsciiSiteLog(text: string): boolean {
  const head = text.slice(0, 20_000);
  return /site information form/i.test(head) || /^[ \t]{0,20}(four|nine) character id[ \t]{0,20}:/im.test(head);
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const character of line) expanded += character === '\t' ? ' '.repeat(8 - (expanded.length % 8)) : character;
  return expanded;
}

/** Splits `     Serial Number            : C128` in label and value; null where there is no label. */
function splitLabel(line: string): { label: string; text: string } | null {
  const colon = line.indexOf(':');
  const label = line.slice(0, Math.max(colon, 0)).trim();
  return label === '' ? null : { label, text: line.slice(colon + 1) };
}

/** Goes through the lines, and hands each section 0, 1 or 2 and each item of equipment to `onBlock` when it ends. */
class Cutter {
  /** `3` inside section 3 and its items, `8.1` inside `8.1.2`. */
  private section = '';
  /** What the lines are gathered in; null where they are not wanted. */
  private block: Fields | null = null;
  /** The value that a line may go on with. */
  private field: Field | null = null;

  constructor(
    private readonly findings: Findings,
    private readonly onBlock: (section: string, block: Fields) => void,
  ) {}

  line(raw: string, number: number): void {
    const line = expandTabs(raw).trimEnd();
    const content = line.trimStart();
    if (content === '') return;
    const indent = line.length - content.length;
    const item = ITEM.exec(line);
    if (item !== null) {
      const [, first, second, last, rest] = item;
      this.end();
      this.section = second === undefined ? first! : `${first}.${second}`;
      if (last!.toLowerCase() === 'x' || !(this.section in KIND_OF_SECTION)) return;
      this.begin(number);
      if (rest !== undefined) this.labelled(rest, 0, number);
    } else if (SECTION.test(line)) {
      this.end();
      this.section = SECTION.exec(line)![1]!;
      if (this.section in LABELS && !(this.section in KIND_OF_SECTION)) this.begin(number);
    } else if (this.block !== null) {
      this.labelled(line, indent, number);
    }
  }

  /** The end of a block, and of the file. */
  end(): void {
    if (this.block !== null) this.onBlock(this.section, this.block);
    this.block = null;
    this.field = null;
  }

  private begin(number: number): void {
    this.end();
    this.block = new Fields(number, this.findings);
  }

  /** A line inside a block: a value with its label, or more of the value above. */
  private labelled(line: string, indent: number, number: number): void {
    const labels = LABELS_OF_SECTION[this.section]!;
    const found = splitLabel(line);
    const key = found === null ? '' : labelKey(found.label);
    if (found === null || indent >= LABEL_INDENT || !Object.hasOwn(labels, key)) {
      if (indent >= CONTINUATION_INDENT && this.field !== null) {
        this.field.text += `\n${line.trim().replace(/^:\s?/, '')}`;
        return;
      }
      this.field = null;
      if (SUBTITLE.test(line.trim())) return;
      const what =
        found === null ? 'neither "label : value" nor indented as more of the value above' : `unknown label "${found.label.slice(0, 40)}"`;
      this.findings.add(number, 'warning', `section ${this.section}: ${what}; line passed over`, line);
      return;
    }
    this.field = { ...found, line: number };
    const name = labels[key]!;
    if (name === unused) return;
    if (this.block!.has(name)) {
      if (this.section in KIND_OF_SECTION && key === Object.keys(labels)[0]) {
        this.findings.add(
          number,
          'warning',
          `section ${this.section}: a second "${found.label}" without a number; taken as a new item`,
          line,
        );
        const field = this.field;
        this.begin(number);
        this.field = field;
      } else {
        this.findings.add(number, 'warning', `section ${this.section}: "${found.label}" for the second time; the first is kept`, line);
        this.field = null;
        return;
      }
    }
    this.block!.set(name, this.field);
  }
}

/**
 * Reads an IGS site log in text form.
 * @throws {SiteLogRejected} where the log gives no id of four or nine characters
 */
export function readAsciiSiteLog(text: string, findings: Findings): SiteLog {
  const sections = new Map<string, Fields>();
  const items = new Items();
  const cutter = new Cutter(findings, (section, block) => {
    const kind = KIND_OF_SECTION[section];
    if (kind !== undefined) items.add(kind, block);
    else if (!sections.has(section)) sections.set(section, block);
    else findings.add(block.line, 'warning', `section ${section} for the second time; the first is kept`);
  });
  text.split(/\r\n|\n|\r/).forEach((line, index) => cutter.line(line, index + 1));
  cutter.end();
  const section = (number: string): Fields => sections.get(number) ?? new Fields(1, findings);
  return {
    form: section('1').has('nineCharacterId') ? 'IGS site log 2.0' : 'IGS site log 1',
    datePrepared: readDatePrepared(section('0')),
    identification: readIdentification(section('1'), section('2')),
    items: items.list,
  };
}
