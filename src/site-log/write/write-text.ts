import type { SiteLogSections } from '../../../schemas/index.js';
import { countryCode } from '../values/country.js';
import { type Values, valuesOf } from '../fields.js';
import { kindOf, KINDS } from '../values/kinds.js';
import {
  AGENCIES,
  AGENCY_MEMBERS,
  CONTACT_MEMBERS,
  contactMember,
  PARTY_ROWS,
} from '../sections/parties.js';
import { type Row, type Section, type SectionName, SECTIONS, TRACKING } from '../sections/index.js';
import type { Findings } from '../../findings/findings.js';
import { countsInTitle } from '../text/title-id.js';
import { isWithdrawn } from '../withdrawn.js';
import { isWithheld } from '../contacts/withhold.js';
import { countryOf, idsOf, saysCountry } from './identity.js';
import { onOneLine } from '../../words.js';
import { INSTRUCTIONS, NOTICE, titleId } from '../text/form.js';
import { positionHeading } from '../sections/site.js';
import { escapeReferences, insertedByDefault, Losses } from './loss.js';
import { hintOf, labelled } from './text-lines.js';

/** The versions of the text form. */
type TextVersion = '1' | '2.0';

/** The headings of sections 8 and 9 are before their first part. */
const headingOf = ({ number, heading }: Section): string =>
  `${`${number.split('.')[0]}.`.padEnd(5)}${heading}`;

type Party = SiteLogSections['responsibleParties'][number];

/** Writes a site log in the text form. */
class TextWriter {
  private readonly losses: Losses;
  private readonly lines: string[] = [];

  constructor(
    private readonly log: SiteLogSections,
    private readonly version: TextVersion,
    findings: Findings,
  ) {
    this.losses = new Losses(`version ${version} of the text form`, findings);
  }

  write(): string {
    this.title();
    this.losses.metadata(this.log);
    for (const name of Object.keys(SECTIONS) as SectionName[]) {
      if (name === 'moreInformation') this.agencies();
      const section = SECTIONS[name];
      this.losses.section = section.number;
      this.lines.push(...(section.heading === undefined ? [''] : ['', '', headingOf(section), '']));
      const content = this.log[name];
      if (Array.isArray(content)) this.list(section, content.map(valuesOf));
      else this.lines.push(...this.block(section, this.adapted(name, valuesOf(content)), null));
    }
    return `${this.lines.join('\n').trimEnd()}\n`;
  }

  private title(): void {
    const { four, nine } = idsOf(this.log);
    const id = this.isNineInTitle() ? nine!.id : (four ?? '');
    const title = `Site Information Form (site log${this.version === '2.0' ? ' v2.0' : ''})`;
    const withId = `${id} ${title}`;
    this.lines.push(
      // Another text stays in section 1 only: a title that begins with `<` would be read as XML.
      `     ${titleId(withId) === null ? title : withId}`,
      '     International GNSS Service',
      '     See Instructions at:',
      `       ${INSTRUCTIONS[this.version]}`,
    );
    if (isWithheld(this.log)) this.lines.push(`     ${NOTICE}`);
  }

  /**
   * Whether the title has the nine characters. In version 1, it does if the reader takes them from
   * there.
   */
  private isNineInTitle(): boolean {
    const { four, nine } = idsOf(this.log);
    if (this.version === '2.0') return true;
    if (nine === null || four === null) return false;
    return countsInTitle(nine.id, four, countryOf(this.log).name);
  }

  /** The values of a section, with ids and country as this version has them. */
  private adapted(name: SectionName, values: Values): Values {
    if (name === 'siteIdentification') return this.adaptedIds(values);
    if (name !== 'siteLocation') return values;
    const { code, name: countryText } = countryOf(this.log);
    const country = values.country ?? null;
    const countryName = values.countryName ?? null;
    const first = country ?? countryName;
    if (first === null) return values;
    // Version 2.0 has a code, which is also the end of the nine-character id.
    const listed = /^[A-Z]{3}$/.test(code) ? code : idsOf(this.log).nine?.id.slice(6).toUpperCase();
    const text = this.version === '2.0' ? listed! : countryText;
    // What the code and the English name do not say.
    if ((countryCode(text) ?? text) !== code || !saysCountry(country, [text, code]))
      this.losses.leftOut('Country', country);
    if (!saysCountry(countryName, [text, code])) this.losses.leftOut('Country', countryName);
    return { ...values, country: { ...first, written: text }, countryName: null };
  }

  private adaptedIds(values: Values): Values {
    const { four, nine } = idsOf(this.log);
    const { fourCharacterId, nineCharacterId } = values;
    if (this.version === '2.0') {
      if (!nine!.id.startsWith(four!))
        this.losses.leftOut('Four Character ID', fourCharacterId ?? null);
      return { ...values, fourCharacterId: null };
    }
    if (!this.isNineInTitle()) this.losses.leftOut('Nine Character ID', nineCharacterId ?? null);
    const line = (fourCharacterId ?? nineCharacterId)?.line ?? 1;
    return {
      ...values,
      nineCharacterId: null,
      fourCharacterId: four === null ? null : { written: four, value: four, line },
    };
  }

  /** The blocks of a section that can have several, and the blank one. */
  private list(section: Section, blocks: Values[]): void {
    let count = 0;
    for (const values of blocks) {
      const rows = { ...section.rows, ...TRACKING };
      const isThere = Object.entries<Row>(section.rows).some(
        ([name, { label }]) => label !== undefined && values[name] !== null,
      );
      if (isWithdrawn(values) || !isThere) this.losses.leftOutAll(values, rows);
      else {
        this.lines.push(...this.block(section, values, `${section.number}.${++count}`), '');
        this.losses.leftOut('dateDeleted', values.dateDeleted ?? null);
        this.losses.leftOut('deletedReason', values.deletedReason ?? null);
        const { dateInserted } = values;
        if (
          dateInserted !== null &&
          KINDS.instant.toXml(dateInserted!.written) !== insertedByDefault(section, values)
        ) {
          this.losses.leftOut('dateInserted', dateInserted!);
        }
      }
    }
    this.lines.push(...this.block(section, null, `${section.number}.x`));
  }

  /** The lines of one block. @param values null for the blank form */
  private block(
    { rows, indent = 5 }: Section,
    values: Values | null,
    number: string | null,
  ): string[] {
    const width = number !== null && number.split('.').length > 2 ? 6 : 5;
    let before = number === null ? null : `${number} `.padEnd(width);
    return Object.entries<Row>(rows).flatMap(([name, row]) => {
      const value = values?.[name] ?? null;
      if (name === 'referenceFrame') return [];
      if (row.label === undefined) {
        this.losses.leftOut(name, value);
        return [];
      }
      if (!this.hasLine(name)) return [];
      const label = (this.version === '2.0' ? row.label2 : undefined) ?? row.label;
      if (row.kind === 'drawing')
        return [
          '',
          `     ${label}`,
          '',
          ...(value === null ? [`     ${hintOf(row)}`] : value.written.split('\n')),
        ];
      // An unknown value is left blank, except in the blank form and for an open end.
      const blank = values === null || name === 'dateRemoved' ? hintOf(row) : '';
      const text = value === null ? blank : escapeReferences(kindOf(row).toText(value.written));
      const start = before ?? ' '.repeat(row.indent ?? indent);
      before = null;
      const onLong = (part: string): void => this.losses.tooLong(label, value, part);
      return [
        ...(row.before === undefined ? [] : [this.lineBefore(name, row.before)]),
        labelled(start, label, text, row.kind !== 'code', onLong),
      ];
    });
  }

  /** The line before a value, that of the position with its frame. */
  private lineBefore(name: string, before: string): string {
    const { referenceFrame } = this.log.siteLocation;
    if (name !== 'x' || referenceFrame === null) return before;
    return positionHeading(onOneLine(referenceFrame.written));
  }

  /** Of the two ids, each version has a line for one. */
  private hasLine(name: string): boolean {
    if (name !== 'fourCharacterId' && name !== 'nineCharacterId') return true;
    return (name === 'nineCharacterId') === (this.version === '2.0');
  }

  private agencies(): void {
    for (const [role, section] of Object.entries(AGENCIES)) {
      const parties = this.log.responsibleParties.filter((party) => party.role === role);
      this.losses.section = section.number;
      this.lines.push(
        '',
        '',
        headingOf(section),
        '',
        ...this.block(section, this.agency(parties), null),
      );
    }
    for (const party of this.log.responsibleParties) {
      if (Object.hasOwn(AGENCIES, party.role)) continue;
      this.losses.section = party.role;
      this.losses.leftOutAll(valuesOf(party), PARTY_ROWS);
    }
  }

  /** The values of an agency and its two contacts. */
  private agency(parties: Party[]): Values {
    const [first, second] = parties.filter((party) =>
      [...AGENCY_MEMBERS, ...CONTACT_MEMBERS].some((member) => party[member] !== null),
    );
    for (const party of parties)
      if (party !== first && party !== second) this.losses.leftOutAll(valuesOf(party), PARTY_ROWS);
    const values: Record<string, Values[string]> = {};
    for (const member of AGENCY_MEMBERS) values[member] = first?.[member] ?? null;
    for (const index of [0, 1] as const) {
      const party = [first, second][index];
      for (const member of CONTACT_MEMBERS)
        values[contactMember(index, member)] = party?.[member] ?? null;
      if (party !== undefined)
        this.leftOutOf(
          valuesOf(party),
          values,
          index === 0 || CONTACT_MEMBERS.some((member) => party[member] !== null),
        );
    }
    return values;
  }

  /**
   * Reports the values of a party that the form has in neither a contact nor an agency.
   * @param isThere whether the form has the party
   */
  private leftOutOf(party: Values, agency: Values, isThere: boolean): void {
    const others = Object.keys(PARTY_ROWS).filter((member) => !has(CONTACT_MEMBERS, member));
    for (const member of others) {
      const value = party[member] ?? null;
      const written = agency[member]?.written ?? '';
      const isKept =
        isThere &&
        has(AGENCY_MEMBERS, member) &&
        onOneLine(written) === onOneLine(value?.written ?? '');
      if (!isKept) this.losses.leftOut(member, value);
    }
  }
}

const has = (members: readonly string[], member: string): boolean => members.includes(member);

/** Writes a site log in the text form. What has no place in it becomes a finding. */
export const writeText = (log: SiteLogSections, version: TextVersion, findings: Findings): string =>
  new TextWriter(log, version, findings).write();
