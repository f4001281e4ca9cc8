import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { METADATA_ROWS, PARTY_ROWS } from '../sections/parties.js';
import { type Row, type SectionName, SECTIONS, TRACKING } from '../sections/index.js';

/** The values of a log, each with its row in the table of its section. */

/** Whether a member of a block is a value of the log. */
export const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && 'written' in value;

/** The table of a section. */
function rowsOf(section: string): Readonly<Record<string, Row>> {
  if (section === 'responsibleParties') return PARTY_ROWS;
  if (section === 'metadata') return METADATA_ROWS;
  return SECTIONS[section as SectionName].rows;
}

const rowOf = (rows: Readonly<Record<string, Row>>, member: string): Row =>
  rows[member] ?? TRACKING[member as keyof typeof TRACKING];

/** A log with other values. It shares everything else with the log. Pure. */
export function mappedValues(
  log: SiteLogSections,
  map: (value: Written, row: Row, member: string) => Written,
): SiteLogSections {
  const mapped = (rows: Readonly<Record<string, Row>>, block: object): object => {
    const values = block as Record<string, unknown>;
    let others: Record<string, unknown> | undefined;
    for (const member of Object.keys(values)) {
      const value = values[member];
      if (!isWritten(value)) continue;
      const other = map(value, rowOf(rows, member), member);
      if (other !== value) (others ??= { ...values })[member] = other;
    }
    return others ?? block;
  };
  const sections = Object.entries(log).map(([section, content]) => {
    if (typeof content === 'string') return [section, content];
    const rows = rowsOf(section);
    const isList = Array.isArray(content);
    return [section, isList ? content.map((block) => mapped(rows, block)) : mapped(rows, content)];
  });
  return Object.fromEntries(sections) as SiteLogSections;
}

/** The values of a log with their rows. */
export function valuesWithRows(log: SiteLogSections): [Written, Row][] {
  const values: [Written, Row][] = [];
  for (const [section, content] of Object.entries(log)) {
    if (typeof content === 'string') continue;
    const rows = rowsOf(section);
    for (const block of Array.isArray(content) ? content : [content])
      for (const member of Object.keys(block)) {
        const value = (block as Record<string, unknown>)[member];
        if (isWritten(value)) values.push([value, rowOf(rows, member)]);
      }
  }
  return values;
}
