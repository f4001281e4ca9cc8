import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { type Item, logText, placeOf } from '../synthetic-log.js';
import { run, shortFolder } from './serving.js';

t.test(
  'export writes what the service answers, and says on stderr what a file cannot say',
  async (t) => {
    const service = await openService(t, [SAMPLE]);
    await service.importText(
      logText({
        id: 'LONG',
        receivers: [{ type: 'R1', serial: '1'.repeat(30), from: '2001-01-01' }],
      }),
    );
    const write = (...args: string[]) => run(['export', ...args, '--database', service.database]);
    for (const [args, path] of [
      [['sites'], 'sites.csv'],
      [['setups', 'ALIC', '--format', 'ndjson'], 'setups.ndjson?site=ALIC'],
      [
        ['station-info', 'ALIC', 'LONG', '--at', '2015-01-01'],
        'sites.station-info?site=ALIC&site=LONG&at=2015-01-01',
      ],
      [
        ['sta', '--query', 'version=1.01&countryCode=AUS'],
        'sites.sta?version=1.01&countryCode=AUS',
      ],
      [
        ['sta', '--query', 'version=1.01', '--query', 'countryCode=AUS'],
        'sites.sta?version=1.01&countryCode=AUS',
      ],
      [['offsets.csv', 'ALIC'], 'offsets.csv?site=ALIC'],
    ] as const) {
      const { code, stdout } = await write(...args);
      // Addresses in tables are those of a service. Files have the time of writing.
      const stable = (text: string): string =>
        text
          .replaceAll('http://localhost:80', '')
          .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '')
          .replace(/\d\d-[A-Z]{3}-\d\d \d\d:\d\d$/m, '');
      t.equal(code, 0, path);
      t.equal(stable(stdout), stable((await service.get(`/exports/${path}`)).body), path);
    }
    t.match(await write('rinex.zip', 'ALIC', '--query', 'version=2.11'), {
      code: 0,
      stdout: /^PK/,
      stderr: /^1 note about values .* no place\n1 note in all/,
    });

    t.match(await write('rinex', 'ALIC', '--at', '2015-01-01', '--query', 'version=2.11'), {
      code: 0,
      stdout: /^ {5}2\.11 .*\n[^]*END OF HEADER *\n$/,
    });

    for (const [args, message] of [
      [['kml'], /export takes one NAME: sites, /],
      [['snx', '--format', 'csv'], /--format: only with sites, setups/],
      [['sites', '--notes', 'notes.txt'], /--notes: not with sites, setups, .* which have none/],
      [['snx', '--notes', 'one', '--output', 'one'], /--notes and --output: expected two files/],
      [['snx', 'NONE'], /NONE/],
      [
        ['snx', '--query', 'version=1'],
        /--query version=1 is not a parameter of this resource; expected the parameters /,
      ],
      [
        ['sites', '--at', '2013-01-01', '--query', 'at=2012-01-01'],
        /--at "2013-01-01" and --query at=2012-01-01: expected one of them$/m,
      ],
      [
        ['rinex', 'ALIC', 'NYA1'],
        /export rinex writes the header of one Site; rinex.zip has those of several$/m,
      ],
    ] as const) {
      t.match(await write(...args), { code: 2, stdout: '', stderr: message }, args.join(' '));
    }
  },
);

t.test('export counts its notes by kind, and writes all of them to a file', async (t) => {
  const service = await openService(t);
  // 1,001 gaps of a day at two Sites.
  const receivers = (gaps: number): Item[] =>
    Array.from({ length: gaps + 1 }, (_, index) => ({
      type: 'LEICA GR25',
      serial: '1',
      from: new Date(Date.UTC(2001, 0, 1 + index * 2)).toISOString(),
      to: new Date(Date.UTC(2001, 0, 2 + index * 2)).toISOString(),
    }));
  const antennas = [
    {
      type: 'LEIAR25.R3      NONE',
      serial: '1',
      from: '2001-01-01T00:00Z',
      more: {
        'Antenna Reference Point': 'BAM',
        'Marker->ARP Up Ecc. (m)': '0.1',
        'Marker->ARP North Ecc(m)': '0',
        'Marker->ARP East Ecc(m)': '0',
      },
    },
  ];
  const place = placeOf('-234012.40', '+1335307.80');
  for (const [id, gaps] of [
    ['AAAA', 500],
    ['BBBB', 501],
  ] as const)
    await service.importText(logText({ id, place, receivers: receivers(gaps), antennas }));
  const notes = join(shortFolder(t), 'notes.txt');
  writeFileSync(notes, 'of an earlier export');
  const write = (...args: string[]) => run(['export', ...args, '--database', service.database]);
  const lines = (): string[] => readFileSync(notes, 'utf8').split('\n').slice(0, -1);

  const counted = await write('station-info');
  const HINT = '; --notes FILE writes all notes';
  t.match(counted.stderr, /^1,001 gaps bridged\n/);
  t.match(counted.stderr, /^1,\d{3} notes in all; --notes FILE writes all notes\n$/m);
  const listed = await write('station-info', '--notes', notes);
  t.equal(listed.stderr, counted.stderr.replace(HINT, ''));
  const table = listed.stdout.slice(listed.stdout.indexOf('\n*SITE'));
  const written = [...table.matchAll(/^# (.*)$/gm)].map(([, text]) => text);
  t.same(lines(), written, 'the file has what the comments say');
  t.equal(
    lines().filter((line) => /^[AB]{4}: the gap from .* is bridged$/.test(line)).length,
    1001,
  );

  const one = await write('sta', 'AAAA', '--at', '2001-01-01', '--notes', notes);
  t.match(
    [one.stderr, lines()],
    [
      /^1 value unknown\n1 note about values .* no place\n2 notes in all\n$/,
      [/^AAAA: alignment .* unknown from .* to .*Z$/, /^left out, .*: 1 antenna reference point$/],
    ],
  );

  const nowhere = join(notes, 'notes.txt');
  t.match(await write('sta', 'AAAA', '--notes', nowhere), {
    code: 3,
    stderr: /notes\.txt\S*" cannot be written/,
  });
});

t.test('export --cite writes a file from the record of now, and what to cite', async (t) => {
  const BASE = 'http://gnss.example.org';
  const service = await openService(t, [], { baseUrl: BASE });
  const log = (serial: string, day: string) => ({
    id: 'CITE',
    prepared: day,
    place: placeOf('-10.5', '130.5'),
    receivers: [{ type: 'R1', serial, from: '2001-01-01' }],
    antennas: [{ type: 'LEIAR25.R4      NONE', serial: '1', from: '2001-01-01' }],
  });
  await service.importText(log('1', '2020-01-01'), 'first.log', new Date('2026-01-01T10:00:00Z'));
  const folder = shortFolder(t);
  const write = (...args: string[]) => run(['export', ...args, '--database', service.database]);
  const content = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const base = ['--base-url', BASE, '--network-name', 'Hills'];
  const cited: [args: string[], path: string][] = [
    [['sta', 'CITE'], '/exports/sites.sta?site=CITE'],
    [['snx', '--query', 'agency=O%27Hara&agency=*'], "/exports/sites.snx?agency=O'Hara&agency=*"],
    [['offsets.snx', 'CITE'], '/exports/offsets.snx?site=CITE'],
    [['installations', '--format', 'ndjson'], '/exports/installations.ndjson'],
    [['rinex', 'CITE', '--at', '2010-01-01'], '/skeletonFiles/CITE.skl?at=2010-01-01&version=3.05'],
  ];
  const commands: string[][] = [];
  for (const [index, [args, path]] of cited.entries()) {
    const name = `file${index}`;
    const outcome = await write(...args, '--output', join(folder, name), '--cite', ...base);
    t.equal(outcome.code, 0, outcome.stderr);
    const text = content(`${name}.citation.txt`);
    const { url } = (await service.get(path.replace(/\?|$/, '/citation$&'))).json<{
      url: string;
    }>();
    t.ok(text.includes(`${url}\n`), text);
    t.match(text, 'Hills');
    t.equal(content(name), (await service.get(url)).body, 'HTTP gives the same file');
    const [, command] = /: gnss-site-setups export (.*)/.exec(text)!;
    commands.push(command!.split(' ').map((word) => word.replaceAll("'", '')));
  }
  await service.importText(log('2', '2021-01-01'), 'later.log', new Date('2026-01-01T10:00:01Z'));
  for (const [index, command] of commands.entries()) {
    const again = await write(...command, ...base);
    t.equal(again.stdout, content(`file${index}`), command.join(' '));
  }
  const output = join(folder, 'other');
  const { code } = await write('sta', '--output', output, '--cite');
  t.same([code, content('other.citation.txt').includes('http')], [0, false], 'no URL is known');
  for (const args of [
    ['sta', '--cite'],
    ['feed', '--cite', '--output', output],
    ['sites', '--cite', '--output', output, '--query', 'q=hill'],
  ])
    t.equal((await write(...args)).code, 2, args.join(' '));
  const unknown = await write('sta', 'ZZZZ', '--cite', '--output', output);
  t.equal(unknown.code, 2);
  t.notMatch(unknown.stderr, / on record /, 'no time was asked for');
  const early = join(folder, 'early');
  t.equal((await write('sites', '--as-of', '1990-01-01', '--output', early)).code, 2);
  t.equal(existsSync(early), false, 'nothing was on record');
  t.match((await write('sites', '--as-of', 'never')).stderr, '--as-of never');
});
