import type { Static } from '@sinclair/typebox';
import t, { type Test } from 'tap';
import type { ChangeCollection, EquipmentInUse, ExportedChange } from '../../schemas/index.js';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openWriter } from '../../src/store/open.js';
import type { Correction } from '../../src/store/save/corrections.js';
import type { StoreWriter } from '../../src/store/save/writer.js';
import { RUNS_ALL, SEED, triesMore } from '../effort.js';
import { type Random, randomOf } from '../campaigns/random.js';
import { openService, type Service } from '../service.js';
import { type Item, logText, placeOf, type SyntheticLog } from '../synthetic-log.js';

/**
 * What an answer with `asOf` says stays what it was, whatever is imported and corrected later: random
 * sequences under a clock that the test moves. Each has three Sites in a box of its own.
 */

const LEAST_STEPS = 3;
const MOST_STEPS = 8;
/** How often a step is chosen anew that changes nothing, such as restoring what is not withdrawn. */
const TRIES = 10;
const MINUTE = 60_000;
/** How many sequences one database has: questions take longer in a larger one. */
const SEQUENCES_IN_DATABASE = 50;
/** How many sequences are tried; the variable AS_OF_SEQUENCES sets another number. */
function sequencesToTry(): number {
  if (process.env.AS_OF_SEQUENCES !== undefined) return Number(process.env.AS_OF_SEQUENCES);
  return RUNS_ALL ? 100 : 4;
}

/** The exports that answer about now and, with `asOf`, about then with the same bytes. */
const TABLES = [
  '/exports/sites.csv?',
  '/exports/sites.geojson?at=2008-01-01',
  '/exports/sites.ndjson?satelliteSystem=GLO',
  '/exports/sites.csv?agency=Second*',
  '/exports/setups.csv?',
  '/exports/setups.ndjson?current=true&invalidated=false',
  '/exports/setups.geojson?at=2008-01-01',
  '/exports/installations.csv?',
  '/exports/installations.csv?type=LEICA*',
  '/exports/installations.ndjson?serialNumber=A2&satelliteSystem=GPS',
  '/exports/installations.csv?manufacturer=Maker',
  '/exports/changes.csv?',
  '/exports/changes.ndjson?mergeGaps=PT0S&kind=replaced',
  '/exports/changes.geojson?mergeGaps=P100D&countryCode=AUS',
  '/exports/offsets.csv?receiverChanges=true',
];
/** Those that have a time of their own: that of the record, with `asOf`. */
const FILES = [
  '/exports/sites.snx?',
  '/exports/sites.sta?',
  '/exports/sites.station-info?',
  '/exports/offsets.snx?',
  '/exports/sites.rinex.zip?at=2008-01-01',
];

interface Asked {
  url: string;
  asOf: string;
  /** The answer of then. */
  body: string;
  after: string;
}

/** A URL that asks about an earlier time. */
const asOfUrl = (url: string, asOf: string): string => `${url}&asOf=${asOf}`;

/** A random log of a Site. */
function randomLog(id: string, box: number, random: Random): SyntheticLog {
  const item = (type: string, from: string, to?: string, more?: Record<string, string>): Item => ({
    type: random.chance(0.2) ? type.toLowerCase() : type,
    serial: random.pick(['A1', 'A2', 'A3', '']),
    from,
    ...(to !== undefined && { to }),
    ...(more !== undefined && { more }),
  });
  const first = random.pick(['2005-01-01T00:00Z', '2006-01-01T00:00Z']);
  const swap = random.pick(['2007-06-01T00:00Z', '2009-06-01T00:00Z']);
  const back = random.pick([swap, swap.replace('T00', 'T06'), swap.replace('-06-01', '-07-01')]);
  const systems = { 'Satellite System': random.pick(['GPS', 'GPS+GLO', 'GLO']) };
  const receiver = () => random.pick(['LEICA GR10', 'LEICA GR50', 'TRIMBLE NETR9']);
  const place = placeOf(
    random.pick(['10.5', '10.9']),
    `${-170 + box * 3 + random.pick([0.5, 0.9])}`,
  );
  return {
    id,
    prepared: `2020-0${1 + random.below(9)}-01`,
    name: random.pick(['First', 'Second']),
    ...(id.length < 9 && { country: random.pick(['Australia', 'Poland']) }),
    agency: random.pick(['First Agency', 'Second Agency']),
    place,
    receivers: [
      item(receiver(), first, swap, systems),
      ...(random.chance(0.8) ? [item(receiver(), back, undefined, systems)] : []),
    ],
    antennas: [
      item('LEIAR25.R4      NONE', first, undefined, {
        'Marker->ARP Up Ecc. (m)': random.pick(['0.1', '0.2']),
      }),
    ],
    clocks: random.chance(0.3)
      ? [{ type: 'INTERNAL', from: '2005-01-01', to: '(CCYY-MM-DD)' }]
      : [],
    sensors: random.chance(0.3)
      ? [
          {
            type: 'HMP45',
            serial: 'H1',
            from: '2005-01-01',
            to: '(CCYY-MM-DD)',
            more: { Manufacturer: random.pick(['Maker', 'Other']) },
          },
        ]
      : [],
  };
}

/** A change, in a collection or an export. */
type ListedChange = Omit<ExportedChange, 'id' | 'site'>;

/** What a change says, without spelling and periods. */
function meaningOf({ siteId, at, equipmentType, kind, before, after }: ListedChange): string {
  const said = (each: EquipmentInUse | null): unknown =>
    each && [each.content.id, each.content.configuration];
  return JSON.stringify([siteId, at, equipmentType, kind, said(before), said(after)]).toUpperCase();
}

/** What a change says, and when it was withdrawn. */
const rowOf = (change: ListedChange): string => `${change.withdrawn ?? ''} ${meaningOf(change)}`;

/** How often each text is in a list. */
const counts = (texts: readonly string[]): Map<string, number> => {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
};

/** The texts that one list has more often than another. */
function missingIn(all: readonly string[], others: readonly string[]): string[] {
  const left = counts(others);
  return all.filter((text) => {
    const number = left.get(text) ?? 0;
    left.set(text, number - 1);
    return number <= 0;
  });
}

async function linesOf(service: Service, url: string): Promise<ExportedChange[]> {
  const { statusCode, body } = await service.get(url);
  if (statusCode !== 200) throw new Error(`${url}: ${body}`);
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedChange);
}

/** The changes on record at a time, as texts. */
async function changesAt(service: Service, box: string, asOf: string): Promise<string[]> {
  const url = asOfUrl(`/exports/changes.ndjson?mergeGaps=PT0S&${box}`, asOf);
  return (await linesOf(service, url)).map(meaningOf);
}

/** How the changes since a time differ from two states of the record. @param after the later one */
async function wrongChanges(
  service: Service,
  box: string,
  [from, to]: readonly [string, string],
  after: string[],
): Promise<string[]> {
  const changes = `/exports/changes.ndjson?mergeGaps=PT0S&${box}`;
  const before = await changesAt(service, box, from);
  const since = new Date(Date.parse(from) + 1).toISOString();
  const listed = await linesOf(service, asOfUrl(`${changes}&recordedSince=${since}`, to));
  const page = await service.get(
    asOfUrl(`/changes?mergeGaps=PT0S&size=1000&${box}&recordedSince=${since}`, to),
  );
  const onPage = page.json<Static<typeof ChangeCollection>>()._embedded.changes;
  const added = listed.filter(({ withdrawn }) => withdrawn === null).map(meaningOf);
  const withdrawn = listed.filter((each) => each.withdrawn !== null).map(meaningOf);
  const same = (found: string[], expected: string[]): boolean =>
    found.sort().join('\n') === expected.sort().join('\n');
  const wrong: string[] = [];
  if (!same(onPage.map(rowOf), listed.map(rowOf)))
    wrong.push(`${from} to ${to}: /changes has ${onPage.map(rowOf).join()}`);
  if (!same(added, missingIn(after, before)))
    wrong.push(`${from} to ${to}: added ${added.join()}; not ${missingIn(after, before).join()}`);
  if (!same(withdrawn, missingIn(before, after)))
    wrong.push(
      `${from} to ${to}: withdrawn ${withdrawn.join()}; not ${missingIn(before, after).join()}`,
    );
  return wrong;
}

/** A random import or correction at one of some ids. @returns what it was, and what came of it */
async function tryStep(
  writer: StoreWriter,
  { ids, box, logs }: { ids: string[]; box: number; logs: number[] },
  random: Random,
  now: () => Date,
): Promise<[step: string, outcome: string]> {
  const id = random.pick(ids);
  if (random.chance(0.55) || logs.length === 0) {
    const original = Buffer.from(logText(randomLog(id, box, random)));
    const siteLog = readAsImported({ name: `${id}.log`, original, importedAt: now() });
    const [outcome] = await writer.saveSiteLogs([siteLog], now, (log, importedAt) => ({
      ...log,
      importedAt,
    }));
    return [`import ${id}`, outcome!.kind];
  }
  const log = random.pick(logs);
  const correction = random.pick<Correction>([
    { kind: 'withdraw', log },
    { kind: 'withdraw', log },
    { kind: 'restore', log },
    { kind: 'restore', log },
    { kind: 'rename', to: parseSiteId(random.pick(ids)) },
    { kind: 'retire' },
    { kind: 'unretire' },
  ]);
  const outcome = await writer.correct(parseSiteId(id), correction, now, readStoredLog);
  return [`${correction.kind} ${id}`, outcome.kind];
}

/** Tries steps until one changes something. @returns what they were */
async function takeStep(
  writer: StoreWriter,
  about: { ids: string[]; box: number; logs: number[] },
  random: Random,
  clock: { time: number },
): Promise<string[]> {
  const steps: string[] = [];
  for (let tried = 0; tried < TRIES; tried++) {
    clock.time += MINUTE;
    const [step, outcome] = await tryStep(writer, about, random, () => new Date(clock.time));
    steps.push(`${step}: ${outcome}`);
    if (outcome === 'saved' || outcome === 'corrected') break;
  }
  return steps;
}

/** A sequence of steps. @returns what was asked after each of them, and what was wrong */
async function runSequence(
  service: Service,
  sequence: number,
  clock: { time: number },
): Promise<{ asked: Asked[]; wrong: string[] }> {
  // As each command does. A writer that closes renews the statistics of PostgreSQL.
  const writer = await openWriter(service.database);
  const random = randomOf(SEED, 'as-of', sequence);
  const number = sequence.toString(36).toUpperCase().padStart(3, '0');
  const ids = [`A${number}`, `B${number}00AUS`, `C${number}`];
  const column = sequence % 110;
  const west = -170 + column * 3;
  const box = `bbox=${west},-20,${west + 2.9},20`;
  const asked: Asked[] = [];
  const wrong: string[] = [];
  const steps: string[] = [];
  const length = LEAST_STEPS + random.below(MOST_STEPS - LEAST_STEPS + 1);
  for (let step = 0; step < length; step++) {
    const { elements } = await service.store.logs.findCurrentPage({
      page: 0,
      size: 100,
      filters: [],
      sort: [],
      sites: {
        numbers: null,
        countryCodes: null,
        box: { west, south: -20, east: west + 2.9, north: 20 },
        near: null,
        agencies: null,
      },
    });
    steps.push(...(await takeStep(writer, { ids, box: column, logs: elements }, random, clock)));
    const asOf = new Date(clock.time).toISOString();
    clock.time += 2 * MINUTE;
    const after = steps.join(', ');
    for (const url of TABLES.map((each) => `${each}&${box}`)) {
      const { statusCode, body } = await service.get(url);
      if (statusCode !== 200) wrong.push(`${url}: ${body}`);
      asked.push({ url, asOf, body, after });
    }
    for (const url of FILES.map((each) => `${each}&${box}`)) {
      const { statusCode, body } = await service.get(asOfUrl(url, asOf));
      if (statusCode !== 200) wrong.push(`${url}: ${body}`);
      asked.push({ url, asOf, body, after });
    }
  }
  await writer.close();
  const times = [...new Set(asked.map(({ asOf }) => asOf))];
  const last = times.at(-1)!;
  const changes = await changesAt(service, box, last);
  for (const from of times)
    wrong.push(...(await wrongChanges(service, box, [from, last], changes)));
  return { asked, wrong };
}

/** How many answers are not those of the end of their sequence. */
function countDifferent(asked: readonly Asked[]): number {
  const last = new Map(asked.map(({ url, body }) => [url, body]));
  return asked.filter(({ url, body }) => last.get(url) !== body).length;
}

/** Some sequences in a new database. @returns how many answers are not those of its end */
async function runSequences(t: Test, first: number, last: number) {
  const clock = { time: Date.UTC(2026, 0, 1) };
  const service = await openService(t, [], { clock: () => new Date(clock.time) });
  const wrong: string[] = [];
  const all: Asked[] = [];
  let different = 0;
  for (let sequence = first; sequence <= last; sequence++) {
    const { asked, wrong: found } = await runSequence(service, sequence, clock);
    wrong.push(...found);
    all.push(...asked);
    different += countDifferent(asked);
  }
  for (const { url, asOf, body, after } of all) {
    const again = await service.get(asOfUrl(url, asOf));
    if (again.body !== body) wrong.push(`${url} has changed after ${after}`);
  }
  t.same(wrong.slice(0, 3), []);
  return { questions: all.length, different };
}

t.test('exports with asOf are what they were', triesMore, async (t: Test) => {
  const cpu = process.cpuUsage();
  const sequences = sequencesToTry();
  let questions = 0;
  let different = 0;
  for (let first = 1; first <= sequences; first += SEQUENCES_IN_DATABASE) {
    const last = Math.min(first + SEQUENCES_IN_DATABASE - 1, sequences);
    await t.test(`sequences ${first} to ${last}`, async (t) => {
      const counted = await runSequences(t, first, last);
      questions += counted.questions;
      different += counted.different;
    });
  }
  const { user, system } = process.cpuUsage(cpu);
  t.comment(
    `${questions} questions, ${different} with another answer at the end; ` +
      `${Math.round((user + system) / 1e6)} s of processor time`,
  );
  t.ok(different >= questions / 2);
});

/** The other answers, by the id of a Site. */
const ANSWERS = [
  '/skeletonFiles/ALFA.skl?version=3.05',
  '/skeletonFiles/ALFA.skl?at=2002-01-01',
  '/siteLogs/search/findByFourCharacterId?id=ALFA',
  '/siteLogs/search/findByFourCharacterId?id=ALFA&format=geodesyml',
  '/siteLogs/search/findByFourCharacterId?id=ALFA&at=2021-01-01&format=text',
  '/siteLogs?countryCode=AUS',
  '/changes?site=ALFA',
  '/compare?site=ALFA BRAV',
  '/corsSites?countryCode=AUS',
  '/corsSites?agency=First*',
  '/corsSites?near=ALFA&radius=10',
  '/corsSites/search/findByEquipment?type=LEICA GR10',
  '/setups?site=ALFA&projection=provenance',
  '/setups?site=ALFA&projection=gaps',
  '/setups/search/findByFourCharacterId?id=ALFA',
  '/setups/search/findBySiteId?siteId=1',
  '/sites/ALFA?at=2008-01-01',
  '/sites/ALFA?',
];
const RECEIVER = { type: 'LEICA GR10', serial: '17', from: '2001-01-01T00:00Z' };
const ALFA: SyntheticLog = {
  id: 'ALFA',
  prepared: '2018-01-01',
  agency: 'First Agency',
  name: 'Hill',
  country: 'Australia',
  place: placeOf('-10.5', '130.5'),
  receivers: [RECEIVER],
};

/** An answer without its own links, which name the time. */
const withoutLinks = (body: string): string => body.replaceAll(/[?&;]*(amp;)?asOf=[^"&]*/g, '');

t.test('the other answers with asOf are about the record of then', async (t) => {
  const clock = { time: Date.UTC(2026, 0, 1) };
  const service = await openService(t, [], { clock: () => new Date(clock.time) });
  const now = (): Date => new Date(clock.time);
  await service.importText(ALFA, 'alfa.log', now());
  await service.importText({ ...ALFA, id: 'BRAV' }, 'brav.log', now());
  clock.time += MINUTE;
  const asOf = now().toISOString();
  clock.time += 2 * MINUTE;
  const html = { accept: 'text/html' };
  const ask = async (url: string) =>
    service.get(encodeURI(url), url.startsWith('/sites') ? html : {});
  const then = new Map<string, string>();
  for (const url of ANSWERS) {
    const { statusCode, body } = await ask(`${url}&asOf=${asOf}`.replace('?&', '?'));
    t.equal(statusCode, 200, `${url}: ${body.slice(0, 200)}`);
    then.set(url, body);
  }
  clock.time += 10 * MINUTE;
  const moved: SyntheticLog = {
    ...ALFA,
    prepared: '2020-01-01',
    agency: 'Second Agency',
    name: 'Valley',
    country: 'Poland',
    place: placeOf('-10.9', '130.9'),
    receivers: [
      { ...RECEIVER, type: 'LEICA GR50', serial: '18', to: '2005-01-01T00:00Z' },
      { ...RECEIVER, serial: '19', from: '2005-01-01T06:00Z' },
    ],
  };
  await service.importText(moved, 'moved.log', now());
  const writer = await openWriter(service.database);
  clock.time += MINUTE;
  await writer.correct(
    parseSiteId('BRAV'),
    { kind: 'rename', to: parseSiteId('CHAR') },
    now,
    readStoredLog,
  );
  clock.time += MINUTE;
  await writer.correct(parseSiteId('CHAR'), { kind: 'retire' }, now, readStoredLog);
  await writer.close();
  clock.time += 10 * MINUTE;
  for (const [url, body] of then) {
    const again = await ask(`${url}&asOf=${asOf}`.replace('?&', '?'));
    t.equal(again.body, body, url);
    const plain = await ask(url);
    t.not(withoutLinks(plain.body), withoutLinks(body), `${url} has another answer now`);
  }
  const early = '2025-01-01';
  for (const url of [
    ...[...TABLES, ...FILES].map((url) => url.replace(/[?].*/, '?')),
    '/exports/sites.csv?site=ALFA',
    '/corsSites?',
    '/corsSites/search/findByEquipment?',
    '/setups?',
    '/siteLogs?',
    '/changes?',
    '/skeletonFiles/ALFA.skl?',
    '/siteLogs/search/findByFourCharacterId?id=ALFA',
    '/changes?site=ALFA',
    '/setups/search/findCurrentByFourCharacterId?id=ALFA',
    '/setups?site=ALFA',
    '/compare?site=ALFA',
  ]) {
    const answer = await service.get(`${url}&asOf=${early}`.replace('?&', '?'));
    t.equal(answer.statusCode, 404, url);
    t.match(answer.json(), { type: /:not-recorded$/, detail: /2025-01-01T00:00:00Z.*\bat\b/ });
  }
  for (const url of [
    '/corsSites?q=Hill',
    '/exports/sites.csv?q=Hill',
    '/exports/installations.csv?conflicts=true',
    '/feed?',
    '/findings?',
    '/exports/feed.csv?',
    '/gnssReceivers?',
    '/ogc/collections/sites/items?',
    '/receivers?',
  ]) {
    const answer = await service.get(`${url}&asOf=${asOf}`.replace('?&', '?'));
    t.equal(answer.statusCode, 400, url);
    t.match(answer.body, /asOf|"q"|"conflicts"/, url);
  }
});
