import { join } from 'node:path';
import t from 'tap';
import { adviceOn, explanationOf, messageOf, nameOfCode } from '../../src/findings/codes.js';
import { sentenceOf } from '../../src/findings/notes.js';
import { messageOf as messageAboutRinex } from '../../src/rinex/findings.js';
import { compareWithFile } from '../snapshot-files.js';
import { ALL_EXAMPLES, type ExamplesOfCode } from './examples.js';
import { NOTE_EXAMPLES } from './note-examples.js';
import { RINEX_EXAMPLES } from './rinex-examples.js';

/** The sentences of all codes. Only this file of tests asks how a finding is worded. */

const inFile = (name: string): string => join(import.meta.dirname, name);

/** A code, with the sentences of it. */
const listed = (code: string, sentences: string[]): string =>
  `${[code, ...sentences.map((each) => `  - ${each}`)].join('\n')}\n`;

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
  compareWithFile(t, inFile('sentences.txt'), text);
});

t.test('notes of every code have the sentences of the file', async (t) => {
  const text = NOTE_EXAMPLES.map(([code, notes]) => listed(code, notes.map(sentenceOf)));
  compareWithFile(t, inFile('notes.txt'), text.join(''));
});

t.test('findings about RINEX files of every code have the messages of the file', async (t) => {
  const text = RINEX_EXAMPLES.map(([code, all]) => listed(code, all.map(messageAboutRinex)));
  compareWithFile(t, inFile('rinex.txt'), text.join(''));
});
