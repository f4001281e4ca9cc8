import { EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import { type Field, type FieldName, Fields } from './fields.js';
import { readDatePrepared, readIdentification } from './identification.js';
import { Items } from './items.js';
import { type Findings, reject, type SiteLog, type SiteLogForm } from './site-log.js';
import { child, descendants, type Element, parseXml } from './xml.js';

/** GeodesyML 0.4, 0.5 and 0.6: the XML format of the site log. */

const FORMS: Record<string, SiteLogForm> = {
  'urn:xml-gov-au:icsm:egeodesy:0.4': 'GeodesyML 0.4',
  'urn:xml-gov-au:icsm:egeodesy:0.5': 'GeodesyML 0.5',
  'urn:xml-gov-au:icsm:egeodesy:0.6': 'GeodesyML 0.6',
};

/** The elements outside the equipment blocks that are read, with the field each one fills. */
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
/** The elements of an equipment block that are read. Separate, because several of them fill `type`. */
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

/**
 * The object of a property element: the element inside it (`gnssReceiver/GnssReceiver`), one elsewhere in the
 * document that it refers to by `xlink:href="#id"`, or, for some properties in 0.4, the property element itself.
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

/** The children of an object as fields. Repeated satelliteSystem elements are joined by `+`. */
function fieldsOf(object: Element, names: Record<string, FieldName>, findings: Findings): Fields {
  const fields = new Fields(object.line, findings);
  for (const element of object.children) {
    const name = Object.hasOwn(names, element.name) ? names[element.name]! : null;
    if (name === null) continue;
    const field = fieldOf(element);
    if (!fields.has(name)) fields.set(name, field);
    else if (name === 'satelliteSystem') fields.append(name, `+${field.text}`);
    else findings.add(element.line, 'warning', `duplicate ${element.name}; first value used`, field.text);
  }
  return fields;
}

/** Adds the dates of `gml:validTime` as the date fields that receivers and antennas have. */
function addValidTime(object: Element, fields: Fields): void {
  const period = child(child(object, 'validTime'), 'TimePeriod');
  const begin = child(period, 'beginPosition');
  const end = child(period, 'endPosition');
  if (begin !== undefined && !fields.has('dateInstalled')) fields.set('dateInstalled', fieldOf(begin));
  if (end !== undefined && !fields.has('dateRemoved')) fields.set('dateRemoved', fieldOf(end));
}

/** The fields of section 2, with each `gml:pos` split into latitude, longitude and elevation, or X, Y and Z. */
function placeOf(object: Element, findings: Findings): Fields {
  const place = fieldsOf(object, FIELDS, findings);
  const country = child(object, 'countryCodeISO');
  if (country !== undefined && /^[A-Z]{3}$/.test(country.attributes.codeListValue ?? '') && !/^\s*[A-Z]{3}\s*$/.test(country.text)) {
    place.set('country', { ...fieldOf(country), text: country.attributes.codeListValue! });
  }
  const position = (name: string, parts: FieldName[]): void => {
    const element = child(child(object, 'approximatePositionITRF'), name);
    const pos = element && descendants(element).find((each) => each.name === 'pos');
    const texts = pos?.text.trim().split(/\s+/) ?? [];
    parts.forEach((part, index) => place.set(part, { label: part, text: texts[index] ?? '', line: pos?.line ?? object.line }));
  };
  position('geodeticPosition', ['latitude', 'longitude', 'elevation']);
  position('cartesianPosition', ['x', 'y', 'z']);
  return place;
}

/** Adds the `gml:id` of the root element as the nine-character id: most documents give it only there. */
function addDocumentId(root: Element, site: Fields): void {
  const id = root.attributes.id ?? '';
  if (site.string('nineCharacterId') !== null || !/^[A-Z0-9_]{4}\d{2}[A-Z]{3}$/i.test(id)) return;
  const field = { label: 'gml:id', text: id, line: root.line };
  const four = site.string('fourCharacterId');
  if (four === null || id.slice(0, 4).toUpperCase() === four.toUpperCase()) site.set('nineCharacterId', field);
  else site.findings.add(root.line, 'warning', `gml:id: does not begin with the four-character id ${four}; ignored`, id);
}

/** The latest Date Prepared. GeodesyML 0.6 has one formInformation for each version of the log. */
function datePreparedOf(siteLog: Element, byId: Map<string, Element>, findings: Findings): string | null {
  const properties = siteLog.children.filter((each) => each.name === 'formInformation');
  // Many properties may refer to one element; it is read once.
  const objects = [...new Set(properties.map((property) => objectOf(property, byId)))];
  const days = objects.map((object) => readDatePrepared(fieldsOf(object, { datePrepared: 'datePrepared' }, findings)));
  return (
    days
      .filter((day) => day !== null)
      .sort()
      .at(-1) ?? null
  );
}

/**
 * Reads a GeodesyML document.
 * @throws {SiteLogRejected} if it is not well-formed XML, has no site log of a supported version, or has no site id
 */
export function readGeodesyml(text: string, findings: Findings): SiteLog {
  const document = parseXml(text, findings);
  const elements = descendants(document);
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
      `unsupported GeodesyML version; expected the namespace ${Object.keys(FORMS).join(' or ')}`,
      siteLog.namespace,
    );
  }
  for (const another of logs.slice(1)) {
    findings.add(another.line, 'warning', 'additional siteLog element ignored; expected one site log per file', another.attributes.id);
  }
  const byId = new Map<string, Element>();
  for (const element of elements) if (element.attributes.id !== undefined) byId.set(element.attributes.id, element);

  const items = new Items();
  const read = new Set<Element>();
  for (const property of siteLog.children) {
    const kind = Object.hasOwn(KIND_OF_PROPERTY, property.name) ? KIND_OF_PROPERTY[property.name]! : null;
    if (kind === null) continue;
    const withdrawn = child(property, 'dateDeleted')?.text.trim() ?? '';
    if (withdrawn !== '') {
      findings.add(property.line, 'info', `${property.name} has a dateDeleted; ignored as withdrawn`, withdrawn);
      continue;
    }
    const object = objectOf(property, byId);
    if (property.attributes.href !== undefined && object === property) {
      findings.add(
        property.line,
        'warning',
        `${property.name} refers to an element that is not in the file; ignored`,
        property.attributes.href,
      );
      continue;
    }
    if (read.has(object)) {
      findings.add(
        property.line,
        'warning',
        `${property.name} refers to an element that is already in use by another property; ignored`,
        property.attributes.href,
      );
      continue;
    }
    read.add(object);
    const fields = fieldsOf(object, EQUIPMENT_FIELDS, findings);
    addValidTime(object, fields);
    items.add(kind, fields);
  }

  const section = (name: string): Element => {
    const property = child(siteLog, name);
    return property === undefined ? { ...siteLog, children: [] } : objectOf(property, byId);
  };
  const site = fieldsOf(section('siteIdentification'), FIELDS, findings);
  addDocumentId(document.children[0]!, site);
  return {
    form,
    datePrepared: datePreparedOf(siteLog, byId, findings),
    identification: readIdentification(site, placeOf(section('siteLocation'), findings)),
    items: items.list,
  };
}
