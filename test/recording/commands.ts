import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './command.js';
import type { Part, Recorder } from './recording.js';

/** When logs are imported, corrections made, and requests sent. */
export const CLOCKS = {
  import: '2027-01-01T00:00:00.000Z',
  corrections: '2027-01-02T00:00:00.000Z',
  reading: '2027-01-03T00:00:00.000Z',
} as const;

/** A run of the command. */
export interface Run {
  args: string[];
  clock?: string;
  input?: string;
  /** A file or folder that it writes. It is recorded, and deleted. */
  writes?: string;
}

const NUMBER = /^[\d.:-]+$/;

/** The command with its flags, and those of their values that are words. */
const kindOfRun = ([name = '', ...args]: readonly string[]): string =>
  [
    name,
    ...args.filter(
      (each, at) =>
        each.startsWith('--') ||
        ['--format', '--to', '--level'].includes(args[at - 1]!) ||
        (at === 0 && ['log', 'site', 'export'].includes(name) && !NUMBER.test(each)),
    ),
  ]
    .filter((each, at) => each !== '--database' || at === 0)
    .join(' ');

/** The files at a path, with those in its folders, in order. */
function filesAt(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}

/** Runs the command and records what it did. Returns its exit code. */
export async function recordRun(
  command: Command,
  recorder: Recorder,
  { args, clock = CLOCKS.reading, input = '', writes }: Run,
): Promise<number | null> {
  const { code, stdout, stderr } = await command.run(args, clock, input);
  const parts: Record<string, Part> = {
    stdout: recorder.part(stdout),
    stderr: recorder.part(stderr),
  };
  if (writes !== undefined) {
    const path = join(command.cwd, writes);
    for (const file of filesAt(path))
      parts[file.slice(command.cwd.length + 1)] = recorder.part(readFileSync(file));
    rmSync(path, { recursive: true, force: true });
  }
  await recorder.add({
    key: recorder.mask(args.map((arg) => (/^[\w./:=,-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')),
    kind: kindOfRun(args),
    status: code,
    parts,
  });
  return code;
}

const NAMES = [
  'serve',
  'import',
  'check-log',
  'compare-logs',
  'check-rinex',
  'fix-rinex',
  'convert',
]
  .concat(
    'lookup',
    'sites',
    'export',
    'log',
    'site',
    'backup',
    'restore',
    'migrate',
    'copy',
    'verify',
  )
  .concat('check-service', 'check', 'export-schemas', 'completion');

/** Runs without a database. `cases` says whether there are the shared cases. */
export function plainRuns(cases: boolean): Run[] {
  return [
    { args: [] },
    { args: ['--help'] },
    { args: ['none'] },
    ...NAMES.map((name) => ({ args: [name, '--help'] })),
    ...NAMES.filter((name) => name !== 'serve').map((name) => ({ args: [name, '--none'] })),
    ...[
      'lookup',
      'convert',
      'check-log',
      'compare-logs',
      'check-rinex',
      'export',
      'log',
      'site',
    ].map((name) => ({ args: [name] })),
    ...['bash', 'zsh', 'fish'].map((shell) => ({ args: ['completion', shell] })),
    { args: ['export-schemas', 'contract'], writes: 'contract' },
    ...['text', 'json', 'ndjson', 'github', 'sarif'].flatMap((format) => [
      { args: ['check-log', 'sample', '--format', format, '--level', 'info', '--exports'] },
      ...(cases
        ? [{ args: ['check-log', 'cases/logs', '--format', format, '--level', 'info'] }]
        : []),
    ]),
    { args: ['check-log', 'sample', '--ignore', 'missing-value', '--level', 'info'] },
    { args: ['check-log', 'sample', '--ignore', 'no-such-code'] },
    { args: ['check-log', 'none.log'] },
    { args: ['check-log', 'sample', '--level', 'none'] },
    ...conversions('sample', true),
    ...(cases ? conversions('cases/logs', false) : []),
    ...['text', 'json'].flatMap((format) => [
      {
        args: [
          'compare-logs',
          'sample/alic_20170223.log',
          'changed/alic_20180101.log',
          '--format',
          format,
        ],
      },
      {
        args: [
          'compare-logs',
          'sample/nya1_20170322.log',
          'sample/bor1_20170222.xml',
          '--format',
          format,
        ],
      },
    ]),
  ];
}

/** The sample, or other logs, in each form. */
const conversions = (folder: string, withContacts: boolean): Run[] =>
  ['text1', 'text2', 'geodesyml04', 'geodesyml05'].flatMap((form) =>
    [
      [],
      ...(withContacts ? [['--publish-contacts']] : []),
      ...(form === 'text2' ? [['--country', 'AUS']] : []),
    ].map((flags) => ({
      args: ['convert', folder, '--to', form, ...flags, '--output', 'converted'],
      writes: 'converted',
    })),
  );

/** Runs that change the database of the sample network. */
export const corrections = (database: string): Run[] =>
  [
    ['import', 'changed', '--dry-run'],
    ['import', 'changed'],
    ['import', 'changed'],
    ['log', 'list', 'ALIC'],
    ['log', 'withdraw', 'ALIC', 'alic_20180101.log', '--dry-run'],
    ['log', 'withdraw', 'ALIC', 'alic_20180101.log'],
    ['log', 'withdraw', 'ALIC', 'alic_20180101.log'],
    ['log', 'restore', 'ALIC', 'alic_20180101.log'],
    ['log', 'withdraw', 'BOR1', 'bor1_20170222.xml'],
    ['log', 'withdraw', 'ALIC', '9'],
    ['log', 'withdraw', 'ZZZZ', '1'],
    ['log', 'list', 'BOR1'],
    ['site', 'rename', 'NAMA', 'NAMB', '--dry-run'],
    ['site', 'rename', 'NAMA', 'NAMB'],
    ['site', 'rename', 'NAMA', 'NAMC'],
    ['site', 'rename', 'MCIL', 'NYA1'],
    ['site', 'rename', 'ZZZZ', 'YYYY'],
    ['site', 'retire', 'MFKG'],
    ['site', 'retire', 'MFKG'],
    ['site', 'retire', 'HOUZ'],
    ['site', 'unretire', 'HOUZ'],
    ['site', 'none', 'HOUZ'],
    ['import', 'sample'],
    ['import', 'rejected'],
    ['log', 'rejected'],
    ['sites', '--retired'],
    ['verify'],
  ].map((args, at) => ({
    args: [...args, '--database', database],
    // The order of the steps is part of the record.
    clock: new Date(Date.parse(CLOCKS.corrections) + at * 60_000).toISOString(),
  }));

/**
 * Runs that read a database.
 * @param folder the logs in it
 * @param sites the ids of Sites to ask about
 */
export function readingRuns(database: string, folder: string, sites: readonly string[]): Run[] {
  const of = (...args: string[]): Run => ({ args: [...args, '--database', database] });
  const formats = ['table', 'json', 'ndjson', 'csv'];
  return [
    of('verify'),
    of('log', 'rejected'),
    of('import', folder, '--dry-run'),
    ...formats.map((format) => of('sites', '--format', format)),
    of('sites', '--q', 'trimble'),
    of('sites', '--near', '-25,133', '--radius', '2000'),
    of('sites', '--sort', 'name,desc'),
    of('sites', '--agency', 'Geoscience*'),
    of('sites', '--country-code', 'AUS', '--format', 'csv'),
    of('sites', '--filter', 'none=1'),
    of('sites', '--retired', '--format', 'json'),
    ...['sites', 'setups', 'installations', 'changes', 'findings'].flatMap((name) =>
      ['csv', 'ndjson', 'geojson'].map((format) => of('export', name, '--format', format)),
    ),
    ...['snx', 'station-info', 'sta', 'rinex.zip', 'offsets.csv', 'offsets.snx'].map((name) => ({
      ...of('export', name, '--notes', 'notes'),
      writes: 'notes',
    })),
    ...['snx', 'station-info', 'sta'].map((name) => of('export', name, '--at', '2015-01-01')),
    of('export', 'snx', '--query', 'blankEccentricity=zero&firmwareChanges=true'),
    of('export', 'snx', '--query', 'strict=true'),
    of('export', 'sta', '--query', 'version=1.03'),
    of('export', 'none'),
    { ...of('export', 'snx', '--output', 'out.snx'), writes: 'out.snx' },
    of('lookup', ...sites),
    ...formats.map((format) => of('lookup', ...sites, '--format', format, '--at', '2012-06-01')),
    of('lookup', 'ZZZZ', 'ALIC', '--provenance'),
    of('lookup', 'ALI'),
    ...sites.flatMap((site) => [
      of('log', 'list', site),
      of('lookup', site, '--provenance'),
      of('export', 'rinex', site),
      of('compare-logs', site),
    ]),
  ];
}

/** Runs over the shared RINEX files. Their logs are in the database. */
export function rinexRuns(database: string, folders: readonly string[]): Run[] {
  const of = (...args: string[]): Run => ({ args: [...args, '--database', database] });
  const all = 'cases/rinex';
  return [
    ...['table', 'json', 'ndjson', 'csv'].map((format) =>
      of('check-rinex', all, '--format', format),
    ),
    of('check-rinex', all, '--at', '2020-01-01'),
    of('fix-rinex', all, '--dry-run'),
    of('fix-rinex', all, '--dry-run', '--include-equipment'),
    of('fix-rinex', all, '--dry-run', '--include-equipment', '--blank-eccentricity', 'zero'),
    ...folders.flatMap((folder) => [
      of('check-rinex', `${all}/${folder}`),
      {
        ...of('fix-rinex', `${all}/${folder}`, '--include-equipment', '--output', 'fixed'),
        writes: 'fixed',
      },
    ]),
  ];
}
