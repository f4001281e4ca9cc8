import t from 'tap';
import { importLogs, killAll, runTool, startService } from '../campaigns/processes.js';
import { SAMPLE } from '../helper.js';
import { Cluster } from './cluster.js';
import { startPooler, withoutPooler } from './pooler.js';

const CLIENTS = 50;

t.test('an import and lookups work through PgBouncer in transaction mode without further settings', { skip: withoutPooler }, async (t) => {
  t.teardown(killAll);
  const cluster = await Cluster.create();
  t.teardown(() => cluster.stop());
  const database = await cluster.createDatabase();
  const port = await startPooler(cluster);
  const pooled = `postgres://gnss@127.0.0.1:${port}/${database}`;
  await importLogs(pooled, SAMPLE);
  const [through, direct] = await Promise.all([startService(pooled, ['--cache-megabytes', '0']), startService(cluster.url(database))]);
  const ask = async (service: { port: number }, path: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`);
    return `${response.status} ${(await response.text()).replaceAll(`:${service.port}/`, '/')}`;
  };
  const paths = ['/setups/search/findCurrentByFourCharacterId?id=ALIC', '/setups?size=100', '/gnssReceivers?type=LEICA%20GR25', '/sites'];
  const expected = await Promise.all(paths.map((path) => ask(direct, path)));
  t.ok(expected.every((answer) => answer.startsWith('200 ')));
  // More clients than the pooler has connections, so that these change hands between statements.
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => Promise.all(paths.map((path) => ask(through, path)))));
  t.strictSame([...new Set(answers.flat())].sort(), [...expected].sort());
  t.strictSame([await through.stop(), await direct.stop()], [[], []]);

  const { code, stdout } = await runTool(['import', '--database', pooled, SAMPLE]);
  t.equal(code, 0, 'a second import');
  t.match(stdout, /unchanged/);
});
