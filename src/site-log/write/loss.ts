import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { type Values, valuesOf } from '../fields.js';
import { kindOf, KINDS, periodEnds } from '../values/kinds.js';
import { type Row, type Section, SECTIONS } from '../sections/index.js';
import { METADATA_ROWS } from '../sections/parties.js';
import type { Findings } from '../../findings/findings.js';

/** What a writer cannot write becomes a finding about the log that it writes. */

/** Reports the values for which a form has no place, or only for a part of them. */
export class Losses {
  /** The number of the section that is written. */
  section = '';

  /** @param form the form that is written, as findings name it */
  constructor(
    private readonly form: string,
    private readonly findings: Findings,
  ) {}

  /** Reports a value that is left out. */
  leftOut(label: string, value: Written | null): void {
    if (value !== null)
      this.findings.add(
        'no-place',
        { line: value.line, section: this.section, label },
        { form: this.form, quoted: [], text: value.written },
      );
  }

  /** Reports all values of a block. */
  leftOutAll(values: Values, rows: Readonly<Record<string, Row>>): void {
    for (const [name, { label = name }] of Object.entries(rows))
      this.leftOut(label, values[name] ?? null);
  }

  /** Reports what the publisher says about the log. */
  metadata({ metadata }: SiteLogSections): void {
    this.section = SECTIONS.formInformation.number;
    if (metadata !== undefined) this.leftOutAll(valuesOf(metadata), METADATA_ROWS);
  }

  /** Reports a part of a value that cannot be broken into lines. */
  tooLong(label: string, value: Written | null, part: string): void {
    this.findings.add(
      'over-80-columns',
      { line: value?.line ?? 1, section: this.section, label },
      { count: 1, longest: null, text: part },
    );
  }

  /** Reports a value if it is not what a reader makes of the text that is written. */
  onlyPart(label: string, row: Row, { written, line }: Written, part: string): void {
    const { value, remark } = kindOf(row).read(written);
    if (
      remark !== undefined ||
      JSON.stringify(value) !== JSON.stringify(kindOf(row).read(part).value)
    ) {
      this.findings.add(
        'no-place',
        { line, section: this.section, label },
        { form: this.form, quoted: [part], text: written },
      );
    }
  }
}

/** Escapes what a reader would decode: a character reference of a text that shows one. */
export const escapeReferences = (text: string): string =>
  text.replace(/&(?=#(?:\d{1,7}|x[\da-f]{1,6});)/gi, '&#38;');

/**
 * When a block was entered, as GeodesyML has it, if the log does not say: when what it is about
 * began, as far as all forms say that. Empty if unknown.
 */
export function insertedByDefault({ rows }: Section, values: Values): string {
  const name = ['dateInstalled', 'dateMeasured', 'effectiveDates'].find(
    (each) => rows[each]?.label !== undefined,
  );
  const start = name === undefined ? null : (values[name] ?? null);
  if (start === null) return '';
  return name === 'effectiveDates'
    ? periodEnds(start.written)[0]
    : (KINDS.instant.toXml(start.written) ?? '');
}
