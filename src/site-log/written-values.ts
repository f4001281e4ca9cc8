import type { Written } from '../../schemas/index.js';
import type { FieldName, Fields } from './fields.js';
import { KINDS } from './kinds.js';
import type { Row } from './sections/index.js';
import { readRaw } from './values.js';

/** Reads the values of blocks as the model has them: as written and as read. */

/** What is in place of a value that identifies a person where it is not published. */
export const WITHHELD = '(withheld)';

/** Characters that no form can contain: controls, and what is not a character. */
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/g;
const NO_CHARACTERS = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The lines of a text, without spaces at their ends and without blank lines around them. */
function linesOf(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, ' ')
    .replace(NO_CHARACTERS, '\ufffd')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n');
}

/** A text as written, without the hints of the blank form; null if nothing else is there. */
function asWritten(text: string, { kind }: Row): string | null {
  let lines = linesOf(text);
  if (kind === 'drawing') return readRaw(lines) === null ? null : lines;
  for (;;) {
    const raw = readRaw(lines);
    if (raw === null || raw === '') return null;
    if (raw === lines) return KINDS[kind].isUnknown?.(raw) === true ? null : raw;
    lines = linesOf(raw);
  }
}

/** Reads a value of a block; null if it is blank. What deviates from the form becomes a finding. */
export function readWritten(fields: Fields, name: string, row: Row): Written | null {
  if (!fields.has(name as FieldName)) return null;
  const field = fields.get(name as FieldName);
  const written = asWritten(field.text, row);
  if (written === null) return null;
  if (row.personal === true && written === WITHHELD) return { written, value: null, line: field.line };
  const { value, remark } = KINDS[row.kind].read(written);
  if (remark !== undefined) fields.findings.add(field.line, remark.level, `${field.label}: ${remark.message}`, written);
  return { written, value, line: field.line } as Written;
}

/** Reads all values of a block, by their names. */
export function readRows(fields: Fields, rows: Readonly<Record<string, Row>>): Record<string, Written | null> {
  const values: Record<string, Written | null> = {};
  for (const name of Object.keys(rows)) values[name] = readWritten(fields, name, rows[name]!);
  return values;
}
