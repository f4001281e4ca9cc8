import { adviceOn, explanationOf, type FindingCode, messageOf } from '../findings/codes.js';
import type { FindingLevel } from '../findings/finding.js';
import {
  type Finding,
  firstSection,
  linesInWords,
  sectionWords,
  textsOf,
} from '../findings/findings.js';

/** The findings of `check-log`, and how they are written. */

/** A place of a finding. */
interface ResultPlace {
  line: number;
  /** The last of several lines; null for one. */
  lastLine: number | null;
  /** The section or item: 3.2. */
  section: string | null;
  text: string;
  /** Its number, from 1, among the places of the log with the same section, code and text. */
  occurrence: number;
}

/** A finding as `check-log` writes it, with its first place. */
export interface CheckResult extends ResultPlace {
  file: string;
  /** The id of the Site in the log; null if the log was rejected. */
  site: string | null;
  /** All of them in words: `3.1 to 3.20`. */
  sections: string | null;
  level: FindingLevel;
  code: FindingCode;
  message: string;
  advice: string;
  /** Where the log has the same again. */
  others: ResultPlace[];
}

/** The formats of results. */
export const RESULT_FORMATS = ['text', 'json', 'ndjson', 'github', 'sarif'] as const;
type ResultFormat = (typeof RESULT_FORMATS)[number];

/** The number of a section without that of an item: 3 of 3.2, 8.1 of 8.1.2. */
function sectionOf(section: string | null): string | null {
  if (section === null) return null;
  const [main, second] = section.split('.');
  // These sections have subsections.
  const hasParts = main === '8' || main === '9';
  return hasParts && second !== undefined ? `${main}.${second}` : main!;
}

/** Adds code and advice to the findings about a log. @param site the id in the log */
export function resultsOf(findings: readonly Finding[], site: string | null): CheckResult[] {
  const results = findings.map((finding): CheckResult => {
    const { file, line, lastLine, level, code, text } = finding;
    return {
      file,
      site,
      line,
      lastLine,
      section: firstSection(finding),
      sections: sectionWords(finding),
      level,
      code,
      message: messageOf(finding),
      text,
      occurrence: 0,
      advice: adviceOn(finding),
      others: finding.others.map((other) => ({
        line: other.line,
        lastLine: other.lastLine,
        section: firstSection(other),
        text: other.text,
        occurrence: 0,
      })),
    };
  });
  const counts = new Map<string, number>();
  const places = results.flatMap((result) =>
    [result, ...result.others].map((place) => ({ place, code: result.code })),
  );
  for (const { place, code } of places.sort((a, b) => a.place.line - b.place.line)) {
    const key = JSON.stringify([sectionOf(place.section), code, place.text]);
    place.occurrence = (counts.get(key) ?? 0) + 1;
    counts.set(key, place.occurrence);
  }
  return results;
}

/** The name of a file without its folder and the date that a renewed log has in it. */
const undatedName = (file: string): string =>
  file
    .split('/')
    .at(-1)!
    .replace(/_\d{8}(?=\.|$)/, '');

/** Identifies a finding even if the log is renewed, or the lines and items around it change. */
export const fingerprintOf = ({ file, site, section, ...result }: CheckResult): string =>
  JSON.stringify([
    site ?? undatedName(file),
    sectionOf(section),
    result.code,
    result.text,
    result.occurrence,
  ]);

/** What a finding of a baseline makes known: each of its places. */
export const knownKeys = (result: CheckResult): string[] =>
  [result, ...result.others].map((place) => fingerprintOf({ ...result, ...place }));

/**
 * Whether a finding is among known ones in each of its places, even if the log then had only the
 * four-character id.
 * @param known from {@link knownKeys}
 */
export function isKnown(result: CheckResult, known: ReadonlySet<string>): boolean {
  const isIn = (site: string | null): boolean =>
    knownKeys({ ...result, site }).every((key) => known.has(key));
  return isIn(result.site) || (result.site !== null && isIn(result.site.slice(0, 4)));
}

function sentence(result: CheckResult): string {
  const texts = textsOf(result);
  return `${result.message}${texts === '' ? '' : `: "${texts}"`}. ${result.advice}`;
}
const resultText = (result: CheckResult): string => {
  const { file, line, lastLine, level, code, sections } = result;
  const place = sections === null ? '' : `(${sections}) `;
  const lines = lastLine === null ? '' : `${linesInWords(result)}: `;
  return `${file}:${line}: ${level}: ${code}: ${place}${lines}${sentence(result)}`;
};

/** Escapes a value of a workflow command of GitHub. */
const escaped = (value: string): string =>
  value.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapedProperty = (value: string): string =>
  escaped(value).replace(/:/g, '%3A').replace(/,/g, '%2C');
const GITHUB_LEVELS = { info: 'notice', warning: 'warning', error: 'error' };
const githubLines = ({ line, lastLine }: CheckResult): string =>
  lastLine === null ? `line=${line}` : `line=${line},endLine=${lastLine}`;
function annotationOf(result: CheckResult): string {
  const level = GITHUB_LEVELS[result.level];
  const file = escapedProperty(result.file);
  const place = `file=${file},${githubLines(result)}`;
  return `::${level} ${place},title=${result.code}::${escaped(sentence(result))}`;
}

const SARIF_LEVELS = { info: 'note', warning: 'warning', error: 'error' };

const regionOf = ({ line, lastLine }: CheckResult): Record<string, number> =>
  lastLine === null ? { startLine: line } : { startLine: line, endLine: lastLine };

/** The results as SARIF 2.1.0, which code scanning reads. */
function sarifOf(results: readonly CheckResult[]): string {
  const rules = [...new Set(results.map(({ code }) => code))].map((id) => ({
    id,
    help: { text: explanationOf(id) },
  }));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'gnss-site-setups check-log', rules } },
        results: results.map((result) => ({
          ruleId: result.code,
          level: SARIF_LEVELS[result.level],
          message: { text: sentence(result) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(result.file) },
                region: regionOf(result),
              },
            },
          ],
          partialFingerprints: { 'finding/v2': fingerprintOf(result) },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** The results as text. */
export function writeResults(results: readonly CheckResult[], format: ResultFormat): string {
  if (format === 'sarif') return sarifOf(results);
  if (format === 'json') return `${JSON.stringify(results, null, 2)}\n`;
  const lineOf = { text: resultText, ndjson: JSON.stringify, github: annotationOf }[format] as (
    result: CheckResult,
  ) => string;
  return results.map((result) => `${lineOf(result)}\n`).join('');
}
