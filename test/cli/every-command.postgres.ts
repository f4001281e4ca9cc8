import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COMMANDS } from '../../src/cli/commands.js';
import { killAll, runTool, startService } from '../campaigns/processes.js';
import { SAMPLE } from '../project-files.js';
import { createDatabase } from '../postgres/database.js';

t.teardown(killAll);

/** How long a command may take: one that does not end would be killed only much later. */
const LONGEST = 60_000;

t.test('every command ends over PostgreSQL', async (t) => {
  const folder = t.testdir({ copies: {}, contract: {} });
  const path = (...names: string[]): string => join(folder, ...names);
  const log = join(SAMPLE, 'alic_20170223.log');
  const database = await createDatabase(t);
  const of = ['--database', database];
  t.match(await runTool(['import', SAMPLE, ...of]), { code: 0 });
  const backup = await runTool(['backup', path('backup.sqlite'), ...of]);
  t.equal(backup.code, 0);
  const header = await runTool(['export', 'rinex', 'ALIC', '--at', '2016-03-01', ...of]);
  const rinex = path('alic0610.16o');
  writeFileSync(rinex, header.stdout);
  // Another one, whose serial number is searched at other Sites.
  mkdirSync(path('other'));
  const other = path('other', 'alic0610.16o');
  writeFileSync(other, header.stdout.replace('1830439', '1830440'));
  const service = await startService(database);
  t.teardown(() => service.stop());

  type Run = [args: string[], code: number];
  const runs: Record<string, Run[]> = {
    serve: [[['--check', '--port', '0', ...of], 0]],
    import: [[[SAMPLE, ...of], 0]],
    'check-log': [[[log, ...of], 0]],
    'compare-logs': [[[log, log, ...of], 0]],
    'check-rinex': [
      [[rinex, ...of], 0],
      [[other, ...of], 1],
    ],
    'fix-rinex': [[[rinex, '--output', path('copies'), ...of], 0]],
    convert: [[[log, '--to', 'geodesyml05'], 0]],
    lookup: [[['ALIC', ...of], 0]],
    sites: [[of, 0]],
    export: [[['sites', '--format', 'csv', ...of], 0]],
    log: [[['list', 'ALIC', ...of], 0]],
    site: [[['retire', 'ALIC', '--dry-run', ...of], 0]],
    backup: [[[path('another.sqlite'), ...of], 0]],
    restore: [[[path('backup.sqlite'), '--database', await createDatabase(t)], 0]],
    migrate: [[of, 0]],
    copy: [[['--from', database, '--to', await createDatabase(t)], 0]],
    verify: [[of, 0]],
    'export-schemas': [[[path('contract')], 0]],
    completion: [[['bash'], 0]],
  };
  for (const name of Object.keys(COMMANDS)) {
    for (const [args, code] of runs[name] ?? []) {
      const title = `${name} ${args.join(' ')}`;
      const ended = await runTool([name, ...args], {}, LONGEST);
      t.match(ended, { code, signal: null }, title);
    }
  }
  t.same(Object.keys(runs), Object.keys(COMMANDS), 'all commands, and no others');
  t.same(await service.stop(), [], 'serve ends too');
});
