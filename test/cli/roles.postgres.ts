import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { killAll, runTool, startTool } from '../campaigns/processes.js';
import { readProjectFile, SAMPLE } from '../project-files.js';
import { Cluster } from '../postgres/cluster.js';
import { until } from './serving.js';

/** Runs service and import with the roles and the settings of the guide to PostgreSQL. */

const guide = readProjectFile('src', 'cli', 'POSTGRESQL.md');
const cluster = await Cluster.create({
  hba: ['host all gnss,gnss_reader 127.0.0.1/32 scram-sha-256'],
});
t.teardown(() => cluster.stop());
t.teardown(killAll);
const { primary } = cluster;

const folder = t.testdir({
  'reader.password': 'change me too\n',
  'writer.password': 'change me\n',
});
for (const name of ['reader', 'writer']) chmodSync(join(folder, `${name}.password`), 0o600);

/** A URL of the guide, at the server of this test, which has no TLS. */
const here = (url: string): string =>
  url
    .replace('db1.example.org', `127.0.0.1:${primary.port}`)
    .replace('sslmode=verify-full', 'sslmode=prefer')
    .replace('/etc/gnss-site-setups', folder);

/** The overrides of units in the guide, by the unit. */
const overrides = new Map(
  [...guide.matchAll(/^```ini\n# sudo systemctl edit (\S+)\n(.*?)^```$/gms)].map(
    ([, unit, text]) => [unit!, text!],
  ),
);

t.test('service and import with roles of their own', async (t) => {
  const [create, grant] = [...guide.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, text]) => text!);
  // The cluster of the tests has the first role already.
  for (const statement of create!.replace('CREATE ROLE', 'ALTER ROLE').trim().split('\n'))
    await primary.query(statement);
  await primary.query(grant!, 'gnss');

  const config = /^```\n(DATABASE=.*?)^```$/ms.exec(guide)![1]!;
  writeFileSync(join(folder, 'config'), here(config));
  const service = { env: { CONFIG: join(folder, 'config') } };
  const unit = overrides.get('gnss-site-setups-import.service')!;
  const [, name, url] = /^Environment='(\w+)=(.*)'$/m.exec(unit)!;
  const imports = { env: { ...service.env, [name!]: here(url!) } };

  const start = /^ExecStart=\/usr\/bin\/gnss-site-setups (.+)$/m.exec(
    overrides.get('gnss-site-setups.service')!,
  )![1]!;
  t.equal(start, 'serve');
  const serving = [start, '--port', '0'];
  t.match(await runTool(serving, service), {
    code: 3,
    stderr: /is empty; create its tables with: gnss-site-setups import/,
  });
  t.match(await runTool(['import', SAMPLE], imports), { code: 0, stdout: /8 saved/ });
  t.match(await runTool(['lookup', 'ALIC'], service), { code: 0, stdout: /LEICA GR25/ });
  const { child, ended, output } = startTool(serving, service);
  await until('the service serves', () => /serving 8 Sites/.test(output.stdout + output.stderr));
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });

  const refused = await runTool(['import', SAMPLE], service);
  t.match(refused, {
    code: 3,
    stderr: /cannot be used: permission denied for table \w+ \(42501\); grant the role /,
  });
  const withdraw = await runTool(['log', 'withdraw', 'ALIC', 'alic_20170223.log'], service);
  t.match(withdraw, { code: 3, stderr: /permission denied for table/ });
});
