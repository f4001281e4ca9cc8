import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { exactSiteId, parseSiteId } from '../../src/requests/site-id.js';
import { openReader, openWriter } from '../../src/store/open.js';
import type { Correction } from '../../src/store/save/corrections.js';
import type { Store } from '../../src/store/store.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { RUNS_ALL, triesMore } from '../effort.js';
import { aboutFiles } from '../databases.js';
import { logText } from '../synthetic-log.js';

const MOST_STEPS = RUNS_ALL ? 6 : 3;
/** The ids that logs give. */
const GIVEN = ['ABCD', 'ABCD00AUS', 'ABCD00CAN', 'WXYZ00AUS'];
/** What an operator does: a correction of the Site that an id names, or of the first Site. */
const CORRECTIONS: [site: string | null, correction: Correction][] = [
  ['ABCD', { kind: 'rename', to: parseSiteId('WXYZ') }],
  ['WXYZ', { kind: 'rename', to: parseSiteId('ABCD') }],
  ['ABCD', { kind: 'rename', to: parseSiteId('WXYZ00AUS') }],
  [null, { kind: 'retire' }],
  [null, { kind: 'unretire' }],
];

/**
 * What this test knows about a Site: its ids, every four characters that it ever had, and the ids
 * that its logs give.
 */
interface Site {
  id: number;
  four: string;
  nine: string | null;
  retired: boolean;
  had: string[];
  logs: string[];
}
interface State {
  steps: string[];
  bytes: Buffer;
  sites: Site[];
}

const idOf = ({ four, nine }: Site): string => nine ?? four;

/** The id of a Site that names it also if others have the four characters of an id. */
const namedBeside =
  (id: string) =>
  (site: Site): string =>
    site.four === id.slice(0, 4) ? exactSiteId(site.four, site.nine) : idOf(site);
const folder = t.testdir();
const file = join(folder, 'test.sqlite');

/** A log, later than those of the steps before. */
const logOf = (id: string, step: number) => {
  const receivers = [{ type: 'R', serial: `${id}-${step}`, from: '2001-01-01' }];
  const original = Buffer.from(logText({ id, prepared: `2020-01-0${step}`, receivers }));
  return readAsImported({ name: `${id}.log`, original, importedAt: new Date('2020-02-01') });
};
const logs = new Map(
  GIVEN.map((id) => [id, Array.from({ length: MOST_STEPS }, (_, step) => logOf(id, step + 1))]),
);

const writing = async <T>(
  work: (store: Awaited<ReturnType<typeof openWriter>>) => Promise<T>,
): Promise<T> => {
  const store = await openWriter(file);
  return work(store).finally(() => store.close());
};

/** What is on record. @param before the Sites before the last step */
function onRecord(before: Site[]): { sites: Site[]; lost: number[]; former: unknown[] } {
  const db = new Database(file, { readonly: true });
  const all = <Row>(query: string): Row[] => db.prepare(query).all() as Row[];
  const saved = all<{ site: number; name: string; current: number }>(
    'SELECT site_id AS site, name, superseded_at IS NULL AS current FROM site_log ORDER BY id',
  );
  const rows = all<{
    id: number;
    four_character_id: string;
    nine_character_id: string | null;
    retired_at: string | null;
  }>('SELECT * FROM site ORDER BY id');
  const sites = rows.map(
    ({ id, four_character_id: four, nine_character_id: nine, retired_at }): Site => {
      const had = [...new Set([...(before.find((site) => site.id === id)?.had ?? []), four])];
      const own = saved.filter(({ site }) => site === id).map(({ name }) => name.slice(0, -4));
      return { id, four, nine, retired: retired_at !== null, had, logs: own };
    },
  );
  // The last log of each Site is the current one, and gives its Setup.
  const lost = rows.filter(({ id, retired_at }) => {
    const setups = all<{ site: number }>(
      'SELECT site_id AS site FROM setup WHERE superseded_at IS NULL',
    ).filter(({ site }) => site === id);
    const own = saved.filter(({ site }) => site === id);
    return (
      setups.length !== (retired_at === null ? 1 : 0) ||
      own.findIndex(({ current }) => current === 1) !== own.length - 1
    );
  });
  const former = all<object>(`
    SELECT site_id, four_character_id, nine_character_id FROM site_identity
    WHERE role = 'former' AND superseded_at IS NULL
    ORDER BY four_character_id, nine_character_id, site_id`);
  db.close();
  return { sites, lost: lost.map(({ id }) => id), former };
}

/**
 * The Sites of which a log can be: with four characters, all that ever had them; with nine, the one
 * that has these or a log with them, or else the one that had the four characters and of which no
 * nine are known.
 */
function possibleOwners(sites: Site[], given: string): Site[] {
  const named = sites.filter(({ had }) => had.includes(given.slice(0, 4)));
  if (given.length === 4) return named;
  const same = named.filter((site) => site.nine === given || site.logs.includes(given));
  if (same.length > 0) return same;
  return named.filter(
    (site) =>
      (site.nine === null || hasOtherFourByOperator(site, given)) &&
      !site.logs.some((log) => log.length === 9 && log.startsWith(given.slice(0, 4))),
  );
}

/** Whether an operator gave a Site nine characters that do not begin with those of an id. */
const hasOtherFourByOperator = ({ four, nine, logs: given }: Site, id: string): boolean =>
  four !== id.slice(0, 4) && !given.includes(nine ?? '');

/** Whether a lookup by an id says what it may say about the Sites on record. */
async function isRight(store: Store, id: string, sites: Site[]): Promise<boolean> {
  const answer = await store.sites.findNumbers([parseSiteId(id)]);
  const meant = possibleOwners(sites, id);
  const here = meant.filter(({ retired }) => !retired);
  const named = here.length > 0 ? here : meant;
  const isPresent = ({ four, nine }: Site): boolean =>
    four === id.slice(0, 4) && (id.length === 4 || nine === null || nine === id);
  switch (answer.kind) {
    case 'found':
      return here.length === 1 && answer.found[0] === here[0]!.id && isPresent(here[0]!);
    case 'ambiguous-site':
      return (
        here.length > 1 && String(answer.candidates) === String(here.map(namedBeside(id)).sort())
      );
    case 'retired-site':
      return here.length === 0 && meant.length > 0;
    case 'renamed-site':
      return named.length === 1 && !isPresent(named[0]!) && idOf(named[0]!) === answer.id;
    case 'unknown-site':
      return meant.length === 0;
  }
}

/** Imports a log. @returns what is wrong with that */
async function importLog({ sites, steps }: State, given: string): Promise<string[]> {
  const outcome = await writing(
    async (store) =>
      (
        await store.saveSiteLogs(
          [logs.get(given)![steps.length]!],
          () => new Date('2020-02-01'),
          (siteLog, importedAt) => ({ ...siteLog, importedAt }),
        )
      )[0]!,
  );
  const owners = possibleOwners(sites, given);
  if (owners.length > 1) {
    const isRejected =
      outcome.kind === 'ambiguous' &&
      String(outcome.candidates.sort()) === String(owners.map(idOf).sort());
    return isRejected
      ? []
      : [`may be of ${owners.map(idOf).join(' or ')}, but ${JSON.stringify(outcome)}`];
  }
  const { sites: after } = onRecord(sites);
  const number = owners[0]?.id ?? sites.length + 1;
  const logsBefore = sites.find(({ id }) => id === number)?.logs ?? [];
  const isSaved =
    String(after.find(({ id }) => id === number)?.logs) === String([...logsBefore, given]);
  return isSaved ? [] : [`is of Site ${number}, but ${JSON.stringify(outcome)}`];
}

/** Whether there is anything to correct. */
const isPossible = ([site, { kind }]: (typeof CORRECTIONS)[number], { sites }: State): boolean =>
  site === null
    ? sites[0]?.retired === (kind === 'unretire')
    : sites.some(({ four }) => four === site);

/** Makes a correction, which may be refused. @returns what is wrong with that */
async function correct(
  { sites }: State,
  site: string | null,
  correction: Correction,
): Promise<string[]> {
  const id = site ?? idOf(sites[0]!);
  await writing((store) =>
    store.correct(parseSiteId(id), correction, () => new Date('2020-02-01'), readStoredLog),
  );
  const given = (each: Site[]): string => JSON.stringify(each.map(({ logs }) => logs));
  return given(onRecord(sites).sites) === given(sites) ? [] : ['changes which logs a Site has'];
}

/** What is wrong with the record after any step. */
async function wrongRecord(sites: Site[], lost: number[]): Promise<string[]> {
  const wrong = lost.map((id) => `Site ${id} does not follow its last log`);
  for (const { id, logs: given } of sites) {
    for (const four of ['ABCD', 'WXYZ']) {
      const stations = new Set(given.filter((log) => log.length === 9 && log.startsWith(four)));
      if (stations.size > 1) wrong.push(`Site ${id} has logs of ${[...stations].join(' and ')}`);
    }
  }
  const store = await openReader(file);
  for (const id of [...GIVEN, 'WXYZ'])
    if (!(await isRight(store, id, sites))) wrong.push(`wrong answer for ${id}`);
  await store.close();
  return wrong;
}

/**
 * Takes every order of steps. Orders that lead to the same are continued only once: to Sites with
 * the same ids, former ids and retirements, whose logs give the same ids and whose current logs do.
 * A step that changes none of that ends its order, and a correction is not tried if no Site has the
 * id, or if the Site is retired already or not retired.
 */
t.test(
  `every order of ${MOST_STEPS} imports and corrections`,
  { ...aboutFiles, ...triesMore },
  async (t) => {
    await writing(() => Promise.resolve());
    let states: State[] = [{ steps: [], bytes: readFileSync(file), sites: [] }];
    const known = new Set<string>();
    const wrong: string[] = [];
    let taken = 0;
    let verified = 0;
    for (let step = 1; step <= MOST_STEPS; step++) {
      const next: State[] = [];
      for (const state of states) {
        const steps: [name: string, run: () => Promise<string[]>][] = [
          ...GIVEN.map((id): [string, () => Promise<string[]>] => [
            `import ${id}`,
            () => importLog(state, id),
          ]),
          ...CORRECTIONS.filter((each) => isPossible(each, state)).map(
            ([site, correction]): [string, () => Promise<string[]>] => [
              `${correction.kind} ${site ?? 'the first'}${'to' in correction ? ` ${correction.to.nineCharacterId ?? correction.to.fourCharacterId}` : ''}`,
              () => correct(state, site, correction),
            ],
          ),
        ];
        for (const [name, run] of steps) {
          writeFileSync(file, state.bytes);
          const order = [...state.steps, name];
          const report = (messages: string[]) =>
            wrong.push(...messages.map((message) => `${order.join(', ')}: ${message}`));
          report(await run());
          taken++;
          const { sites, lost, former } = onRecord(state.sites);
          const key = JSON.stringify([
            sites.map((site) => ({
              ...site,
              had: site.had.toSorted(),
              logs: [...new Set(site.logs)].sort(),
              current: site.logs.at(-1),
            })),
            former,
          ]);
          if (known.has(key)) continue;
          known.add(key);
          report(await wrongRecord(sites, lost));
          next.push({ steps: order, bytes: readFileSync(file), sites });
          if (known.size % 10 !== 0) continue;
          verified++;
          report((await verifyDatabase(file, readAsImported)).problems.map(({ text }) => text));
        }
      }
      states = next;
    }
    t.comment(`${taken} steps to ${known.size} states, ${verified} verified`);
    t.same(wrong.slice(0, 20), []);
    t.ok(known.size > (RUNS_ALL ? 100 : 20));
  },
);
