import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { isWritten } from '../contacts/values.js';
import { type Section, type SectionName, SECTIONS } from '../sections/index.js';

/** The most characters of a value that are shown. */
const MOST_CHARACTERS = 200;

/** A value with its label, as a line of the text form has it. A text of several lines is cut. */
function lineWith(label: string, { written }: Written): string {
  const [first = '', ...others] = written.split('\n');
  const isCut = others.length > 0 || first.length > MOST_CHARACTERS;
  return `${label}: ${first.slice(0, MOST_CHARACTERS)}${isCut ? ' …' : ''}`;
}

/** The values of a block that are not about persons, by their lines. */
function linesOf({ rows }: Section, block: object): [line: number, text: string][] {
  return Object.entries(block).flatMap(([name, value]): [number, string][] => {
    const { label, personal } = rows[name] ?? {};
    return label !== undefined && personal !== true && isWritten(value)
      ? [[value.line, lineWith(label, value)]]
      : [];
  });
}

/**
 * The lines of a log with their labels and values, by their numbers in the file. Contacts are
 * left out, and so are blank lines and lines with several values, which XML may have. Pure.
 * @param log as it is published
 */
export function valueLines(log: SiteLogSections): Map<number, string> {
  const all = (Object.entries(SECTIONS) as [SectionName, Section][]).flatMap(([name, section]) =>
    [log[name]].flat().flatMap((block) => linesOf(section, block)),
  );
  const byLine = Map.groupBy(all, ([line]) => line);
  const single = [...byLine.values()].filter(({ length }) => length === 1);
  return new Map(single.flat());
}
