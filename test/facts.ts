import type { Finding } from '../src/findings/findings.js';
import { sectionWords } from '../src/findings/findings.js';

/** What is known of findings, without the words that are shown to people. */

const valueWords = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/**
 * A finding on one line: line, level, code, section or item, label and values, such as
 * `12 warning ignored-line (3.1) why=single count=1`.
 */
export function factsIn(finding: Finding): string {
  const { line, level, code, label, values } = finding;
  const section = sectionWords(finding);
  const words = [String(line), level, code];
  if (section !== null) words.push(`(${section})`);
  if (label !== null) words.push(`${label}:`);
  for (const [name, value] of Object.entries(values)) words.push(`${name}=${valueWords(value)}`);
  return words.join(' ');
}
