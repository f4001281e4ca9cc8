import { codeOf } from '../site-log/finding-codes.js';
import { type Finding, type FindingLevel, linesInWords } from '../site-log/site-log.js';
import { adviceOn } from './checks.js';

/** The findings of `check-log`, and how they are written. */

/** A finding as `check-log` writes it. */
export interface CheckResult {
  file: string;
  line: number;
  /** The last of several lines; null for one. */
  lastLine: number | null;
  section: string | null;
  level: FindingLevel;
  code: string;
  message: string;
  text: string;
  advice: string;
}

/** The formats of results. */
export const RESULT_FORMATS = ['text', 'json', 'ndjson', 'github', 'sarif'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** Adds code and advice to a finding. */
export function resultOf(finding: Finding): CheckResult {
  const { file, line, lastLine = null, section = null, level, message, text } = finding;
  const code = level === 'error' ? 'rejected' : codeOf(finding);
  return { file, line, lastLine, section, level, code, message, text, advice: adviceOn(code) };
}

/**
 * What a finding is recognized by when the lines around it have changed. The numbers of lines in
 * messages do not count.
 */
export const fingerprintOf = ({ file, code, section, message, text }: CheckResult): string =>
  JSON.stringify([
    file.split('/').at(-1),
    code,
    section,
    message.replace(/\blines? [\d, ]+/g, 'line '),
    text,
  ]);

const sentence = ({ message, text, advice }: CheckResult): string =>
  `${message}${text === '' ? '' : `: "${text}"`}. ${advice}`;
const resultText = (result: CheckResult): string => {
  const { file, line, lastLine, level, code, section } = result;
  const place = section === null ? '' : `(${section}) `;
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
const annotationOf = (result: CheckResult): string =>
  `::${GITHUB_LEVELS[result.level]} file=${escapedProperty(result.file)},${githubLines(result)},title=${result.code}::${escaped(sentence(result))}`;

const SARIF_LEVELS = { info: 'note', warning: 'warning', error: 'error' };

const regionOf = ({ line, lastLine }: CheckResult): Record<string, number> =>
  lastLine === null ? { startLine: line } : { startLine: line, endLine: lastLine };

/** The results as SARIF 2.1.0, which code scanning reads. */
function sarifOf(results: readonly CheckResult[]): string {
  const rules = [...new Set(results.map(({ code }) => code))].map((id) => ({
    id,
    help: { text: adviceOn(id) },
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
          partialFingerprints: { 'finding/v1': fingerprintOf(result) },
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
