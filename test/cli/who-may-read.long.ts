import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MAIN, runTool } from '../campaigns/processes.js';
import { createDatabase } from '../databases.js';
import { SAMPLE } from '../project-files.js';
import { run, serve, shortFolder } from './serving.js';

/**
 * A user without rights: nobody, if these tests run as root; otherwise this user, who loses the
 * rights to its own files by their mode.
 */
const OTHER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const isReadable = spawnSync('test', ['-r', MAIN], OTHER).status === 0;
const skip = !isReadable && 'users without rights cannot read this project';

const runAs = (user: { uid?: number; gid?: number }, args: string[]) => runTool(args, { user });

/** The commands that read a database, each with the arguments of one that works. */
const readers = (database: string, output: string): string[][] => [
  ['lookup', 'ALIC', '--database', database],
  ['sites', '--database', database],
  ['export', 'sites', '--database', database],
  ['log', 'list', 'ALIC', '--database', database],
  ['serve', '--check', '--port', '0', '--database', database],
  ['verify', '--database', database],
  ['backup', '--database', database, join(output, 'copy.sqlite')],
];

t.test(
  'a user who may not enter the folder of the database learns why, with exit code 3',
  { skip },
  async (t) => {
    const folder = shortFolder(t);
    const state = join(folder, 'state');
    mkdirSync(state);
    const database = join(state, 'a.sqlite');
    await createDatabase(database, [SAMPLE]);
    chmodSync(folder, 0o755);
    chmodSync(state, 0o600);
    t.teardown(() => chmodSync(state, 0o700));
    const others = [
      ['serve', '--database', database],
      ['site', 'retire', 'ALIC', '--database', database],
      ['import', SAMPLE, '--database', database],
      ['copy', '--from', database, '--to', join(folder, 'new.sqlite')],
      ['restore', '--database', database, join(folder, 'any.sqlite')],
    ];
    const line = new RegExp(
      `^gnss-site-setups: database "[^"]*" cannot be opened: this user may not enter the folder "${state}"; run [^\\n]*\\n$`,
    );
    for (const args of [...readers(database, folder), ...others])
      t.match(await runAs(OTHER, args), { code: 3, stdout: '', stderr: line }, args.join(' '));
    t.match(await runAs(OTHER, ['backup', '--database', 'any', join(state, 'x')]), {
      code: 3,
      stderr: /^[^\n]*state\/x" cannot be used: [^\n]*\n$/,
    });

    chmodSync(state, 0o755);
    chmodSync(database, 0);
    t.match(await runAs(OTHER, ['sites', '--database', database]), {
      code: 3,
      stderr: /: this user may not read it; run/,
    });
  },
);

t.test(
  'a backup can be read by a user who may only read it and its folder; a database in WAL mode names backup',
  { skip },
  async (t) => {
    const folder = shortFolder(t);
    const state = join(folder, 'state');
    const output = join(folder, 'output');
    for (const each of [state, output]) mkdirSync(each);
    const backup = join(state, 'backup.sqlite');
    const live = join(state, 'live.sqlite');
    const source = join(folder, 'a.sqlite');
    await createDatabase(source, [SAMPLE]);
    await run(['backup', '--database', source, backup]);
    copyFileSync(source, live);
    for (const each of [backup, live]) chmodSync(each, 0o444);
    chmodSync(output, 0o777);
    chmodSync(folder, 0o755);
    chmodSync(state, 0o555);
    t.teardown(() => chmodSync(state, 0o755));
    for (const args of readers(backup, output))
      t.match(await runAs(OTHER, args), { code: 0, stderr: '' }, args.join(' '));
    for (const args of readers(live, output))
      t.match(
        await runAs(OTHER, args),
        {
          code: 3,
          stdout: '',
          stderr: /^[^\n]* is in WAL mode, [^\n]* gnss-site-setups backup FILE\n$/,
        },
        args.join(' '),
      );
    for (const args of [
      ['site', 'retire', 'ALIC'],
      ['import', SAMPLE],
    ])
      t.match(await runAs(OTHER, [...args, '--database', backup]), {
        code: 3,
        stderr: /" cannot be written: this user may not write it; run/,
      });
  },
);

const root = process.getuid?.() === 0;
t.test(
  'members of the group can read the database of a running service',
  { skip: skip || (!root && 'only root can do that') },
  async (t) => {
    const folder = shortFolder(t);
    chmodSync(folder, 0o755);
    const state = join(folder, 'state');
    mkdirSync(state, 0o750);
    const database = join(state, 'a.sqlite');
    await createDatabase(database, [SAMPLE]);
    const group = 54321;
    for (const each of [state, database]) chownSync(each, 0, group);
    chmodSync(state, 0o750);
    chmodSync(database, 0o640);
    const { base } = await serve(t, state, ['--port', '0', '--database', database]);
    t.not(base, '');
    for (const args of readers(database, '/tmp').slice(0, 4))
      t.match(
        await runAs({ uid: 65534, gid: group }, args),
        { code: 0, stderr: '' },
        args.join(' '),
      );
  },
);
