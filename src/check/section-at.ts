import type { SiteLogSections } from '../../schemas/index.js';
import { type SectionName, SECTIONS } from '../site-log/sections/index.js';

/**
 * The line on which each item of a log, or value of a section without items, begins, with its
 * number: 1, 3.2, 8.1.1.
 */
function beginnings(log: SiteLogSections): [line: number, section: string][] {
  const ofSections = (Object.keys(SECTIONS) as SectionName[]).flatMap(
    (name): [number, string][] => {
      const { number } = SECTIONS[name];
      const content = log[name];
      if (Array.isArray(content))
        return content.map(({ line }, index) => [line, `${number}.${index + 1}`]);
      const lines = Object.values(content).flatMap((value) =>
        value === null ? [] : [(value as { line: number }).line],
      );
      // In GeodesyML, these sections are in several places.
      return lines.map((line) => [line, number]);
    },
  );
  const ofContacts = log.responsibleParties.map(({ line, role }): [number, string] => [
    line,
    role === 'siteContact' ? '11' : '12',
  ]);
  return [...ofSections, ...ofContacts];
}

/** Finds the section or item that a line is in; null before the first one. */
export function sectionsByLine(log: SiteLogSections): (line: number) => string | null {
  const sorted = beginnings(log).sort(([a], [b]) => a - b);
  return (line) => sorted.findLast(([begin]) => begin <= line)?.[1] ?? null;
}
