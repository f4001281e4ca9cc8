import { PARTY_ROLES } from '../../../schemas/index.js';
import { readDay } from '../values/dates.js';
import { BlockFindings, type Fields } from '../fields.js';
import { PARTY_ROWS } from '../sections/parties.js';
import { elementOf, type Row, type SectionName, SECTIONS, TRACKING } from '../sections/index.js';
import type { SectionsBuilder } from '../sections-builder.js';
import { type Findings, reject } from '../../findings/findings.js';
import type { SiteLogForm } from '../site-log.js';
import { readProse, readString } from '../values/reading.js';
import { child, type Element } from './elements.js';
import { readMetadata } from './metadata.js';
import { addModifiedSections, withoutModifiedSections } from './modified-sections.js';
import { reportUnknownSection, reportUnread } from './unread-elements.js';
import {
  addOthers,
  type Places,
  placeOfElement,
  placesOf,
  readBlock,
  readForm,
  STRUCTURE,
} from './blocks.js';

/** GeodesyML 0.4, 0.5 and 0.6: the XML format of the site log. */

const FORMS: Record<string, SiteLogForm> = {
  'urn:xml-gov-au:icsm:egeodesy:0.4': 'GeodesyML 0.4',
  'urn:xml-gov-au:icsm:egeodesy:0.5': 'GeodesyML 0.5',
  'urn:xml-gov-au:icsm:egeodesy:0.6': 'GeodesyML 0.6',
};

/** The digits of the nine-character id, which GeodesyML has as separate elements. */
const ID_DIGITS: Record<string, Row> = { monumentNumber: {}, receiverNumber: {} };

const NAMES = Object.keys(SECTIONS) as SectionName[];
const PLACES = Object.fromEntries(
  NAMES.map((name) => [
    name,
    placesOf(
      { ...SECTIONS[name].rows, ...(name === 'siteIdentification' && ID_DIGITS) },
      elementOf,
    ),
  ]),
) as Record<SectionName, Places>;
const SECTION_OF_PROPERTY = new Map(NAMES.map((name) => [SECTIONS[name].element, name]));
const PARTY_PLACES = placesOf(PARTY_ROWS, elementOf);
const TRACKING_PLACES = placesOf(TRACKING, elementOf);

/** Reads the site log of a document. */
class GeodesymlReader {
  private readonly byId = new Map<string, Element>();

  constructor(
    elements: Element[],
    private readonly root: Element,
    private readonly siteLog: Element,
    private readonly findings: Findings,
    private readonly builder: SectionsBuilder,
  ) {
    for (const element of elements)
      if (element.attributes.id !== undefined) this.byId.set(element.attributes.id, element);
  }

  read(): void {
    this.readBlocks();
    const site = this.readSection('siteIdentification');
    this.addDocumentId(site);
    const place = this.readSection('siteLocation');
    addNineCharacters(site, place);
    this.builder.add('siteIdentification', site);
    this.builder.add('siteLocation', place);
    this.builder.add('moreInformation', this.readSection('moreInformation'));
    this.readForm();
    this.readParties();
    readMetadata(this.root, this.findings, this.builder);
  }

  /**
   * The object of a property element: the element inside it (`gnssReceiver/GnssReceiver`), one
   * elsewhere in the document that it refers to by `xlink:href="#id"`, or, for some properties in
   * 0.4, the property element itself.
   */
  private objectOf(property: Element): Element {
    const inside = property.children.find(
      (each) => each.name.toLowerCase() === property.name.toLowerCase(),
    );
    const referred = property.attributes.href?.startsWith('#')
      ? this.byId.get(property.attributes.href.slice(1))
      : undefined;
    return inside ?? referred ?? property;
  }

  /** Reads the blocks of the sections that have several, also those with a `dateDeleted`. */
  private readBlocks(): void {
    const read = new Set<Element>();
    for (const property of this.siteLog.children) {
      const name = SECTION_OF_PROPERTY.get(property.name);
      if (name === undefined || SECTIONS[name].once === true) continue;
      const object = this.objectOf(property);
      const { href } = property.attributes;
      const missing = href !== undefined && object === property;
      if (missing || read.has(object)) {
        const place = { line: property.line, label: property.name, section: SECTIONS[name].number };
        const values = { why: missing ? 'missing target' : 'shared target', text: href! } as const;
        this.findings.add('ignored-element', place, values, 'warning');
        property.use = 'reported';
        continue;
      }
      read.add(object);
      // When a block was inserted or withdrawn is in the property, beside the object or among its
      // values.
      const isTracking = (each: Element): boolean =>
        object === property ? TRACKING_PLACES.has(each.name) : each !== object;
      const tracking = property.children.filter(isTracking);
      const values =
        object === property
          ? { ...object, children: object.children.filter((each) => !isTracking(each)) }
          : object;
      const findings = new BlockFindings(this.findings);
      const fields = readBlock(values, PLACES[name], findings);
      const tracked = readBlock({ ...property, children: tracking }, TRACKING_PLACES, findings);
      for (const [each, field] of tracked) fields.set(each, field);
      const place = { section: SECTIONS[name].number, item: this.builder.add(name, fields) };
      property.place = place;
      object.place = place;
    }
  }

  /** Reads a section that the log has once. */
  private readSection(name: SectionName): Fields {
    const property = child(this.siteLog, SECTIONS[name].element);
    const object =
      property === undefined ? { ...this.siteLog, children: [] } : this.objectOf(property);
    if (property !== undefined) property.place = { section: SECTIONS[name].number, item: null };
    object.place = { section: SECTIONS[name].number, item: null };
    const fields = readBlock(object, PLACES[name], new BlockFindings(this.findings));
    if (name === 'siteLocation') addCountryCode(object, fields);
    return fields;
  }

  /**
   * Reads the form information with the latest Date Prepared. GeodesyML 0.6 has one for each
   * version of the log.
   */
  private readForm(): void {
    const properties = this.siteLog.children.filter(
      (each) => each.name === SECTIONS.formInformation.element,
    );
    // Many properties may refer to one element; it is read once.
    const objects = [...new Set(properties.map((property) => this.objectOf(property)))];
    const forms = objects.map((object) => {
      const others = withoutModifiedSections(object);
      const fields = readForm(others, PLACES.formInformation, this.findings);
      return { object, fields, day: readDay(fields.textOf('datePrepared')).value ?? '' };
    });
    const [last, ...others] = forms.sort((a, b) => (a.day < b.day ? 1 : -1));
    for (const { object, fields, day } of others) {
      fields.findings.place(SECTIONS.formInformation.number, null);
      const place = { line: fields.line, label: 'formInformation' };
      fields.findings.add('ignored-element', place, { why: 'earlier form', text: day });
      object.use = 'reported';
    }
    if (last === undefined) return;
    addModifiedSections(last.object, this.byId, last.fields);
    this.builder.add('formInformation', last.fields);
  }

  /** Reads the organisations and their contacts. */
  private readParties(): void {
    for (const property of this.siteLog.children) {
      const role = PARTY_ROLES.find((each) => each === property.name);
      if (role !== undefined) {
        const object = this.objectOf(property);
        // A reference leads to the party itself.
        const party = object === property ? property : { ...property, children: [object] };
        property.place = { section: role === 'siteContact' ? '11' : '12', item: null };
        const findings = new BlockFindings(this.findings, true);
        const fields = readBlock(party, PARTY_PLACES, findings);
        addOthers(fields, party);
        this.builder.addParty(role, fields);
      } else if (!SECTION_OF_PROPERTY.has(property.name) && !STRUCTURE.has(property.name)) {
        reportUnknownSection(property, this.findings);
      }
    }
  }

  /**
   * Adds the `gml:id` of the root element as the nine-character id: most documents give it only
   * there.
   */
  private addDocumentId(site: Fields): void {
    // A gml:id cannot begin with a digit.
    const id = (this.root.attributes.id ?? '').replace(/^_(?=\d)/, '');
    if (
      readString(site.textOf('nineCharacterId')) !== null ||
      !/^[A-Z0-9_]{4}\d{2}[A-Z]{3}$/i.test(id)
    )
      return;
    const { line } = this.root;
    const four = readString(site.textOf('fourCharacterId'));
    if (four === null || id.slice(0, 4).toUpperCase() === four.toUpperCase())
      site.set('nineCharacterId', { label: 'gml:id', text: id, line });
    else this.findings.add('foreign-gml-id', { line, section: '1' }, { quoted: [four], text: id });
  }
}

const isDigit = (text: string | null): text is string => text !== null && /^\d$/.test(text);
const isCountryCode = (text: string | null): text is string =>
  text !== null && /^[A-Z]{3}$/.test(text);

/** Adds the nine-character id to a block that gives only its parts. */
function addNineCharacters(site: Fields, place: Fields): void {
  if (readString(site.textOf('nineCharacterId')) !== null) return;
  const four = readString(site.textOf('fourCharacterId'));
  const monument = readString(site.textOf('monumentNumber'));
  const receiver = readString(site.textOf('receiverNumber'));
  const country = readProse(place.textOf('country'));
  if (four === null || !isDigit(monument) || !isDigit(receiver) || !isCountryCode(country)) return;
  const text = four + monument + receiver + country;
  site.set('nineCharacterId', { ...site.get('monumentNumber')!, text });
}

/** Takes the code and the name of a country from an element in which they are swapped. */
function addCountryCode(object: Element, place: Fields): void {
  const country = child(object, 'countryCodeISO');
  if (
    country !== undefined &&
    isCountryCode(country.attributes.codeListValue ?? null) &&
    !isCountryCode(country.text.trim())
  ) {
    const { name: label, line, text, attributes } = country;
    place.set('country', { label, text: attributes.codeListValue!, line });
    place.set('countryName', { label, text, line });
  }
}

/** The most characters of a name or a namespace that a message has. */
const LONGEST_NAME = 100;

/** A name from the file for a message, which nothing withholds: no text can hide in it. */
const named = (name: string): string => name.replace(/[^\w:./#%-]/g, '?').slice(0, LONGEST_NAME);

/**
 * Reads a GeodesyML document with one site log.
 * @param elements the elements of the parsed document
 * @throws {SiteLogRejected} if it has no site log of a supported version
 */
export function readGeodesyml(
  elements: Element[],
  findings: Findings,
  builder: SectionsBuilder,
): SiteLogForm {
  const root = elements[0]!;
  const [siteLog, ...others] = elements.filter(
    ({ name, namespace }) => name === 'siteLog' && namespace.includes('egeodesy'),
  );
  if (siteLog === undefined) {
    const values = {
      root: { name: named(root.name), namespace: named(root.namespace) },
      text: `{${root.namespace}}${root.name}`,
    };
    reject(findings, 'not-a-site-log', { line: root.line }, values, false);
  }
  const form = FORMS[siteLog.namespace];
  if (form === undefined) {
    const namespace = named(siteLog.namespace);
    const values = { namespace, expected: Object.keys(FORMS), text: siteLog.namespace };
    reject(findings, 'unsupported-version', { line: siteLog.line }, values);
  }
  for (const other of others) {
    const values = { why: 'second log', text: other.attributes.id ?? '' } as const;
    findings.add('ignored-element', placeOfElement(other), values, 'warning');
    other.use = 'reported';
  }
  new GeodesymlReader(elements, root, siteLog, findings, builder).read();
  reportUnread(root, findings);
  return form;
}
