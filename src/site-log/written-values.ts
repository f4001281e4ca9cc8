import type { Written } from '../../schemas/index.js';
import type { FieldName, Fields } from './fields.js';
import { kindOf } from './kinds.js';
import type { Row } from './sections/index.js';
import { type FindingSink, WITHHELD } from './site-log.js';
import { LONGEST_TEXT, readRaw, withoutControls } from './values.js';

/** Reads the values of blocks as the model has them: as written and as read. */

/** What is not a character. */
const NO_CHARACTERS = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text of one line without any of them. Most are. */
const PLAIN = /^[\u0020-\u007e\u00a0-\ud7ff]*$/;

/** The lines of a text, without spaces at their ends and without blank lines around them. */
function linesOf(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  const lines = withoutControls(text)
    .replace(NO_CHARACTERS, '\ufffd')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n');
}

/** A text as written, without the hints of the blank form; null if nothing else is there. */
function asWritten(text: string, row: Row): string | null {
  let lines = linesOf(text);
  if (row.kind === 'drawing') return readRaw(lines) === null ? null : lines;
  for (;;) {
    const raw = readRaw(lines);
    if (raw === null || raw === '') return null;
    if (raw === lines) return kindOf(row).isUnknown?.(raw) === true ? null : raw;
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
  const { value, remark } = kindOf(row).read(written);
  if (remark !== undefined) fields.findings.add(field.line, remark.level, `${field.label}: ${remark.message}`, written);
  return { written, value, line: field.line } as Written;
}

/** Reads all values of a block, by their names. */
export function readRows(fields: Fields, rows: Readonly<Record<string, Row>>): Record<string, Written | null> {
  const values: Record<string, Written | null> = {};
  for (const name of Object.keys(rows)) values[name] = readWritten(fields, name, rows[name]!);
  return values;
}

/** A text that was read, without line breaks and cut to `longest` characters, with a finding. @param folded whether runs of blanks become one */
export function oneLineOf(
  value: Written | null,
  label: string,
  findings: FindingSink,
  longest = LONGEST_TEXT,
  folded = true,
): string | null {
  if (typeof value?.value !== 'string') return null;
  const text = folded ? value.value.replace(/\s+/g, ' ') : value.value;
  if (text.length <= longest) return text;
  findings.add(value.line, 'warning', `${label}: ${text.length} characters; only the first ${longest} used`, text);
  // Not in the middle of a character of two code units.
  return text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
