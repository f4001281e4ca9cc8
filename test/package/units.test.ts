import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { runTool } from '../campaigns/processes.js';
import { readProjectFile, ROOT } from '../helper.js';

const SERVICES = readdirSync(join(ROOT, 'src/package/systemd')).filter((name) =>
  name.endsWith('.service'),
);

/** The values of a setting of a unit. */
const valuesOf = (unit: string, name: string): string[] =>
  [
    ...readProjectFile('src', 'package', 'systemd', unit).matchAll(
      new RegExp(`^${name}=(.*)$`, 'gm'),
    ),
  ].map(([, value]) => value!);

t.test('a unit with a wrong setting fails, instead of restarting for ever', async (t) => {
  const folder = t.testdir({ config: 'PROT=80\n' });
  mkdirSync(join(folder, 'gnss-site-setups/site-logs'), { recursive: true });
  t.equal(SERVICES.length, 2);
  for (const unit of SERVICES) {
    t.strictSame(valuesOf(unit, 'Restart'), ['on-failure'], unit);
    // systemd applies it to the main process only.
    t.strictSame(valuesOf(unit, 'RestartPreventExitStatus'), ['2'], unit);
    t.strictSame(valuesOf(unit, 'ExecStartPre'), [], unit);
    const [program, ...args] = valuesOf(unit, 'ExecStart')[0]!.replace('%S', folder).split(' ');
    t.equal(program, '/usr/bin/gnss-site-setups', unit);
    const { code, stderr } = await runTool(args, {
      cwd: folder,
      env: { CONFIG: join(folder, 'config') },
    });
    t.equal(code, 2, unit);
    t.match(
      stderr,
      /config" line 1: unknown setting PROT; did you mean PORT\?\nSee gnss-site-setups serve --help\n$/,
      unit,
    );
    writeFileSync(join(folder, 'wrong-jobs'), 'JOBS=many\n');
    t.match(await runTool(args, { cwd: folder, env: { CONFIG: join(folder, 'wrong-jobs') } }), {
      code: 2,
      stderr: /JOBS "many": .*\nSee gnss-site-setups import --help\n$/,
    });
  }
});
