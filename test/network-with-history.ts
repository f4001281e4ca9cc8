import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStoredLog } from '../src/import-site-logs.js';
import { parseSiteId } from '../src/requests/site-id.js';
import { openWriter } from '../src/store/open.js';
import type { Correction } from '../src/store/save/corrections.js';
import { importInto } from './databases.js';
import { SAMPLE } from './project-files.js';
import { logText } from './synthetic-log.js';
import { withSqlite } from './raw-database.js';

/** Creates a database with a history: logs in several versions, and each kind of correction. */
export async function createNetworkWithHistory(folder: string): Promise<string> {
  const database = join(folder, 'network.sqlite');
  let day = 0;
  const now = (): Date => new Date(Date.UTC(2026, 0, ++day));
  await importInto(database, [SAMPLE], now());
  for (const version of [1, 2, 3]) {
    const logs = join(folder, `logs-${version}`);
    mkdirSync(logs);
    for (const id of ['AAAA', 'BBBB', 'CCCC00AUS', 'CCCC00CAN', 'DDDD00AUS']) {
      // The device SHARED is at several Sites at once; the antenna changes with each version.
      const receivers = [
        { type: 'R1', serial: `${id}-1`, from: '2001-01-01', to: `200${3 + version}-01-01` },
        { type: 'R2', serial: 'SHARED', from: `200${3 + version}-01-01` },
      ];
      const antennas = [
        { type: `A${version}`, serial: `${id}-${version}`, from: '2002-01-01' },
        { type: 'A0', from: 'yesterday', to: '2002-01-01' },
      ];
      const sensors = [
        {
          type: 'H',
          serial: id,
          from: '2003-01-01',
          more: version > 1 ? { '  Aspiration': 'FAN' } : {},
        },
      ];
      const clocks = [{ type: 'INTERNAL', from: '2001-01-01' }];
      const log = {
        id,
        prepared: `202${version}-01-01`,
        name: `${id} ${version}`,
        receivers,
        antennas,
        sensors,
        clocks,
      };
      writeFileSync(join(logs, `${id}_${version}.log`), logText(log));
    }
    await importInto(database, [logs], now());
  }
  const CURRENT =
    'SELECT site_log.id FROM site_log JOIN site ON site.id = site_id WHERE superseded_at IS NULL AND site.four_character_id = ?';
  const current = (site: string): number =>
    withSqlite(database, (db) => db.prepare<[string], number>(CURRENT).pluck().get(site)!);
  const correct = async (site: string, correction: Correction): Promise<void> => {
    const store = await openWriter(database);
    const outcome = await store
      .correct(parseSiteId(site), correction, now, readStoredLog)
      .finally(() => store.close());
    if (outcome.kind !== 'corrected') throw new Error(JSON.stringify(outcome));
  };
  const wrong = current('AAAA');
  await correct('AAAA', { kind: 'withdraw', log: wrong });
  await correct('BBBB', { kind: 'withdraw', log: current('BBBB') });
  await correct('AAAA', { kind: 'restore', log: wrong });
  await correct('DDDD00AUS', { kind: 'rename', to: parseSiteId('EEEE00AUS') });
  await correct('CCCC00CAN', { kind: 'retire' });
  await correct('EEEE00AUS', { kind: 'retire' });
  await correct('EEEE00AUS', { kind: 'unretire' });
  return database;
}
