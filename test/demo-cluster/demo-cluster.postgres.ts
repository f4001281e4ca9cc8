import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { ROOT } from '../helper.js';
import { missing } from '../postgres/in-front.js';

const MAIN = join(ROOT, 'dist', 'test', 'demo-cluster', 'main.js');

const name = 'npm run demo-cluster -- --script: no client sees that servers are killed, promoted and silent, and services killed';
t.test(name, { skip: missing('nginx') }, async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--script'], { cwd: ROOT });
  t.match(stdout, /PostgreSQL 2 is the primary/);
  t.match(stdout, /PostgreSQL 1 started as a replica/);
  t.match(stdout, /service a killed/);
  t.match(stdout, /ten logs imported, version 4/);
  t.match(stdout, /clients saw \d{4} answers, 0 failed/);
});
