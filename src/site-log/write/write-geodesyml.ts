import { PARTY_ROLES, type SiteLogSections, type Written } from '../../../schemas/index.js';
import { type Values, valuesOf } from '../fields.js';
import { kindOf } from '../values/kinds.js';
import { NOT_A_NUMBER } from '../values/numbers.js';
import { AGENCIES, PARTY_ROWS } from '../sections/parties.js';
import {
  elementOf,
  type Row,
  type Section,
  type SectionName,
  SECTIONS,
  TRACKING,
} from '../sections/index.js';
import { type Findings, WITHHELD } from '../../findings/findings.js';
import { readSatelliteSystem } from '../values/reading.js';
import { isWithdrawn } from '../withdrawn.js';
import { isWithheld } from '../contacts/withhold.js';
import { NOTICE } from '../text/form.js';
import { countryOf, idsOf, saysCountry } from './identity.js';
import { escapeReferences, insertedByDefault, Losses } from './loss.js';
import { metadataOf } from './metadata.js';
import { append, at, type Node, node, renderNode } from './xml-nodes.js';

/** The versions of GeodesyML that are written. */
type GeodesymlVersion = '0.4' | '0.5' | '0.6';

const NAMESPACES = {
  'xmlns:gco': 'http://www.isotc211.org/2005/gco',
  'xmlns:gmd': 'http://www.isotc211.org/2005/gmd',
  'xmlns:gml': 'http://www.opengis.net/gml/3.2',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
};
/** Where the IGS publishes the schema of a version. */
const schemaOf = (version: GeodesymlVersion): string =>
  'https://raw.githubusercontent.com/International-GNSS-Service/GeodesyML/HEAD/schemas/' +
  `geodesyml/${version}/geodesyML.xsd`;
const ROLE = {
  codeList: 'http://www.isotc211.org/2005/resources/Codelist/gmxCodelists.xml#CI_RoleCode',
  codeListValue: 'pointOfContact',
};
/** The attributes of the two positions: ITRF2014, as the reference service has them. */
const POINTS: Record<string, Record<string, string>> = {
  cartesianPosition: { 'gml:id': 'itrf_cartesian', srsName: 'EPSG:7789' },
  geodeticPosition: { 'gml:id': 'itrf_geodetic', srsName: 'EPSG:7912' },
};
/** The parts that only one party can have. */
const SINGLE = new Set<string>(['siteOwner', 'siteMetadataCustodian', 'siteDataSource']);
/** Values that others contain. */
const HANDLED = new Set(['nineCharacterId', 'countryName', 'modifiedSections']);

/**
 * A text if it can be a value of a code list, which must have the form of a relative URI; otherwise
 * null.
 */
const uriOf = (text: string): string | null =>
  /[:%#[\]\\^`{|}<>"]|^\/\//.test(text) ? null : text;

const isThereIn = (row: Row, value: Written | null): boolean =>
  value !== null && kindOf(row).toXml(value.written) !== null;

const CHARACTERS = '/gco:CharacterString';

/** A table of values. */
type Table = Pick<Section, 'rows' | 'first'>;
/** The members of a table in the order of GeodesyML. */
const inOrder = ({ rows, first = [] }: Table): string[] => [
  ...new Set([...first, ...Object.keys(rows)]),
];
/** The object inside the property of a section. */
const objectOf = (
  { element, id = element.replace(/[A-Z]/g, '-$&').toLowerCase() }: Section,
  number = '',
): Node => node(element[0]!.toUpperCase() + element.slice(1), { 'gml:id': id + number });

/** Writes a text of ISO 19139 into its element, or each line into one of its own. */
function setCharacters(object: Node, path: string, text: string): void {
  for (const line of path.endsWith('[*]') ? text.split(/\n+/) : [text]) {
    const element = at(object, path);
    append(element, node(CHARACTERS.slice(1), {}, line));
    if (line === WITHHELD) element.attributes['gco:nilReason'] = 'withheld';
  }
}

/** Writes a site log as GeodesyML. */
class GeodesymlWriter {
  private readonly losses: Losses;
  private readonly namespace: string;

  constructor(
    private readonly log: SiteLogSections,
    private readonly version: GeodesymlVersion,
    findings: Findings,
  ) {
    this.losses = new Losses(`GeodesyML ${version}`, findings);
    this.namespace = `urn:xml-gov-au:icsm:egeodesy:${version}`;
  }

  write(): string {
    const { four, nine } = idsOf(this.log);
    // A gml:id cannot begin with a digit.
    const id =
      nine === null
        ? `station-${(four ?? '').replace(/[^\w.-]/g, '_')}`
        : nine.id.replace(/^(?=\d)/, '_');
    const root = node('GeodesyML', {
      'gml:id': id,
      ...NAMESPACES,
      'xmlns:geo': this.namespace,
      'xsi:schemaLocation': `${this.namespace} ${schemaOf(this.version)}`,
    });
    this.metadata(root);
    const siteLog = append(root, node('siteLog', { 'gml:id': 'site-log' }));
    for (const name of Object.keys(SECTIONS) as SectionName[]) {
      if (name === 'moreInformation') this.parties(siteLog);
      this.losses.section = SECTIONS[name].number;
      const content = this.log[name];
      if (Array.isArray(content))
        content.forEach((block, index) =>
          this.listed(siteLog, SECTIONS[name], valuesOf(block), index + 1),
        );
      else this.single(siteLog, name, valuesOf(content));
    }
    const notice = isWithheld(this.log) ? `<!-- ${NOTICE} -->\n` : '';
    return `<?xml version="1.0" encoding="utf-8"?>\n${notice}${renderNode(root)}`;
  }

  /** Writes a section that the log has once. Version 0.4 has no object inside its property. */
  private single(siteLog: Node, name: SectionName, values: Values): void {
    const section = SECTIONS[name];
    if (name === 'moreInformation' && Object.values(values).every((value) => value === null))
      return;
    const property = append(siteLog, node(section.element));
    const object = this.version === '0.4' ? property : append(property, objectOf(section));
    if (name === 'siteLocation') this.location(object, values);
    else this.values(object, section, values);
    if (name === 'siteIdentification') this.ids(object);
    if (name === 'formInformation') this.modifiedSections(object);
  }

  /** Writes the license and the DOI of the log, which only version 0.6 has a place for. */
  private metadata(root: Node): void {
    const { metadata } = this.log;
    if (metadata === undefined) return;
    const { license, doi } = metadata;
    if (this.version !== '0.6') this.losses.metadata(this.log);
    else append(root, metadataOf(license?.written ?? null, doi?.written ?? null));
  }

  /** Writes Modified/Added Sections, which only version 0.6 has a place for. */
  private modifiedSections(object: Node): void {
    const { modifiedSections: value } = this.log.formInformation;
    if (value === null) return;
    const row = SECTIONS.formInformation.rows.modifiedSections!;
    if (this.version !== '0.6') this.losses.leftOut(row.label!, value);
    else append(object, node('modifiedSection', {}, this.textOf(row.label!, row, value) ?? ''));
  }

  /** Writes one block of a section that can have several. */
  private listed(siteLog: Node, section: Section, values: Values, number: number): void {
    const isThere = Object.entries<Row>({ ...section.rows, ...TRACKING }).some(([name, row]) =>
      isThereIn(row, values[name] ?? null),
    );
    if (!isThere) {
      this.losses.leftOutAll(values, section.rows);
      return;
    }
    const property = append(siteLog, node(section.element));
    const object = append(property, objectOf(section, `-${number}`));
    this.values(object, section, values);
    this.values(property, { rows: TRACKING }, this.tracking(values));
    const inserted = property.children.find(({ name }) => name === 'geo:dateInserted')!;
    if (inserted.text === '') inserted.text = insertedByDefault(section, values);
  }

  /** The values around a block. A `dateDeleted` would withdraw it for every reader. */
  private tracking(values: Values): Values {
    if (isWithdrawn(values)) return values;
    this.losses.leftOut('dateDeleted', values.dateDeleted ?? null);
    return { ...values, dateDeleted: null };
  }

  /**
   * Writes the values of a block in the order of the schema, and reports those that it has no
   * element for.
   */
  private values(object: Node, table: Table, values: Values): void {
    for (const name of inOrder(table)) {
      if (HANDLED.has(name)) continue;
      const row = table.rows[name]!;
      const path = elementOf(name, row);
      const value = values[name] ?? null;
      if (path === null) this.losses.leftOut(row.label ?? name, value);
      else if (path.endsWith('#1')) this.position(object, table.rows, path.slice(0, -2), values);
      else if (!path.includes('#')) {
        const text = value === null ? null : this.textOf(row.label ?? name, row, value);
        if (text === null) this.setUnknown(object, path, row);
        else this.set(object, path, row, text);
      }
    }
  }

  /** The text of a value; null, with a finding, if GeodesyML has no place for it. */
  private textOf(label: string, row: Row, value: Written): string | null {
    const text = kindOf(row).toXml(value.written);
    if (text === null) this.losses.leftOut(label, value);
    else this.losses.onlyPart(label, row, value, text);
    return text === null ? null : escapeReferences(text);
  }

  /** Writes a position: its numbers in one element, up to the first that is unknown. */
  private position(object: Node, rows: Section['rows'], path: string, values: Values): void {
    const [required, system] = path.split('/');
    at(object, required!);
    const texts: string[] = [];
    Object.entries(rows)
      .filter(([name, row]) => elementOf(name, row)?.startsWith(`${path}#`) === true)
      .forEach(([name, row], index) => {
        const value = values[name] ?? null;
        if (value === null) return;
        if (index > texts.length) this.losses.leftOut(row.label!, value);
        else texts.push(...[this.textOf(row.label!, row, value)].filter((text) => text !== null));
      });
    if (texts.length === 0) return;
    at(object, path).text = texts.join(' ');
    Object.assign(at(object, path.replace(/\/[^/]*$/, '')).attributes, POINTS[system!]);
  }

  /** Writes a value into its element, or several of it. */
  private set(object: Node, path: string, row: Row, text: string): void {
    if (row.kind === 'satellites') {
      for (const system of (readSatelliteSystem(text) ?? text).split('+'))
        append(object, node(path, this.attributesOf(row, system), system));
      return;
    }
    if (path.endsWith(CHARACTERS)) {
      setCharacters(object, path.slice(0, -CHARACTERS.length), text);
      return;
    }
    const element = at(object, path);
    if (row.kind === 'period') {
      this.period(object, element, text.split('/'));
      return;
    }
    element.text = row.kind === 'drawing' && text.includes('\n') ? `\n${text}\n` : text;
    Object.assign(element.attributes, this.attributesOf(row, text));
  }

  private attributesOf({ codeSpace, codeList }: Row, text: string): Record<string, string> {
    if (codeList !== undefined)
      return { codeList, codeListValue: uriOf(text) ?? '', codeSpace: this.namespace };
    return codeSpace === undefined ? {} : { codeSpace };
  }

  private setUnknown(object: Node, path: string, row: Row): void {
    if (row.unknown === undefined) return;
    const element = at(object, path);
    if (row.unknown === 'NaN') element.text = NOT_A_NUMBER;
    else if (row.unknown === 'nil') element.attributes['xsi:nil'] = 'true';
    else if (row.unknown === 'period') this.period(object, element, ['', '']);
    else Object.assign(element.attributes, this.attributesOf(row, ''));
  }

  private period(object: Node, element: Node, [begin = '', end = '']: string[]): void {
    const period = append(
      element,
      node('gml:TimePeriod', { 'gml:id': `${object.attributes['gml:id']}-period` }),
    );
    append(period, node('gml:beginPosition', {}, begin));
    append(period, node('gml:endPosition', {}, end));
  }

  private location(object: Node, values: Values): void {
    const { code, name } = countryOf(this.log);
    const { country, countryName } = values;
    const first = country ?? countryName ?? null;
    this.values(object, SECTIONS.siteLocation, {
      ...values,
      country: first === null ? null : { ...first, written: code },
    });
    if (!saysCountry(country ?? null, [code])) this.losses.leftOut('Country', country!);
    const listed = uriOf(name);
    if (listed === null) this.losses.leftOut('Country', countryName ?? null);
    at(object, 'countryCodeISO').attributes.codeListValue = listed ?? '';
  }

  /** Adds the ids that depend on each other. */
  private ids(object: Node): void {
    const { four, nine } = idsOf(this.log);
    const element = at(object, 'fourCharacterID');
    element.text = four ?? '';
    if (nine === null) {
      this.losses.leftOut('Nine Character ID', this.log.siteIdentification.nineCharacterId);
      return;
    }
    const position = object.children.indexOf(element) + 1;
    object.children.splice(
      position,
      0,
      node('monumentNumber', {}, nine.monument),
      node('receiverNumber', {}, nine.receiver),
    );
  }

  private parties(siteLog: Node): void {
    let number = 0;
    for (const role of PARTY_ROLES) {
      const all = this.log.responsibleParties.filter((party) => party.role === role).map(valuesOf);
      this.losses.section = (AGENCIES as Partial<Record<string, Section>>)[role]?.number ?? role;
      const written = SINGLE.has(role) ? all.slice(0, 1) : all;
      for (const values of all.slice(written.length)) this.losses.leftOutAll(values, PARTY_ROWS);
      if (role === 'siteMetadataCustodian' && written.length === 0) written.push({});
      for (const values of written) {
        const property = append(siteLog, node(role, { 'gml:id': `agency-${++number}` }));
        this.values(property, { rows: PARTY_ROWS }, values);
        append(
          append(at(property, 'gmd:CI_ResponsibleParty'), node('gmd:role')),
          node('gmd:CI_RoleCode', ROLE),
        );
      }
    }
  }
}

/**
 * Writes a site log as GeodesyML that is valid by its schema. What has no place in it becomes a
 * finding.
 */
export const writeGeodesyml = (
  log: SiteLogSections,
  version: GeodesymlVersion,
  findings: Findings,
): string => new GeodesymlWriter(log, version, findings).write();
