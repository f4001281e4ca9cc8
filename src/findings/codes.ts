import { EQUIPMENT } from './codes/equipment.js';
import { FORM } from './codes/form.js';
import { IDENTITY } from './codes/identity.js';
import { RELATIONS, WRITING } from './codes/import.js';
import { READING } from './codes/reading.js';
import { REJECTIONS } from './codes/rejections.js';
import { VALUES } from './codes/values.js';
import type { FindingKind, FindingLevel, FindingValues, PartOfLog } from './finding.js';

/** All that can be found about a log, by code. */

/**
 * The kinds of findings. Dashboards, alerts and baselines name codes, and findings are stored with
 * their values: a change of either needs a migration that makes stored findings anew.
 */
export const KINDS = {
  ...READING,
  ...VALUES,
  ...FORM,
  ...IDENTITY,
  ...EQUIPMENT,
  ...RELATIONS,
  ...WRITING,
  ...REJECTIONS,
} as const;

/** The code of a finding. */
export type FindingCode = keyof typeof KINDS;

/** The values of a finding of a code. */
export type ValuesOf<Code extends FindingCode> = Parameters<(typeof KINDS)[Code]['message']>[0];

/** All codes. */
export const FINDING_CODES = Object.keys(KINDS) as FindingCode[];

/** What needs more than a log and the rules, and so is found by `check-log` alone. */
const ONLY_CHECKED: readonly FindingCode[] = [
  'file-date-differs',
  'serial-elsewhere',
  'copied-equipment',
  'other-reference-point',
  'unknown-type',
  'deprecated-type',
  'unknown-radome',
  'no-calibration',
  'calibration-without-radome',
  'individual-calibration',
  'no-export-line',
];
const NOT_RECORDED = new Set<string>([
  ...ONLY_CHECKED,
  ...Object.keys({ ...RELATIONS, ...WRITING, ...REJECTIONS }),
]);

/** The codes of findings that are put on record with a log. */
export const RECORDED_CODES: readonly FindingCode[] = FINDING_CODES.filter(
  (code) => code === 'same-station' || !NOT_RECORDED.has(code),
);

/** What sentences about a finding are made of. */
export interface FindingData extends PartOfLog {
  code: FindingCode;
  values: FindingValues;
}

// The compiler cannot know that the values of a finding are those of its code.
const kindOf = (code: FindingCode): FindingKind => KINDS[code] as FindingKind;

/** The level that findings of a code usually have. */
export const usualLevel = (code: FindingCode): FindingLevel => kindOf(code).level;

/** The name of a code, in a few words. */
export const nameOfCode = (code: FindingCode): string => kindOf(code).name;

/** What a code says, in a sentence. */
export const explanationOf = (code: FindingCode): string => kindOf(code).explanation;

/** What is wrong, and how it was handled; the offending text of the file is not in it. */
export const messageOf = ({ code, values, section, item, label }: FindingData): string =>
  kindOf(code).message(values, {
    section: section ?? null,
    item: item ?? null,
    label: label ?? null,
  });

/** What to do about a finding. */
export const adviceOn = ({ code, values }: Pick<FindingData, 'code' | 'values'>): string =>
  kindOf(code).advice(values);
