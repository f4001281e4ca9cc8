import { csvHeader } from '../../formats/csv.js';
import { checkFiles, type FileResult } from '../../rinex/check-files.js';
import { Skipped } from '../../rinex/file/files.js';
import { readAntexFile } from '../antex-file.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { FORMAT_FLAG, knownIn } from '../line/output-format.js';
import { UsageError } from '../line/failures.js';
import {
  openRecords,
  Outcome,
  RECORD_FLAGS,
  sayUnchecked,
  sourcesAt,
  statedSite,
} from '../rinex.js';
import {
  checkedResult,
  COLUMNS,
  contradictingResult,
  fingerprintsOf,
  isWrongResult,
  newIn,
  renderResult,
  Summary,
  WITH_CALIBRATION,
} from '../rinex-results.js';

export const command = {
  usage: 'check-rinex FILE...',
  description: [
    'Checks headers of RINEX observation files against the record of their Sites at the ' +
      'time of each file.',
    'FILE is a RINEX file of version 2.10 to 4.02 (plain, Hatanaka, gzip or Unix ' +
      'compress), a folder of them, or - for standard input.',
    'Only the header is compared: what events in the data say (epoch flags 2 to 5, such as a new ' +
      'antenna) is not read.',
    'The Site and the time follow from the name of the file, its marker name and the ' +
      'times in its header. If these, or the position,',
    'contradict each other or the record, nothing is compared. Changes within 60 s of the ' +
      'beginning or end of a file do not count.',
    'Exit codes: 0 nothing is wrong, 1 something is wrong, contradictory or not on record, ' +
      'or has no known Site or no calibration,',
    '2 usage error or nothing to check, 3 a file or the record cannot be read.',
  ].join('\n'),
  examples: [
    [
      'Compare the headers in a folder with the record in a database.',
      'check-rinex --database network.sqlite rinex',
    ],
    ['Ask a service for the record.', 'check-rinex --service http://127.0.0.1:8080 rinex'],
  ],
  completes: 'files',
  settings: ['database'],
  flags: {
    ...RECORD_FLAGS,
    format: FORMAT_FLAG,
    'since-last': {
      argument: 'FILE',
      description:
        'Show only what is new since FILE: the output of an earlier run with --format ndjson.',
    },
    antex: {
      argument: 'FILE',
      description:
        'Say which calibration this ANTEX file (1.4 or 2.0, may be gzip) has of each antenna: ' +
        'individual, type mean, only one with radome NONE, or none.',
    },
  },
} as const satisfies CommandLine;

/** Checks the files, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: paths,
}: Given<typeof command>): Promise<number> {
  if (paths.length === 0)
    throw new UsageError('check-rinex needs at least one FILE: a RINEX file, or a folder of them');
  const { format = 'table', at = null, service, 'since-last': earlier } = flags;
  const known =
    earlier === undefined
      ? new Set()
      : knownIn(earlier, 'since-last', 'check-rinex', fingerprintsOf);
  const antex = flags.antex === undefined ? null : await readAntexFile(flags.antex);
  const skipped = new Skipped();
  const sources = sourcesAt(paths, skipped);
  const records = await openRecords(settings.database, service);
  const summary = new Summary();
  const outcome = new Outcome();
  let printed = 0;
  const columns = antex === null ? COLUMNS : WITH_CALIBRATION;
  if (format === 'csv') process.stdout.write(csvHeader(columns));
  const add = (file: FileResult): void => {
    if (file.kind === 'unreadable' || file.kind === 'unknown-site') {
      sayUnchecked(file);
      outcome.add(file.kind === 'unreadable' ? 'unreadable' : 'wrong');
      return;
    }
    const all = file.kind === 'checked' ? checkedResult(file) : contradictingResult(file);
    const shown = newIn(all, known);
    const isKnown = known.size > 0 && fingerprintsOf(all).every((each) => known.has(each));
    summary.add(all, shown, isKnown);
    outcome.add(!isKnown && isWrongResult(shown) ? 'wrong' : 'right');
    if (isKnown) return;
    process.stdout.write(renderResult(shown, format, { isFirst: printed === 0, columns }));
    printed++;
  };
  try {
    const site = await statedSite(flags.site, records);
    const blankEccentricity = flags['blank-eccentricity'] ?? 'zero';
    const options = { at, site, antex, blankEccentricity };
    for await (const file of checkFiles(sources, records, options)) add(file);
  } finally {
    await records.close();
  }
  if (skipped.hasUnreadable) outcome.add('unreadable');
  if (format === 'json') process.stdout.write(printed === 0 ? '[]\n' : '\n]\n');
  const skippedText = skipped.inWords();
  const summaryText = summary.text(earlier !== undefined);
  const text = skippedText === null ? summaryText : `${summaryText}${skippedText}\n`;
  (format === 'table' ? process.stdout : process.stderr).write(text);
  return outcome.exitCode('check');
}
