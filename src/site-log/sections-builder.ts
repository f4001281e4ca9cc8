import type { SiteLogSections } from '../../schemas/index.js';
import type { TextSectionName } from './text/labels.js';
import { BlockFindings, Fields, type ItemStart, readRows, type Values } from './fields.js';
import {
  AGENCIES,
  AGENCY_MEMBERS,
  CONTACT_MEMBERS,
  contactMember,
  METADATA_ROWS,
  PARTY_ROWS,
} from './sections/parties.js';
import { reconcileLocation } from './values/position.js';
import { type Section, type SectionName, SECTIONS, TRACKING } from './sections/index.js';
import { namesNothing } from './values/hints.js';
import { type Findings, reject } from '../findings/findings.js';
import type { SiteLogForm } from './site-log.js';
import { isWithdrawn } from './withdrawn.js';
import { limitContacts } from './contacts/own-contacts.js';

type Party = SiteLogSections['responsibleParties'][number];
type Role = Party['role'];

const isBlank = (values: Values): boolean => Object.values(values).every((value) => value === null);
/**
 * Whether a block has the value that names its item: the first of its section, such as the type. It
 * alone makes a blank template that somebody filled in an item; any other value is a leftover.
 */
function isNamed(values: Values, { rows }: Section): boolean {
  const [first] = Object.keys(rows);
  return !namesNothing(values[first!]?.written ?? '');
}
const NO_VALUES = Object.fromEntries(Object.keys(PARTY_ROWS).map((name) => [name, null]));

/** The values of an item of each section. */
const ITEM_ROWS = Object.fromEntries(
  Object.entries(SECTIONS).map(([name, { rows }]) => [name, { ...rows, ...TRACKING }]),
);

/** The most items of a log, in all sections together. Real logs have up to 110. */
const MOST_ITEMS = 2000;

/** Collects the blocks of a log and makes the model of them. */
export class SectionsBuilder {
  private readonly once = new Map<SectionName, Fields>();
  private readonly lists = new Map<SectionName, Values[]>();
  private readonly parties: Party[] = [];
  private metadata: Values = {};
  private items = 0;

  constructor(private readonly findings: Findings) {}

  /**
   * Adds a block of the text form, or of SOPAC's XML, which has the same agencies.
   * @returns its number among the items of its section, from 1; null if it is none
   * @throws {SiteLogRejected} if the log has too many items
   */
  add(name: TextSectionName, fields: Fields): number | null {
    if (name !== 'siteContact' && name !== 'siteMetadataCustodian' && SECTIONS[name].once !== true)
      return this.addToList(name, fields);
    if (name === 'siteContact' || name === 'siteMetadataCustodian') {
      fields.findings.place(AGENCIES[name].number, null);
      this.addAgency(name, fields);
    } else {
      fields.findings.place(SECTIONS[name].number, null);
      this.once.set(name, fields);
    }
    return null;
  }

  /**
   * Whether the identification gives nine characters, as only version 2.0 of the text form does.
   */
  get hasNineCharacters(): boolean {
    return this.once.get('siteIdentification')?.has('nineCharacterId') === true;
  }

  private addToList(name: SectionName, fields: Fields): number | null {
    const section = SECTIONS[name];
    const { number } = section;
    const list = this.lists.get(name) ?? [];
    const values = readRows(fields, ITEM_ROWS[name]!);
    const { start, line, findings } = fields;
    if (start?.isTemplate === true && !isNamed(values, section)) {
      findings.placeTemplate(number);
      return null;
    }
    if (isBlank(values)) {
      findings.place(number, null);
      const isNumbered = start !== null && start.number !== null;
      if (isNumbered) findings.add('blank-block', { line }, {});
      return null;
    }
    this.items++;
    if (this.items > MOST_ITEMS)
      reject(this.findings, 'too-large', { line }, { of: 'items', count: null, most: MOST_ITEMS });
    findings.place(number, list.length + 1);
    if (start !== null) reportStart(start, fields);
    list.push({ line: line as never, ...withoutFalseDeletion(name, values, findings) });
    this.lists.set(name, list);
    return list.length;
  }

  /** Adds an agency with up to two contacts as the same number of parties. */
  private addAgency(role: keyof typeof AGENCIES, fields: Fields): void {
    const values = readRows(fields, AGENCIES[role].rows);
    const agency = Object.fromEntries(AGENCY_MEMBERS.map((member) => [member, values[member]!]));
    const [primary, secondary] = ([0, 1] as const).map((index) =>
      Object.fromEntries(
        CONTACT_MEMBERS.map((member) => [member, values[contactMember(index, member)]!]),
      ),
    );
    const party = (contact: Values | undefined): Party =>
      ({ ...NO_VALUES, line: fields.line, role, ...agency, ...contact }) as Party;
    if (!isBlank({ ...agency, ...primary })) this.parties.push(party(primary));
    // Only the first has what is about the agency, so that it is there once.
    if (!isBlank(secondary!))
      this.parties.push({ ...party(secondary), abbreviation: null, notes: null, others: null });
  }

  /** Adds a party of GeodesyML. */
  addParty(role: Role, fields: Fields): void {
    fields.findings.place(role === 'siteContact' ? '11' : '12', null);
    const values = readRows(fields, PARTY_ROWS);
    if (!isBlank(values)) this.parties.push({ line: fields.line, role, ...values } as Party);
  }

  /** Adds what the publisher says about the log. */
  addMetadata(fields: Fields): void {
    fields.findings.place(SECTIONS.formInformation.number, null);
    this.metadata = readRows(fields, METADATA_ROWS);
  }

  /** The model. @throws {SiteLogRejected} if the log has too many contacts */
  build(form: SiteLogForm): SiteLogSections {
    const none = new Fields(1, new BlockFindings(this.findings));
    const sections = Object.entries(SECTIONS).map(([name, { rows, once }]) => [
      name,
      once === true
        ? readRows(this.once.get(name as SectionName) ?? none, rows)
        : (this.lists.get(name as SectionName) ?? []),
    ]);
    // The compiler cannot know that the tables have a row for each member, which their own types
    // ensure.
    const log = {
      form,
      ...Object.fromEntries(sections),
      responsibleParties: this.parties,
      ...(!isBlank(this.metadata) && { metadata: this.metadata }),
    } as SiteLogSections;
    const { country, countryName } = log.siteLocation;
    reconcileLocation(log.siteLocation, this.findings);
    if (countryName?.written === country?.written) log.siteLocation.countryName = null;
    limitContacts(log, this.findings);
    return log;
  }
}

/**
 * A block without its `dateDeleted` if that only repeats the date of removal: in the model, a
 * `dateDeleted` means that the block was withdrawn.
 */
function withoutFalseDeletion(name: SectionName, values: Values, findings: BlockFindings): Values {
  const { dateDeleted } = values;
  if (dateDeleted == null || isWithdrawn(values)) return values;
  const { line, written } = dateDeleted;
  const place = { line, label: SECTIONS[name].element };
  findings.add('deletion-is-removal', place, { text: written });
  return { ...values, dateDeleted: null };
}

/** Reports an item that does not begin as the form says. */
function reportStart(start: ItemStart, { line, firstLine: text, findings }: Fields): void {
  if (start.isTemplate) findings.add('filled-template', { line }, { isItem: true, text });
  else if (start.number === null)
    findings.add('deviating-item', { line }, { deviation: 'no number', text }, 'warning');
  else if (!start.isExact) findings.add('deviating-item', { line }, { deviation: 'number', text });
}
