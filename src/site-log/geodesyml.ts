import type { Fields } from './fields.js';
import { PARTY_ROLES } from '../../schemas/index.js';
import { PARTY_ROWS } from './sections/parties.js';
import { elementOf, type Row, type SectionName, SECTIONS, TRACKING } from './sections/index.js';
import { type Findings, reject, type SiteLogForm } from './site-log.js';
import { child, type Element } from './xml.js';
import { addOthers, type Places, placesOf, readBlock, STRUCTURE } from './xml-blocks.js';

/** GeodesyML 0.4, 0.5 and 0.6: the XML format of the site log. */

const FORMS: Record<string, SiteLogForm> = {
  'urn:xml-gov-au:icsm:egeodesy:0.4': 'GeodesyML 0.4',
  'urn:xml-gov-au:icsm:egeodesy:0.5': 'GeodesyML 0.5',
  'urn:xml-gov-au:icsm:egeodesy:0.6': 'GeodesyML 0.6',
};

/** The digits of the nine-character id. */
const ID_DIGITS: Record<string, Row> = { monumentNumber: {}, receiverNumber: {} };

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
   * @throws {SiteLogRejected} if it has no site log of a supported version
   */
  constructor(
    elements: Element[],
    private readonly findings: Findings,
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

  /** Reads the blocks of the sections that have several, also those with a `dateDeleted`. */
  readBlocks(onBlock: (section: SectionName, block: Fields) => void): void {
    const read = new Set<Element>();
    for (const property of this.properties) {
      const name = SECTION_OF_PROPERTY.get(property.name);
      if (name === undefined || SECTIONS[name].once === true) continue;
      const object = this.referredOnce(property, read);
      if (object === null) continue;
      // When a block was inserted or withdrawn is in the property, beside the object or among its values.
      const isTracking = (each: Element): boolean => (object === property ? TRACKING_PLACES.has(each.name) : each !== object);
      const tracking = property.children.filter(isTracking);
      const values = object === property ? { ...object, children: object.children.filter((each) => !isTracking(each)) } : object;
      const fields = readBlock(values, PLACES[name], this.findings);
      fields.add(readBlock({ ...property, children: tracking }, TRACKING_PLACES, this.findings));
      onBlock(name, fields);
    }
  }

  /** The object of a property; null, with a finding, if there is none or another property had it. */
  private referredOnce(property: Element, read: Set<Element>): Element | null {
    const object = this.objectOf(property);
    const missing = property.attributes.href !== undefined && object === property;
    if (!missing && !read.has(object)) {
      read.add(object);
      return object;
    }
    this.findings.add(
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
    const fields = readBlock(object, PLACES[name], this.findings);
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
      if (role !== undefined) {
        const object = this.objectOf(property);
        // A reference leads to the party itself.
        const party = object === property ? property : { ...property, children: [object] };
        const fields = readBlock(party, PARTY_PLACES, this.findings.aboutContacts);
        addOthers(fields, party);
        onParty(role, fields);
      } else if (!SECTION_OF_PROPERTY.has(property.name) && !STRUCTURE.has(property.name)) {
        this.findings.add(property.line, 'info', `${property.name} is not in the site log form; element ignored`);
      }
    }
  }

  /** Adds the `gml:id` of the root element as the nine-character id: most documents give it only there. */
  private addDocumentId(site: Fields): void {
    // A gml:id cannot begin with a digit.
    const id = (this.root.attributes.id ?? '').replace(/^_(?=\d)/, '');
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
