import type { SiteLogSections } from '../../schemas/index.js';
import type { WholeLog } from '../site-log/read.js';
import type { ScannedLog } from '../site-log/text-scanner.js';
import { type SectionName, SECTIONS } from '../site-log/sections/index.js';

type Beginning = [line: number, section: string];

/**
 * The line on which each item of a log, or value of a section without items, begins, with its
 * number: 1, 3.2, 8.1.1.
 */
function beginnings(log: SiteLogSections): Beginning[] {
  const ofSections = (Object.keys(SECTIONS) as SectionName[]).flatMap((name): Beginning[] => {
    const { number } = SECTIONS[name];
    const content = log[name];
    if (Array.isArray(content))
      return content.map(({ line }, index) => [line, `${number}.${index + 1}`]);
    const lines = Object.entries(content).flatMap(([member, value]) =>
      // The title or the gml:id may give it, above all sections.
      value === null || member === 'nineCharacterId' ? [] : [(value as { line: number }).line],
    );
    // In GeodesyML, these sections are in several places.
    return lines.map((line) => [line, number]);
  });
  const ofContacts = log.responsibleParties.map(({ line, role }): Beginning => [
    line,
    role === 'siteContact' ? '11' : '12',
  ]);
  return [...ofSections, ...ofContacts];
}

/**
 * The lines on which sections, and items that were not read, begin in the text form, with the number
 * of the section.
 */
function otherBeginnings(scanned: ScannedLog, known: Beginning[]): Beginning[] {
  const items = new Set(known.map(([line]) => line));
  return scanned.parts
    .filter(({ section, line }) => section !== '' && !items.has(line))
    .map(({ section, line }) => [line, section]);
}

/** Finds the section or item that a line is in; null before the first one. */
export function sectionsByLine({
  sections,
  scanned,
}: Pick<WholeLog, 'sections' | 'scanned'>): (line: number) => string | null {
  const known = beginnings(sections);
  const others = scanned === null ? [] : otherBeginnings(scanned, known);
  const sorted = [...known, ...others].sort(([a], [b]) => a - b);
  return (line) => sorted.findLast(([begin]) => begin <= line)?.[1] ?? null;
}
