import type { Instant, Period } from '../../schemas/index.js';
import type { Calibration } from '../check/antex.js';
import type { Column } from '../formats/columns.js';
import { csvRecord } from '../formats/csv.js';
import { siteIdText } from '../requests/site-id.js';
import type { HeaderCalibration } from '../rinex/calibration.js';
import type { CheckedFile, ContradictingFile } from '../rinex/check-files.js';
import {
  type Comparison,
  isEqual,
  isSpeltOtherwise,
  type Status,
  STATUSES,
} from '../rinex/compare.js';
import { type Field, FIELDS } from '../rinex/fields.js';
import { finding } from '../rinex/findings.js';
import { isWrong } from '../rinex/verdict.js';
import { visible } from '../visible.js';
import type { OutputFormat } from './line/output-format.js';
import { count } from './line/terminal.js';
import { CONTRADICTORY, inWords } from './rinex.js';

/** What check-rinex says about files, in each format, and its summary. */

/** What identifies a difference from run to run. */
const fingerprint = (
  site: string | null,
  { field, header, record }: Pick<Comparison, 'field' | 'header' | 'record'>,
): string => JSON.stringify([site, field, header, record]);

/** The result for a file. */
interface Result {
  file: string;
  /**
   * Whether the header was compared; or only in part, because no receiver or no antenna is on
   * record at any time of the file; or not, because of contradictions.
   */
  result: 'checked' | 'no-equipment' | 'contradicts';
  /** The longest id of the Site; null if it is unclear. */
  site: string | null;
  /** The period of the file; null if it is contradictory. */
  from: Instant | null;
  to: Instant | null;
  /** Date Prepared of the log, if the file begins on a later day. */
  recordPrepared: string | null;
  setups: ({ id: number } & Period)[];
  bestSetup: number | null;
  fields: Comparison[];
  /** How far the antenna is calibrated; null if that is unknown, or was not asked for. */
  calibration: HeaderCalibration['calibration'];
  contradictions: string[];
  /** For each device of which none is on record at any time of the file, its neighbours. */
  noEquipment: string[];
  hints: string[];
  /** The eccentricities that are blank in the log, and count as 0. */
  blankAsZero: Field[];
}

/** The result for a file whose header was compared. */
export const checkedResult = (file: CheckedFile): Result => ({
  file: file.path,
  result: file.noEquipment.length === 0 ? 'checked' : 'no-equipment',
  site: siteIdText(file.recordedSite.site),
  from: file.span.from,
  to: file.span.to,
  recordPrepared: file.recordPrepared,
  setups: file.during.map(({ setup: { id, effectivePeriod } }) => ({ id, ...effectivePeriod })),
  bestSetup: file.best?.id ?? null,
  fields: file.fields,
  calibration: file.calibration,
  contradictions: [],
  noEquipment: file.noEquipment.map((each) => inWords(finding('no-equipment', each))),
  hints: file.hints.map(inWords),
  blankAsZero: file.zeros,
});

/** The result for a file that contradicts itself or the record. */
export const contradictingResult = (file: ContradictingFile): Result => ({
  file: file.path,
  result: 'contradicts',
  site: file.site && siteIdText(file.site),
  from: null,
  to: null,
  recordPrepared: null,
  setups: [],
  bestSetup: null,
  fields: [],
  calibration: null,
  contradictions: file.contradictions.map(inWords),
  noEquipment: [],
  hints: file.hints.map(inWords),
  blankAsZero: [],
});

/** Identifies what was known in an earlier run. A contradiction belongs to one file. */
export const fingerprintsOf = (result: Result): string[] => [
  ...result.fields.map((field) => fingerprint(result.site, field)),
  ...sentencesOf(result).map((sentence) => JSON.stringify([result.site, sentence])),
  ...result.contradictions.map((contradiction) => JSON.stringify([result.file, contradiction])),
  calibrationFingerprint(result),
];

const calibrationFingerprint = ({ site, calibration }: Result): string =>
  JSON.stringify([site, calibration?.antenna ?? null, calibration?.found ?? null]);

/** What is said about a compared file. */
const sentencesOf = ({
  noEquipment = [],
  hints,
}: Pick<Result, 'hints'> & Partial<Pick<Result, 'noEquipment'>>): string[] => [
  ...noEquipment,
  ...hints,
];

/** A result without what was known before. */
export const newIn = (result: Result, known: ReadonlySet<unknown>): Result => ({
  ...result,
  fields: result.fields.filter((field) => !known.has(fingerprint(result.site, field))),
  calibration: known.has(calibrationFingerprint(result)) ? null : result.calibration,
  noEquipment: result.noEquipment.filter(
    (sentence) => !known.has(JSON.stringify([result.site, sentence])),
  ),
});

/** Whether a result is a reason for exit code 1. */
export const isWrongResult = ({ result, fields, calibration, noEquipment }: Result): boolean =>
  result === 'contradicts' ||
  noEquipment.length > 0 ||
  calibration?.found === 'none' ||
  fields.some(isWrong);

/** What made a field equal, in words; null if nothing had to. */
const normalisationOf = ({ normalisation }: Comparison): string | null =>
  normalisation.length === 0 ? null : normalisation.join('; ');

/** A result as programs read it. */
const published = (result: Result): object => ({
  ...result,
  fields: result.fields.map((field) => ({
    ...field,
    normalisation: normalisationOf(field),
    wrong: isWrong(field),
  })),
});

/** A line of CSV: a field, or what is wrong with a whole file. */
type Row = Pick<Result, 'file' | 'site' | 'from' | 'to' | 'bestSetup'> &
  Pick<Comparison, 'header' | 'record' | 'tolerance'> & {
    field: Field | null;
    status: Status | 'contradicts' | 'no-equipment';
    normalisation: string | null;
    hints: string;
    calibration: string | null;
  };
/** The columns of CSV. */
export const COLUMNS: Column<Row>[] = (
  [
    'file',
    'site',
    'from',
    'to',
    'bestSetup',
    'field',
    'status',
    'header',
    'record',
    'tolerance',
    'normalisation',
    'hints',
  ] as const
).map((name) => [name, (row: Row) => row[name]]);
/** The same, if calibrations were asked for. */
export const WITH_CALIBRATION: Column<Row>[] = [
  ...COLUMNS,
  ['calibration', (row) => row.calibration],
];

const quoted = (text: string | null): string => (text === null ? '-' : `"${text}"`);

const WIDTHS = [
  Math.max(...FIELDS.map(({ length }) => length)),
  Math.max(...STATUSES.map(({ length }) => length)),
] as const;

/** The line about a file, and further ones about it. */
const block = (title: string, lines: string[]): string =>
  [title, ...lines.map((line) => `  ${line}`)].map((line) => `${visible(line)}\n`).join('');

/** The calibration found for an antenna, in words. */
const CALIBRATIONS = {
  individual: 'individual',
  type: 'type mean',
  'without radome': 'type mean without radome',
  none: 'none',
} as const satisfies Record<Calibration, string>;

/** What is said about a file besides its fields. */
function hintsOf(result: Result): string[] {
  const { blankAsZero: fields } = result;
  const sentences = sentencesOf(result);
  return fields.length === 0
    ? sentences
    : [...sentences, inWords(finding('counted-as-zero', { fields }))];
}

/** The line about the calibration of an antenna. */
const calibrationLine = ({ calibration }: Result): string[] =>
  calibration === null
    ? []
    : [`calibration of ${calibration.antenna}: ${CALIBRATIONS[calibration.found]}`];

function tableOf(result: Result): string {
  const { file, site, from, to, fields, contradictions } = result;
  const hints = sentencesOf(result);
  if (result.result === 'contradicts') {
    const title = `${file}: ${site ?? 'Site unclear'}, contradictory, not compared`;
    return block(title, [...contradictions, ...hints]);
  }
  const shown = fields.filter((field) => !isEqual(field) || isSpeltOtherwise(field));
  const calibrated = calibrationLine(result);
  // Blanks that count as 0 are no reason to show a file: the summary has their number.
  if (shown.length === 0 && hints.length === 0 && calibrated.length === 0) return '';
  const lines = shown.map((compared) => {
    const { field, status, header, record } = compared;
    const normalisation = normalisationOf(compared);
    const why = normalisation === null ? '' : ` (${normalisation})`;
    return (
      `${field.padEnd(WIDTHS[0])}  ${status.padEnd(WIDTHS[1])}  header ${quoted(header)}, ` +
      `log ${quoted(record)}${why}`
    );
  });
  return block(`${file}: ${site}, ${from} to ${to}`, [...lines, ...calibrated, ...hintsOf(result)]);
}

/** The lines of CSV about a file. */
function rowsOf(result: Result): Row[] {
  const { file, site, from, to, bestSetup, fields, contradictions, noEquipment } = result;
  const hints = [...contradictions, ...hintsOf(result)].join(' ');
  const calibration = result.calibration && CALIBRATIONS[result.calibration.found];
  const shared = { file, site, from, to, bestSetup, hints, calibration };
  const nothing = { field: null, header: null, record: null, normalisation: null, tolerance: null };
  if (result.result === 'contradicts') return [{ ...shared, ...nothing, status: 'contradicts' }];
  const ofFields = fields.map((field): Row => {
    const normalisation = normalisationOf(field);
    return { ...shared, ...field, normalisation };
  });
  if (noEquipment.length === 0) return ofFields;
  return [{ ...shared, ...nothing, status: 'no-equipment' }, ...ofFields];
}

/** Renders a result in a format; the first one printed begins a JSON array. */
export function renderResult(
  result: Result,
  format: OutputFormat,
  { isFirst, columns }: { isFirst: boolean; columns: Column<Row>[] },
): string {
  switch (format) {
    case 'table':
      return tableOf(result);
    case 'csv':
      return rowsOf(result)
        .map((row) => csvRecord(columns, row))
        .join('');
    case 'ndjson':
      return `${JSON.stringify(published(result))}\n`;
    case 'json':
      return `${isFirst ? '[' : ','}\n${JSON.stringify(published(result), null, 2)}`;
  }
}

/** The verb for a number of files that differ. */
const differ = (files: number): string => (files === 1 ? 'differs' : 'differ');

/** The files of a Site that were compared, by their results. */
interface FilesOfSite {
  files: number;
  /** Whose result is `no-equipment`. */
  noEquipment: number;
  /** Others of which a field is wrong. */
  differing: number;
}

/** How many files have the result `no-equipment`, behind another number; empty for none. */
const noEquipmentWords = (files: number): string => (files === 0 ? '' : `, ${files} no-equipment`);

/** How often each field had each status, and how many files of each Site had each result. */
export class Summary {
  private readonly fields = new Map<string, Map<Status, number>>();
  private readonly sites = new Map<string, FilesOfSite>();
  private readonly calibrations = new Map<string, number>();
  private files = 0;
  private noEquipment = 0;
  private contradicting = 0;
  private wrongAsBefore = 0;
  private contradictingAsBefore = 0;
  /** The Sites of which a blank eccentricity counted as 0. */
  private readonly blank = new Set<string>();

  /**
   * Counts a file.
   * @param shown what is new of it
   */
  add(all: Result, shown: Result, isKnown: boolean): void {
    if (all.result === 'contradicts' || all.site === null) {
      this.contradicting++;
      if (isKnown) this.contradictingAsBefore++;
      return;
    }
    if (isWrongResult(all) && (isKnown || !isWrongResult(shown))) this.wrongAsBefore++;
    this.files++;
    if (all.calibration !== null) {
      const found = CALIBRATIONS[all.calibration.found];
      this.calibrations.set(found, (this.calibrations.get(found) ?? 0) + 1);
    }
    if (all.blankAsZero.length > 0) this.blank.add(all.site);
    for (const { field, status } of shown.fields) {
      const counts = this.fields.get(field) ?? new Map<Status, number>();
      this.fields.set(field, counts.set(status, (counts.get(status) ?? 0) + 1));
    }
    if (all.result === 'no-equipment') this.noEquipment++;
    const ofSite = this.sites.get(all.site) ?? { files: 0, noEquipment: 0, differing: 0 };
    this.sites.set(all.site, ofSite);
    ofSite.files++;
    if (shown.noEquipment.length > 0) ofSite.noEquipment++;
    else if (shown.fields.some(isWrong)) ofSite.differing++;
  }

  /** @param isSinceLast whether only what is new was shown */
  text(isSinceLast: boolean): string {
    const ofField = [...this.fields].map(
      ([field, counts]) =>
        `${field}: ${STATUSES.filter((each) => counts.has(each))
          .map((each) => `${counts.get(each)!} ${each}`)
          .join(', ')}\n`,
    );
    const ofSite = [...this.sites]
      .filter(([, { differing, noEquipment }]) => differing > 0 || noEquipment > 0)
      .map(([site, { files, differing, noEquipment }]) => {
        const of = `${visible(site)}: `;
        const all = ` of ${count(files, 'file')}`;
        if (differing === 0) return `${of}${noEquipment}${all} no-equipment\n`;
        const others = noEquipmentWords(noEquipment);
        return `${of}${differing}${all} ${differ(differing)}${others}\n`;
      });
    const contradictingBefore = isSinceLast ? `, ${this.contradictingAsBefore} as before` : '';
    const contradicting =
      this.contradicting === 0
        ? ''
        : `${count(this.contradicting, 'file')} not compared${contradictingBefore}: ` +
          `${CONTRADICTORY}\n`;
    const { wrongAsBefore: wrong } = this;
    const asBefore = isSinceLast ? `; ${wrong} wrong as before` : '';
    const calibrated = [...this.calibrations].map(([found, number]) => `${number} ${found}`);
    const checked = `${count(this.files, 'file')} of ${count(this.sites.size, 'Site')} checked`;
    return [
      `${checked}${noEquipmentWords(this.noEquipment)}${asBefore}\n`,
      contradicting,
      ...ofField,
      calibrated.length === 0 ? '' : `calibration: ${calibrated.join(', ')}\n`,
      ...ofSite,
      this.blank.size === 0
        ? ''
        : `blank north or east in the site logs of ${count(this.blank.size, 'Site')}: counted ` +
          'as 0\n',
    ].join('');
  }
}
