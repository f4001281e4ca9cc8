import t from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openReader, openWriter } from '../../src/store/open.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { casesOf } from '../effort.js';
import { aboutFiles, logText } from '../helper.js';

/** The ids that logs give and requests ask for. */
const IDS = ['ABCD', 'ABCD00AUS', 'ABCD00NZL', 'WXYZ', 'WXYZ00AUS', 'WXYZ00NZL'];
const STEPS = 8;
const MINUTE = 60_000;

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Takes random sequences of imports and corrections. After each step, the answers for all ids now
 * are remembered; at the end, each is what `asOf` gives.
 */
t.test('asOf answers for every id as this service did then', aboutFiles, async (t) => {
  const wrong: string[] = [];
  let asked = 0;
  const kinds = new Set<string>();
  for (let sequence = 1; sequence <= casesOf(300); sequence++) {
    const random = randomNumbers(sequence);
    const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const file = t.testdir() + '/then.sqlite';
    const store = await openWriter(file);
    const reader = await openReader(file);
    const answersOf = async (asOf: string | null): Promise<string[]> => {
      const answers = await reader.setups.findMany(IDS.map(parseSiteId), {
        at: null,
        asOf,
        projection: null,
      });
      return answers.map((answer) => {
        kinds.add(answer.kind);
        if (answer.kind === 'found')
          return `${answer.setup.siteId} ${JSON.stringify(answer.setup.equipmentInUse)}`;
        // Both say that no Site had the id.
        if (answer.kind === 'not-recorded' || answer.kind === 'unknown-site') return 'no Site';
        if (answer.kind === 'no-current-setup') return answer.kind;
        return JSON.stringify(answer);
      });
    };
    const before: [asOf: string, answers: string[], after: string][] = [];
    const steps: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const time = new Date(Date.UTC(2020, 0, 1 + step));
      const now = (): Date => time;
      const id = oneOf(IDS);
      if (random() < 0.5) {
        const prepared = `2019-01-0${1 + Math.floor(random() * 8)}`;
        const receivers = [{ type: 'R', serial: `${id}-${step}`, from: '2001-01-01' }];
        const original = Buffer.from(logText({ id, prepared, receivers }));
        const siteLog = readAsImported({ name: `${step}.log`, original, importedAt: time });
        await store.saveSiteLogs([siteLog], now, (log, importedAt) => ({ ...log, importedAt }));
        steps.push(`import ${id}`);
      } else {
        const log = 1 + Math.floor(random() * (step + 1));
        const correction = oneOf<Correction>([
          { kind: 'withdraw', log },
          { kind: 'withdraw', log },
          { kind: 'restore', log },
          { kind: 'rename', to: parseSiteId(oneOf(IDS)) },
          { kind: 'retire' },
          { kind: 'unretire' },
        ]);
        await store.correct(parseSiteId(id), correction, now, readStoredLog);
        steps.push(`${correction.kind} ${id}`);
      }
      const later = new Date(time.getTime() + MINUTE).toISOString();
      before.push([later, await answersOf(null), steps.join(', ')]);
    }
    for (const [asOf, answers, after] of before) {
      asked += IDS.length;
      const then = await answersOf(asOf);
      const different = IDS.filter((_, index) => then[index] !== answers[index]);
      if (different.length > 0) wrong.push(`${different.join(' ')} after ${after}`);
    }
    await reader.close();
    await store.close();
    if (sequence % 10 === 0)
      wrong.push(
        ...(await verifyDatabase(file, readAsImported)).problems.map(
          ({ text }) => `${text} after ${steps.join(', ')}`,
        ),
      );
  }
  t.comment(`${asked} answers`);
  t.same(wrong.slice(0, 10), []);
  const expected = ['found', 'ambiguous-site', 'renamed-site', 'retired-site', 'no-current-setup'];
  t.same(
    expected.filter((kind) => !kinds.has(kind)),
    [],
  );
});
