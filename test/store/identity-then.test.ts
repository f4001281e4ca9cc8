import t from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { parsedValue } from '../../src/serializers/json-text.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { randomOf } from '../campaigns/random.js';
import type { SetupAnswer } from '../../src/store/read/setups/setups.js';
import type { Store } from '../../src/store/store.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { RUNS_ALL, SEED, triesMore } from '../effort.js';
import { newDatabase } from '../databases.js';
import { logText } from '../synthetic-log.js';
import { IdentityModel, type ModelCorrection } from '../identity-model.js';

/**
 * Random sequences of imports and corrections, compared with a model of identity; and whether each
 * answer for a time stays what it was.
 */

const STEPS = 8;
const MINUTE = 60_000;
/** The kinds of answers that the sequences must come to. */
const KINDS = ['found', 'ambiguous', 'renamed', 'retired', 'no-current-setup'];
/**
 * How many sequences are tried, or more until there were all kinds of answers. Each statement over
 * PostgreSQL takes a round trip.
 */
function sequencesToTry(): number {
  if (process.env.TEST_DATABASE !== undefined) return 15;
  return RUNS_ALL ? 2000 : 50;
}

/** An answer in the words of the model. */
function wordsOf(answer: SetupAnswer): string {
  switch (answer.kind) {
    case 'found': {
      const [receiver] = parsedValue(answer.setup.equipmentInUse);
      return `found ${receiver!.content.id.serialNumber}`;
    }
    case 'ambiguous-site':
      return `ambiguous ${answer.candidates.join(' ')}`;
    case 'renamed-site':
      return `renamed ${answer.id}`;
    case 'retired-site':
      return 'retired';
    case 'unknown-site':
    case 'not-recorded':
      return 'no Site';
    case 'no-current-setup':
    case 'before-first-setup':
      return answer.kind;
  }
}

/** What lookups answer for some ids, now or as of then; one id at a time, and all together. */
async function answersOf(
  reader: Store,
  ids: string[],
  asOf: string | null,
): Promise<{ words: string[]; all: string[] }> {
  const search = { at: null, asOf, projection: null };
  const together = await reader.setups.findMany(ids.map(parseSiteId), {
    ...search,
    projection: 'provenance',
  });
  const words: string[] = [];
  const all = together.map((answer) => JSON.stringify(answer));
  for (const id of ids) {
    const site = parseSiteId(id);
    words.push(wordsOf(await reader.setups.findOne(site, search)));
    all.push(JSON.stringify(await reader.sites.findOne(site, asOf)));
  }
  return { words, all };
}

t.test('Sites are who the model says, now and as of then', triesMore, async (t) => {
  const database = await newDatabase(t, t.testdir() + '/then.sqlite');
  const sequences = sequencesToTry();
  const writer = await openWriter(database);
  const reader = await openReader(database);
  const wrong: string[] = [];
  const kinds = new Map<string, number>();
  const asked: { asOf: string; ids: string[]; words: string[]; all: string[]; after: string }[] =
    [];
  let time = Date.UTC(2020, 0, 1);
  const now = (): Date => new Date(time);
  let lastLog = 0;
  const areAllAsked = (): boolean => KINDS.every((kind) => kinds.has(kind));
  const most = 10 * sequences;
  for (
    let sequence = 1;
    sequence <= sequences || (!areAllAsked() && sequence <= most);
    sequence++
  ) {
    const random = randomOf(SEED, 'identity-then', sequence);
    const model = new IdentityModel(lastLog);
    const number = sequence.toString(36).toUpperCase().padStart(3, '0');
    const ids = [`A${number}`, `B${number}`].flatMap((four) => [
      four,
      `${four}00AUS`,
      `${four}00NZL`,
    ]);
    const steps: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      time += 10 * MINUTE;
      const id = random.pick(ids);
      if (random.chance(0.5)) {
        const prepared = `2019-01-0${1 + random.below(8)}`;
        const serial = `${sequence}-${step}`;
        steps.push(`import ${id} of ${prepared}`);
        const receivers = [{ type: 'R', serial, from: '2001-01-01' }];
        const original = Buffer.from(logText({ id, prepared, receivers }));
        const siteLog = readAsImported({ name: `${step}.log`, original, importedAt: now() });
        const [outcome] = await writer.saveSiteLogs([siteLog], now, (log, importedAt) => ({
          ...log,
          importedAt,
        }));
        const rejected = outcome!.kind === 'ambiguous' ? outcome!.candidates : null;
        const expected = model.importLog(id, prepared, serial);
        if (rejected?.join() !== expected?.join())
          wrong.push(`import says ${rejected}, not ${expected}: ${steps.join(', ')}`);
      } else {
        const log = lastLog + 1 + random.below(model.lastLog - lastLog + 1);
        const to = random.pick(ids);
        const correction = random.pick<ModelCorrection>([
          { kind: 'withdraw', log },
          { kind: 'withdraw', log },
          { kind: 'restore', log },
          { kind: 'rename', to },
          { kind: 'retire' },
          { kind: 'unretire' },
        ]);
        steps.push(`${correction.kind} ${id}`);
        const whyNot = model.whyNot(id);
        const made: Correction =
          correction.kind === 'rename' ? { kind: 'rename', to: parseSiteId(to) } : correction;
        const outcome = await writer.correct(parseSiteId(id), made, now, readStoredLog);
        const isDecided = outcome.kind === 'corrected' || outcome.kind === 'refused';
        const said = isDecided ? null : wordsOf(outcome);
        if (said !== whyNot)
          wrong.push(`${correction.kind} says ${said}, not ${whyNot}: ${steps.join(', ')}`);
        if (outcome.kind === 'corrected' && whyNot === null) model.correct(id, correction);
      }
      const after = steps.join(', ');
      const expected = ids.map((each) => model.lookup(each));
      const { words } = await answersOf(reader, ids, null);
      for (const [index, each] of ids.entries()) {
        const kind = words[index]!.split(' ')[0]!;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (words[index] !== expected[index])
          wrong.push(`${each} is ${words[index]}, not ${expected[index]}: ${after}`);
      }
      const asOf = new Date(time + MINUTE).toISOString();
      const then = await answersOf(reader, ids, asOf);
      if (then.words.join() !== expected.join())
        wrong.push(`asOf says ${then.words.join()}, not ${expected.join()}: ${after}`);
      asked.push({ asOf, ids, ...then, after });
    }
    lastLog = model.lastLog;
  }
  for (const { asOf, ids, words, all, after } of asked) {
    const again = await answersOf(reader, ids, asOf);
    if (again.words.join() !== words.join() || again.all.join() !== all.join())
      wrong.push(`${asOf} has changed: ${after}`);
  }
  await reader.close();
  await writer.close();
  t.comment(`${asked.length} steps; ${JSON.stringify([...kinds])}`);
  t.same(wrong.slice(0, 5), []);
  for (const kind of KINDS) t.ok(kinds.has(kind), kind);
  if (process.env.TEST_DATABASE === undefined)
    t.same((await verifyDatabase(database, readAsImported)).problems, []);
});
