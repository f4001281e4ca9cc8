import type { Wanted } from './ascii-blocks.js';
import type { TextSectionName } from './ascii-labels.js';
import { type FieldName, Fields } from './fields.js';
import { readDatePrepared, readIdentification } from './identification.js';
import { Items } from './items.js';
import { PARTY_ROLES } from '../../schemas/index.js';
import { PARTY_ROWS } from './sections/parties.js';
import { elementOf, type Row, type SectionName, SECTIONS, TRACKING } from './sections/index.js';
import { findingsAbout, KIND_OF_SECTION, RECORD_VALUES } from './record-values.js';
import { type Findings, reject, type SiteLog, type SiteLogForm } from './site-log.js';
import { child, type Element } from './xml.js';
import { type Places, placesOf, readBlock, STRUCTURE } from './xml-blocks.js';

/** GeodesyML 0.4, 0.5 and 0.6: the XML format of the site log. */

const FORMS: Record<string, SiteLogForm> = {
  'urn:xml-gov-au:icsm:egeodesy:0.4': 'GeodesyML 0.4',
  'urn:xml-gov-au:icsm:egeodesy:0.5': 'GeodesyML 0.5',
  'urn:xml-gov-au:icsm:egeodesy:0.6': 'GeodesyML 0.6',
};

/** The digits of the nine-character id. */
const ID_DIGITS: Record<string, Row> = { monumentNumber: { kind: 'code' }, receiverNumber: { kind: 'code' } };

const NAMES = Object.keys(SECTIONS) as SectionName[];
const PLACES = Object.fromEntries(
  NAMES.map((name) => [name, placesOf({ ...SECTIONS[name].rows, ...(name === 'siteIdentification' && ID_DIGITS) }, elementOf)]),
) as Record<SectionName, Places>;
const SECTION_OF_PROPERTY = new Map(NAMES.map((name) => [SECTIONS[name].element, name]));
const PARTY_PLACES = placesOf(PARTY_ROWS, elementOf);
const TRACKING_PLACES = placesOf(TRACKING, elementOf);

/** A GeodesyML document with one site log. */
export class GeodesymlDocument {
  readonly form: SiteLogForm;
  private readonly root: Element;
  private readonly siteLog: Element;
  private readonly byId = new Map<string, Element>();

  /**
   * @param elements those of the parsed document
   * @param isWanted which sections and values are read
   * @throws {SiteLogRejected} if it has no site log of a supported version
   */
  constructor(
    elements: Element[],
    private readonly findings: Findings,
    private readonly isWanted: Wanted,
  ) {
    this.root = elements[0]!;
    const logs = elements.filter((element) => element.name === 'siteLog' && element.namespace.includes('egeodesy'));
    const [siteLog] = logs;
    if (siteLog === undefined) {
      const { root } = this;
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
    this.form = form;
    this.siteLog = siteLog;
    for (const element of elements) if (element.attributes.id !== undefined) this.byId.set(element.attributes.id, element);
  }

  /** The properties of the site log, in the order of the document. */
  get properties(): Element[] {
    return this.siteLog.children;
  }

  /**
   * The object of a property element: the element inside it (`gnssReceiver/GnssReceiver`), one elsewhere in the
   * document that it refers to by `xlink:href="#id"`, or, for some properties in 0.4, the property element itself.
   */
  private objectOf(property: Element): Element {
    const inside = property.children.find((each) => each.name.toLowerCase() === property.name.toLowerCase());
    const referred = property.attributes.href?.startsWith('#') ? this.byId.get(property.attributes.href.slice(1)) : undefined;
    return inside ?? referred ?? property;
  }

  /** Reads the blocks of the sections that have several. @param withdrawn whether also those with a `dateDeleted` */
  readBlocks(withdrawn: boolean, onBlock: (section: SectionName, block: Fields) => void): void {
    const read = new Map<Findings, Set<Element>>();
    for (const property of this.properties) {
      const name = SECTION_OF_PROPERTY.get(property.name);
      const wanted = name === undefined || !SECTIONS[name].repeats ? null : this.isWanted(name);
      if (wanted === null) continue;
      const findings = findingsAbout(name!, this.findings);
      const deleted = child(property, 'dateDeleted')?.text.trim() ?? '';
      if (deleted !== '' && !withdrawn) {
        findings.add(property.line, 'info', `${property.name} has a dateDeleted; ignored as withdrawn`, deleted);
        continue;
      }
      if (!read.has(findings)) read.set(findings, new Set());
      const object = this.referredOnce(property, read.get(findings)!, findings);
      if (object === null) continue;
      const fields = readBlock(object, PLACES[name!], findings, wanted);
      if (wanted === 'all' && object !== property) {
        const inside = property.children.filter((each) => each !== object);
        fields.add(readBlock({ ...property, children: inside }, TRACKING_PLACES, findings, wanted));
      }
      onBlock(name!, fields);
    }
  }

  /** The object of a property; null, with a finding, if there is none or another property had it. */
  private referredOnce(property: Element, read: Set<Element>, findings: Findings): Element | null {
    const object = this.objectOf(property);
    const missing = property.attributes.href !== undefined && object === property;
    if (!missing && !read.has(object)) {
      read.add(object);
      return object;
    }
    findings.add(
      property.line,
      'warning',
      missing
        ? `${property.name} refers to an element that is not in the file; ignored`
        : `${property.name} refers to an element that is already in use by another property; ignored`,
      property.attributes.href,
    );
    return null;
  }

  /** Reads a section that the log has once. */
  readSection(name: SectionName): Fields {
    const property = child(this.siteLog, SECTIONS[name].element);
    return this.readObject(name, property === undefined ? { ...this.siteLog, children: [] } : this.objectOf(property));
  }

  private readObject(name: SectionName, object: Element): Fields {
    const fields = readBlock(object, PLACES[name], this.findings, this.isWanted(name));
    if (name === 'siteIdentification') this.addDocumentId(fields);
    if (name === 'siteLocation') addCountryCode(object, fields);
    return fields;
  }

  /** Reads the form information. GeodesyML 0.6 has one for each version of the log. */
  readForms(): Fields[] {
    const properties = this.properties.filter((each) => each.name === 'formInformation');
    // Many properties may refer to one element; it is read once.
    const objects = [...new Set(properties.map((property) => this.objectOf(property)))];
    return objects.map((object) => this.readObject('formInformation', object));
  }

  /** Reads the organisations and their contacts. */
  readParties(onParty: (role: (typeof PARTY_ROLES)[number], fields: Fields) => void): void {
    for (const property of this.properties) {
      const role = PARTY_ROLES.find((each) => each === property.name);
      if (role !== undefined) onParty(role, readBlock(property, PARTY_PLACES, this.findings, 'all'));
      else if (!SECTION_OF_PROPERTY.has(property.name) && !STRUCTURE.has(property.name)) {
        this.findings.add(property.line, 'info', `${property.name} is not in the site log form; element ignored`);
      }
    }
  }

  /** Adds the `gml:id` of the root element as the nine-character id: most documents give it only there. */
  private addDocumentId(site: Fields): void {
    // A gml:id cannot begin with a digit. An import does not know such ids by their nine characters.
    const written = this.root.attributes.id ?? '';
    const id = this.isWanted('siteIdentification') === 'all' ? written.replace(/^_(?=\d)/, '') : written;
    if (site.string('nineCharacterId') !== null || !/^[A-Z0-9_]{4}\d{2}[A-Z]{3}$/i.test(id)) return;
    const field = { label: 'gml:id', text: id, line: this.root.line };
    const four = site.string('fourCharacterId');
    if (four === null || id.slice(0, 4).toUpperCase() === four.toUpperCase()) site.set('nineCharacterId', field);
    else site.findings.add(this.root.line, 'warning', `gml:id: does not begin with the four-character id ${four}; ignored`, id);
  }
}

/** Takes the code and the name of a country from an element in which they are swapped. */
function addCountryCode(object: Element, place: Fields): void {
  const country = child(object, 'countryCodeISO');
  if (country !== undefined && /^[A-Z]{3}$/.test(country.attributes.codeListValue ?? '') && !/^\s*[A-Z]{3}\s*$/.test(country.text)) {
    const { name: label, line, text, attributes } = country;
    place.set('country', { label, text: attributes.codeListValue!, line });
    place.set('countryName', { label, text, line });
  }
}

/** Which values the record needs: also the digits of the nine-character id. */
const recordValues: Wanted = (name: TextSectionName) => {
  const values = RECORD_VALUES[name] ?? null;
  return name === 'siteIdentification' ? new Set([...values!, ...(Object.keys(ID_DIGITS) as FieldName[])]) : values;
};

/**
 * Reads what the record of a Site needs from a GeodesyML document.
 * @throws {SiteLogRejected} if it has no site log of a supported version, or has no site id
 */
export function readGeodesyml(elements: Element[], findings: Findings): SiteLog {
  const document = new GeodesymlDocument(elements, findings, recordValues);
  const items = new Items();
  document.readBlocks(false, (name, block) => items.add(KIND_OF_SECTION[name]!, block));
  const site = document.readSection('siteIdentification');
  const days = document.readForms().map((form) => readDatePrepared(form));
  const datePrepared = days.filter((day) => day !== null).sort();
  return {
    form: document.form,
    datePrepared: datePrepared.at(-1) ?? null,
    identification: readIdentification(site, document.readSection('siteLocation')),
    ...items.read,
  };
}
