import type { SiteLogSections } from '../../schemas/index.js';
import type { TextSectionName } from './ascii-labels.js';
import { Fields, type ItemStart, readRows, type Values } from './fields.js';
import {
  AGENCIES,
  AGENCY_MEMBERS,
  CONTACT_MEMBERS,
  contactMember,
  PARTY_ROWS,
} from './sections/parties.js';
import { reconcileLocation } from './position.js';
import { type SectionName, SECTIONS, TRACKING } from './sections/index.js';
import { isHint } from './text-form.js';
import { type Findings, reject, type SiteLogForm } from './site-log.js';
import { isWithdrawn } from './withdrawn.js';
import { limitContacts } from './withhold.js';

type Party = SiteLogSections['responsibleParties'][number];
type Role = Party['role'];

const isBlank = (values: Values): boolean => Object.values(values).every((value) => value === null);
/** Whether something of a block is known: words such as `none`, units and hints say nothing. */
const isFilled = (values: Values): boolean =>
  Object.values(values).some((written) => {
    const value = written?.value ?? null;
    if (value === null || isHint(written!.written)) return false;
    return typeof value !== 'object' || value.from !== null || value.to !== null;
  });
const NO_VALUES = Object.fromEntries(Object.keys(PARTY_ROWS).map((name) => [name, null]));

/** The most items of a log, in all sections together. Real logs have up to 110. */
const MOST_ITEMS = 2000;

/** Collects the blocks of a log and makes the model of them. */
export class SectionsBuilder {
  private readonly once = new Map<SectionName, Fields>();
  private readonly lists = new Map<SectionName, Values[]>();
  private readonly parties: Party[] = [];
  private items = 0;

  constructor(private readonly findings: Findings) {}

  /**
   * Adds a block of the text form, or of SOPAC's XML, which has the same agencies.
   * @throws {SiteLogRejected} if the log has too many items
   */
  add(name: TextSectionName, fields: Fields): void {
    if (name === 'siteContact' || name === 'siteMetadataCustodian') this.addAgency(name, fields);
    else if (SECTIONS[name].once === true) this.once.set(name, fields);
    else this.addToList(name, fields);
  }

  /**
   * Whether the identification gives nine characters, as only version 2.0 of the text form does.
   */
  get hasNineCharacters(): boolean {
    return this.once.get('siteIdentification')?.has('nineCharacterId') === true;
  }

  private addToList(name: SectionName, fields: Fields): void {
    const { rows, number } = SECTIONS[name];
    const list = this.lists.get(name) ?? [];
    const values = readRows(fields, { ...rows, ...TRACKING });
    const { start, line } = fields;
    if (start?.isTemplate === true && !isFilled(values)) return;
    if (isBlank(values)) {
      if (start?.number === null) return;
      this.findings.add(
        line,
        'info',
        `section ${number}: block without any values; ignored as a blank template`,
      );
      return;
    }
    this.items++;
    if (this.items > MOST_ITEMS)
      reject(this.findings, line, `more than ${MOST_ITEMS} items in one log`);
    if (start !== null) this.reportStart(start, fields, number);
    list.push({ line: line as never, ...this.withoutFalseDeletion(name, values) });
    this.lists.set(name, list);
  }

  /**
   * A block without its `dateDeleted` if that only repeats the date of removal: in the model, a
   * `dateDeleted` means that the block was withdrawn.
   */
  private withoutFalseDeletion(name: SectionName, values: Values): Values {
    const { dateDeleted } = values;
    if (dateDeleted == null || isWithdrawn(values)) return values;
    this.findings.add(
      dateDeleted.line,
      'warning',
      `${SECTIONS[name].element}: dateDeleted is the date of removal, without a reason; not treated as withdrawn`,
      dateDeleted.written,
    );
    return { ...values, dateDeleted: null };
  }

  /** Reports an item that does not begin as the form says. */
  private reportStart(start: ItemStart, { line, firstLine }: Fields, number: string): void {
    const section = `section ${number}`;
    if (start.isTemplate) {
      const message = `${section}: the blank template has values; counted as an item`;
      this.findings.add(line, 'warning', message, firstLine);
    } else if (start.number === null) {
      const message = `${section}: no item number; treated as a new item`;
      this.findings.add(line, 'warning', message, firstLine);
    } else if (!start.isExact) {
      const message = `${section}: the item number is not written as in the form; read as an item`;
      this.findings.add(line, 'info', message, firstLine);
    }
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
    const values = readRows(fields, PARTY_ROWS);
    if (!isBlank(values)) this.parties.push({ line: fields.line, role, ...values } as Party);
  }

  /** The model. @throws {SiteLogRejected} if the log has too many contacts */
  build(form: SiteLogForm): SiteLogSections {
    const none = new Fields(1, this.findings);
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
    } as SiteLogSections;
    const { country, countryName } = log.siteLocation;
    reconcileLocation(log.siteLocation, this.findings);
    if (countryName?.written === country?.written) log.siteLocation.countryName = null;
    limitContacts(log, this.findings);
    return log;
  }
}
