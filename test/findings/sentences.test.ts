import { join } from 'node:path';
import t from 'tap';
import { adviceOn, explanationOf, messageOf, nameOfCode } from '../../src/findings/codes.js';
import { compareWithFile } from '../snapshot-files.js';
import { ALL_EXAMPLES, type ExamplesOfCode } from './examples.js';

/** The sentences of all codes. Only this file of tests asks how a finding is worded. */

function sentencesOf({ code, level, findings }: ExamplesOfCode): string {
  const lines = [`${code} (${level}): ${nameOfCode(code)}`, `  ${explanationOf(code)}`];
  let before = '';
  for (const finding of findings) {
    lines.push(`  - ${messageOf(finding)}`);
    const advice = adviceOn(finding);
    if (advice !== before) lines.push(`      ${advice}`);
    before = advice;
  }
  return `${lines.join('\n')}\n`;
}

t.test('findings of every code have the sentences of the file', async (t) => {
  const text = ALL_EXAMPLES.map(sentencesOf).join('\n');
  compareWithFile(t, join(import.meta.dirname, 'sentences.txt'), text);
});
