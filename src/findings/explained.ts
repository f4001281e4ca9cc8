import type { FindingCode, FindingData } from './codes.js';

/** Which findings follow from others of the same file: one cause is one finding. */

type Found = FindingData & { line: number };

/** Whether a finding follows from another one. @param all those of the file */
type Explained = (finding: Found, all: readonly Found[]) => boolean;

/** Follows from any finding of these codes. */
const follows =
  (...codes: FindingCode[]): Explained =>
  (_, all) =>
    all.some(({ code }) => codes.includes(code));

/** Follows from a finding of a code in the same section or item. */
const followsBeside =
  (code: FindingCode): Explained =>
  ({ section, item }, all) =>
    all.some((each) => each.code === code && each.section === section && each.item === item);

/** The item or section is the last one of a log that was cut. */
const followsFromCut: Explained = ({ section, item }, all) =>
  all.some((each) => each.code === 'cut-log' && each.section === section && each.item === item);

/** The first line of an item is unreadable, so that the item is lost. */
const followsFromLostItem: Explained = ({ section }, all) =>
  all.some(
    ({ code, values, section: other }) =>
      code === 'ignored-line' && values.why === 'repeated item' && other === section,
  );

/** Another Site has the same as the log, because the log is a copy of its log. */
const followsFromCopy: Explained = ({ values }, all) =>
  all.some((each) => each.code === 'copied-equipment' && each.values.site === values.site);

const EXPLAINED: Partial<Record<FindingCode, Explained>> = {
  'title-differs': follows('copied-form'),
  'file-name-differs': follows('copied-form'),
  'file-date-differs': follows('future-date', 'after-date-prepared'),
  'far-from-country': (_, all) =>
    all.some(
      ({ code, values }) =>
        code === 'position-mismatch' || (code === 'title-differs' && 'country' in values),
    ),
  'zero-position': ({ values }, all) =>
    values.of === 'cartesian' &&
    all.some((each) => each.code === 'zero-position' && each.values.of === 'geodetic'),
  'height-mismatch': (_, all) =>
    all.some(({ code, values }) => code === 'position-mismatch' && values.reading === 'computed'),
  'shared-domes': followsFromCopy,
  'shared-position': followsFromCopy,
  'ignored-line': (finding, all) =>
    finding.values.why === 'single' &&
    (followsFromCut(finding, all) ||
      all.some((each) => each.code === 'misspelt-label' && each.line === finding.line)),
  'missing-equipment': (_, all) => all.some(({ code }) => code === 'cut-log'),
  'missing-label': followsFromCut,
  'out-of-order': followsFromLostItem,
  'history-gap': followsFromLostItem,
  'after-date-prepared': ({ values }, all) =>
    values.isRemoval === true && all.some(({ code }) => code === 'date-in-future'),
  'position-computed': followsBeside('unreadable-value'),
  'missing-value': (finding, all) =>
    followsBeside('filled-template')(finding, all) || followsFromCut(finding, all),
  'eccentricity-scale': followsBeside('out-of-range'),
};

/** Whether a finding follows from another one. @param all those of the file */
export const isExplained: Explained = (finding, all) =>
  EXPLAINED[finding.code]?.(finding, all) ?? false;
