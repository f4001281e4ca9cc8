import { SaxesParser } from 'saxes';
import { EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import { type Field, type FieldName, Fields, Items, readDatePrepared, readIdentification } from './fields.js';
import { type Findings, reject, type SiteLog, type SiteLogForm } from './site-log.js';

/** GeodesyML 0.4, 0.5 and 0.6: the site log as XML. */

/** An element as far as it is wanted. */
interface Element {
  name: string;
  namespace: string;
  line: number;
  /** The text directly inside, `''` under `xsi:nil="true"`. */
  text: string;
  children: Element[];
  /** `gml:id`, `xlink:href` and `codeListValue`, by local name. */
  attributes: Record<string, string>;
}

const FORMS: Record<string, SiteLogForm> = {
  'urn:xml-gov-au:icsm:egeodesy:0.4': 'GeodesyML 0.4',
  'urn:xml-gov-au:icsm:egeodesy:0.5': 'GeodesyML 0.5',
  'urn:xml-gov-au:icsm:egeodesy:0.6': 'GeodesyML 0.6',
};

/** Deepest nesting of elements; the schemas need 12. */
const DEEPEST = 64;

/** The elements that are read and the field each is; those of an equipment block apart, for `type` is many. */
const FIELDS: Record<string, FieldName> = {
  datePrepared: 'datePrepared',
  siteName: 'siteName',
  fourCharacterID: 'fourCharacterId',
  nineCharacterID: 'nineCharacterId',
  monumentNumber: 'monumentNumber',
  receiverNumber: 'receiverNumber',
  iersDOMESNumber: 'domesNumber',
  dateInstalled: 'dateInstalled',
  monumentDescription: 'monumentDescription',
  heightOfTheMonument: 'monumentHeight',
  monumentFoundation: 'monumentFoundation',
  markerDescription: 'markerDescription',
  geologicCharacteristic: 'geologicCharacteristic',
  bedrockType: 'bedrockType',
  notes: 'notes',
  city: 'city',
  state: 'state',
  countryCodeISO: 'country',
};
const EQUIPMENT_FIELDS: Record<string, FieldName> = {
  igsModelCode: 'type',
  type: 'type',
  standardType: 'type',
  manufacturer: 'manufacturer',
  manufacturerName: 'manufacturer',
  manufacturerSerialNumber: 'serialNumber',
  serialNumber: 'serialNumber',
  satelliteSystem: 'satelliteSystem',
  firmwareVersion: 'firmwareVersion',
  elevationCutoffSetting: 'elevationCutoffSetting',
  temperatureStabilization: 'temperatureStabilization',
  antennaReferencePoint: 'antennaReferencePoint',
  'marker-arpUpEcc.': 'markerArpUpEccentricity',
  'marker-arpNorthEcc.': 'markerArpNorthEccentricity',
  'marker-arpEastEcc.': 'markerArpEastEccentricity',
  alignmentFromTrueNorth: 'alignmentFromTrueNorth',
  antennaRadomeType: 'radomeType',
  radomeSerialNumber: 'radomeSerialNumber',
  antennaCableType: 'antennaCableType',
  antennaCableLength: 'antennaCableLength',
  inputFrequency: 'inputFrequency',
  aspiration: 'aspiration',
  heightDiffToAntenna: 'heightDiffToAntenna',
  dateInstalled: 'dateInstalled',
  dateRemoved: 'dateRemoved',
  notes: 'notes',
};

/** The property element of a site log that contains equipment of a kind. */
const PROPERTY_OF_KIND: Record<EquipmentType, string> = {
  'gnss receiver': 'gnssReceiver',
  'gnss antenna': 'gnssAntenna',
  'humidity sensor': 'humiditySensor',
  clock: 'frequencyStandard',
};
const KIND_OF_PROPERTY: Record<string, EquipmentType> = Object.fromEntries(EQUIPMENT_TYPES.map((kind) => [PROPERTY_OF_KIND[kind], kind]));

/** Whether the text is XML, and so either GeodesyML or nothing that is read here. */
export const isXml = (text: string): boolean => /^\s*</.test(text.slice(0, 1000));

/**
 * The line of the first ampersand that begins no entity, null where there is none. The parser notices one only at the
 * next semicolon, or at the end of the text.
 */
function lineOfBareAmpersand(text: string): number | null {
  const plain = text.replace(/<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)/g, (passage) => passage.replace(/[^\r\n]/g, ' '));
  const found = plain.search(/&(?!(#\d+|#x[0-9a-f]+|\w+);)/i);
  return found < 0 ? null : plain.slice(0, found).split(/\r\n|\n|\r/).length;
}

/** Parses the document. @throws {SiteLogRejected} on XML that is malformed, has a DOCTYPE or nests too deep */
function parse(text: string, findings: Findings): Element {
  const recognised = text.includes('egeodesy');
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const document: Element = { name: '', namespace: '', line: 1, text: '', children: [], attributes: {} };
  const open: Element[] = [document];
  const refuse = (message: string, offending = ''): never => reject(findings, parser.line, message, offending, recognised);
  parser.on('error', ({ message }) => {
    const ampersand = /entity|unclosed|unexpected end/.test(message) ? lineOfBareAmpersand(text) : null;
    reject(findings, ampersand ?? parser.line, `not well-formed XML: ${message}`, ampersand === null ? '' : '&', recognised);
  });
  parser.on('doctype', (doctype) => refuse('a DOCTYPE; documents with one are refused', doctype));
  parser.on('opentag', (tag) => {
    if (open.length > DEEPEST) refuse(`elements nested more than ${DEEPEST} deep`, tag.name);
    const element: Element = { name: tag.local, namespace: tag.uri, line: parser.line, text: '', children: [], attributes: {} };
    for (const attribute of Object.values(tag.attributes)) element.attributes[attribute.local] = attribute.value;
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const onText = (chunk: string): void => {
    open.at(-1)!.text += chunk;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    const element = open.pop()!;
    if (element.attributes.nil === 'true' || element.attributes.nil === '1') element.text = '';
  });
  parser.write(text).close();
  return document;
}

function* descendants(element: Element): Generator<Element> {
  for (const child of element.children) {
    yield child;
    yield* descendants(child);
  }
}

const child = (element: Element | undefined, name: string): Element | undefined => element?.children.find((each) => each.name === name);

/**
 * The object inside a property element: `gnssReceiver/GnssReceiver`, one referred to by `xlink:href="#id"`
 * elsewhere in the document, or, as 0.4 has it for some, the property itself.
 */
function objectOf(property: Element, byId: Map<string, Element>): Element {
  const inside = property.children.find((each) => each.name.toLowerCase() === property.name.toLowerCase());
  const referred = property.attributes.href?.startsWith('#') ? byId.get(property.attributes.href.slice(1)) : undefined;
  return inside ?? referred ?? property;
}

const fieldOf = (element: Element): Field => ({
  label: element.name,
  text: element.text,
  line: element.line,
});

/** The children of an object as fields; a repeated one (satelliteSystem) joined by `+`. */
function fieldsOf(object: Element, names: Record<string, FieldName>, findings: Findings): Fields {
  const fields = new Fields(object.line, findings);
  for (const element of object.children) {
    const name = Object.hasOwn(names, element.name) ? names[element.name]! : null;
    if (name === null) continue;
    const field = fieldOf(element);
    if (!fields.has(name)) fields.set(name, field);
    else if (name === 'satelliteSystem') fields.get(name).text += `+${field.text}`;
    else findings.add(element.line, 'warning', `${element.name} for the second time; the first is kept`, field.text);
  }
  return fields;
}

/** The dates of `gml:validTime`, as the fields that receivers and antennas have. */
function addValidTime(object: Element, fields: Fields): void {
  const period = child(child(object, 'validTime'), 'TimePeriod');
  const begin = child(period, 'beginPosition');
  const end = child(period, 'endPosition');
  if (begin !== undefined && !fields.has('dateInstalled')) fields.set('dateInstalled', fieldOf(begin));
  if (end !== undefined && !fields.has('dateRemoved')) fields.set('dateRemoved', fieldOf(end));
}

/** Section 2, with the parts of each `gml:pos`: latitude, longitude and elevation; X, Y and Z. */
function placeOf(object: Element, findings: Findings): Fields {
  const place = fieldsOf(object, FIELDS, findings);
  const country = child(object, 'countryCodeISO');
  if (country !== undefined && /^[A-Z]{3}$/.test(country.attributes.codeListValue ?? '') && !/^\s*[A-Z]{3}\s*$/.test(country.text)) {
    place.set('country', { ...fieldOf(country), text: country.attributes.codeListValue! });
  }
  const position = (name: string, parts: FieldName[]): void => {
    const element = child(child(object, 'approximatePositionITRF'), name);
    const pos = element && [...descendants(element)].find((each) => each.name === 'pos');
    const texts = pos?.text.trim().split(/\s+/) ?? [];
    parts.forEach((part, index) => place.set(part, { label: part, text: texts[index] ?? '', line: pos?.line ?? object.line }));
  };
  position('geodeticPosition', ['latitude', 'longitude', 'elevation']);
  position('cartesianPosition', ['x', 'y', 'z']);
  return place;
}

/** Date Prepared: of several form blocks (0.6 keeps one for each version of the log) the latest. */
function datePreparedOf(siteLog: Element, byId: Map<string, Element>, findings: Findings): string | null {
  const days = siteLog.children
    .filter((each) => each.name === 'formInformation')
    .map((property) => readDatePrepared(fieldsOf(objectOf(property, byId), { datePrepared: 'datePrepared' }, findings)));
  return (
    days
      .filter((day) => day !== null)
      .sort()
      .at(-1) ?? null
  );
}

/**
 * Reads a GeodesyML document.
 * @throws {SiteLogRejected} where it is no well-formed XML, holds no site log of a version that is read, or
 * gives no four-character id
 */
export function readGeodesyml(text: string, findings: Findings): SiteLog {
  const document = parse(text, findings);
  const elements = [...descendants(document)];
  const logs = elements.filter((element) => element.name === 'siteLog' && element.namespace.includes('egeodesy'));
  const [siteLog] = logs;
  if (siteLog === undefined) {
    const root = document.children[0]!;
    reject(findings, root.line, 'XML without a GeodesyML siteLog element', `{${root.namespace}}${root.name}`, false);
  }
  const form = FORMS[siteLog.namespace];
  if (form === undefined) {
    reject(
      findings,
      siteLog.line,
      `not a version that is read; expected the namespace ${Object.keys(FORMS).join(' or ')}`,
      siteLog.namespace,
    );
  }
  for (const another of logs.slice(1)) {
    findings.add(
      another.line,
      'warning',
      'another siteLog in the same file, not read; expected one site log a file',
      another.attributes.id,
    );
  }
  const byId = new Map<string, Element>();
  for (const element of elements) if (element.attributes.id !== undefined) byId.set(element.attributes.id, element);

  const items = new Items();
  const taken = new Set<Element>();
  for (const property of siteLog.children) {
    const kind = Object.hasOwn(KIND_OF_PROPERTY, property.name) ? KIND_OF_PROPERTY[property.name]! : null;
    if (kind === null) continue;
    const withdrawn = child(property, 'dateDeleted')?.text.trim() ?? '';
    if (withdrawn !== '') {
      findings.add(property.line, 'info', `${property.name} withdrawn (dateDeleted); passed over`, withdrawn);
      continue;
    }
    const object = objectOf(property, byId);
    if (property.attributes.href !== undefined && object === property) {
      findings.add(
        property.line,
        'warning',
        `${property.name} refers to an element that is not in the file; passed over`,
        property.attributes.href,
      );
      continue;
    }
    if (taken.has(object)) {
      findings.add(
        property.line,
        'warning',
        `${property.name} refers to an element that another refers to; passed over`,
        property.attributes.href,
      );
      continue;
    }
    taken.add(object);
    const fields = fieldsOf(object, EQUIPMENT_FIELDS, findings);
    addValidTime(object, fields);
    items.add(kind, fields);
  }

  const section = (name: string): Element => {
    const property = child(siteLog, name);
    return property === undefined ? { ...siteLog, children: [] } : objectOf(property, byId);
  };
  return {
    form,
    datePrepared: datePreparedOf(siteLog, byId, findings),
    identification: readIdentification(
      fieldsOf(section('siteIdentification'), FIELDS, findings),
      placeOf(section('siteLocation'), findings),
    ),
    items: items.list,
  };
}
