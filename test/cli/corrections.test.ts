import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import * as logCommand from '../../src/cli/commands/log.js';
import * as siteCommand from '../../src/cli/commands/site.js';
import { killAll, type Service, startService } from '../campaigns/processes.js';
import { importInto } from '../databases.js';
import { HtmlPage } from '../http/html-page.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';
import { type AnyCommand, runHere } from './in-process.js';
import { fails } from './serving.js';

const folder = t.testdir({ logs: {} });
const database = join(folder, 'a.sqlite');
t.teardown(killAll);

/**
 * A name that clears the screen, ends the line and reverses the text of a terminal that prints it
 * as it is.
 */
const HOSTILE_NAME = 'b\u001b[2J\n\u202ex.log';

const log = (id: string, prepared: string, type: string): SyntheticLog => ({
  id,
  prepared,
  receivers: [{ type, serial: `${id}-${type}`, from: '2001-01-01' }],
});
const right = (id: string) => log(id, '2020-01-01', 'RIGHT');
const wrong = (id: string) => log(id, '2021-01-01', 'WRONG');

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Two logs whose SHA-256 begin with the same four characters; of some hundred, there are two. */
function logsOfOneDigest(id: string): string[] {
  const seen = new Map<string, string>();
  for (let number = 0; ; number++) {
    const text = logText({ ...right(id), name: `Test ${number}` });
    const digest = sha256Of(text).slice(0, 4);
    const other = seen.get(digest);
    if (other !== undefined) return [other, text];
    seen.set(digest, text);
  }
}

const twins = logsOfOneDigest('TWIN');

/** The logs in the order of their numbers, which begin with 1. */
const LOGS: [string, string][] = [
  ...['UNDO', 'REST', 'SAME00AUS', 'SAME00CAN'].flatMap((id): [string, string][] => [
    [`${id}-1.log`, logText(right(id))],
    [id === 'UNDO' ? HOSTILE_NAME : `${id}-2.log`, logText(wrong(id))],
  ]),
  ...['GONE', 'OLDE00AUS', 'LOOK00AUS', 'ONLY'].map((id): [string, string] => [
    `${id}.log`,
    logText(right(id)),
  ]),
  ...twins.map((text, index): [string, string] => [`TWIN-${index}.log`, text]),
];
/** The number of a log, by its place in {@link LOGS}. */
const numberOf = (name: string): string => String(1 + LOGS.findIndex(([each]) => each === name));

let service: Service;
t.before(async () => {
  for (const [index, [name, text]] of LOGS.entries()) {
    const path = join(folder, 'logs', name);
    writeFileSync(path, text);
    const { saved, older } = await importInto(
      database,
      [path],
      new Date(Date.UTC(2022, 0, 1 + index)),
    );
    if (saved + older !== 1) throw new Error(`${name} was not imported`);
  }
  service = await startService(database);
});
t.teardown(async () => {
  const problems = await service.stop();
  if (problems.length > 0) throw new Error(problems.join('\n'));
});

const run = (...args: string[]) => runHere([...args, '--database', database]);

/** Runs a command that must succeed, and checks its lines. */
async function does(t: Test, command: string, lines: (string | RegExp)[]): Promise<void> {
  const { code, stdout, stderr } = await run(...command.split(' '));
  t.same([code, stderr], [0, ''], command);
  t.match(stdout.trimEnd().split('\n'), lines, command);
  t.equal(stdout.trimEnd().split('\n').length, lines.length, `${command}: ${lines.length} lines`);
  t.notMatch(stdout, /[^\P{C}\n]/u, `${command}: no control characters`);
}

/** Runs a command that must do nothing, and checks why. */
async function refuses(t: Test, args: string[], exitCode: number, reason: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(...args);
  const title = args.join(' ');
  t.same([code, stdout], [exitCode, ''], title);
  const [line, ...more] = stderr.trimEnd().split('\n');
  t.match(line, reason, title);
  t.match(line, /^gnss-site-setups: /, title);
  t.same(more, exitCode === 2 ? [`See gnss-site-setups ${args[0]} --help`] : [], title);
  t.notMatch(stderr, /[^\P{C}\n]/u, `${title}: no control characters`);
}

/** The command of some arguments, and the others. */
const commandOf = ([name, ...rest]: string[]): [AnyCommand, string[]] => [
  name === 'log' ? logCommand : siteCommand,
  rest,
];

/** What the running service answers about a Site: the type of its receiver, or the problem. */
async function served(id: string): Promise<unknown> {
  const response = await fetch(
    `http://127.0.0.1:${service.port}/setups/search/findCurrentByFourCharacterId?id=${id}`,
  );
  const body = (await response.json()) as {
    equipmentInUse?: [{ content: { id: { type: string } } }];
    type?: string;
  };
  return response.ok ? body.equipmentInUse![0].content.id.type : body.type!.replace(/^.*[:/#]/, '');
}

t.test(
  'log withdraw and log restore while the service runs, with a file name that would harm a terminal',
  async (t) => {
    const NAME = 'b\\u001b[2J\\u000a\\u202ex.log';
    const wrongLog = '2';
    t.equal(await served('UNDO'), 'WRONG');
    await does(t, 'log list UNDO', [
      /^ +Log +Prepared +Imported +SHA-256 +File$/,
      `     2  2021-01-01  2022-01-02  ${sha256Of(logText(wrong('UNDO'))).slice(0, 12)}  current               ${NAME}`,
      `     1  2020-01-01  2022-01-01  ${sha256Of(logText(right('UNDO'))).slice(0, 12)}                        UNDO-1.log`,
    ]);
    const follow = [
      `withdrew log 2 (${NAME}) of UNDO; log 1 (UNDO-1.log) is current again`,
      'Setups: 1 added, 1 superseded',
    ];
    await does(t, `log withdraw UNDO ${wrongLog} --dry-run`, [
      ...follow,
      'Dry run: nothing was saved.',
    ]);
    t.equal(await served('UNDO'), 'WRONG', 'after the dry run');
    await does(t, `log withdraw UNDO ${wrongLog}`, follow);
    t.equal(await served('UNDO'), 'RIGHT', 'at the next request');
    await refuses(
      t,
      ['log', 'withdraw', 'UNDO', wrongLog],
      1,
      /log 2 of UNDO was already withdrawn at 20/,
    );
    await does(t, 'log list undo', [
      /Log/,
      / withdrawn \d{4}-\d\d-\d\d {2}b\\u001b/,
      / current {15}UNDO-1\.log$/,
    ]);
    const restored = [
      `restored log 2 (${NAME}) of UNDO; it is current again`,
      'Setups: 1 added, 1 superseded',
    ];
    await does(t, `log restore UNDO ${wrongLog} --dry-run`, [
      ...restored,
      'Dry run: nothing was saved.',
    ]);
    t.equal(await served('UNDO'), 'RIGHT', 'after the dry run');
    await does(t, `log restore UNDO ${wrongLog}`, restored);
    t.equal(await served('UNDO'), 'WRONG', 'at the next request');
    await refuses(
      t,
      ['log', 'restore', 'UNDO', wrongLog],
      1,
      /log 2 of UNDO has not been withdrawn/,
    );
  },
);

t.test(
  'the only log of a Site can be withdrawn; its Site then has no Setups, and says why',
  async (t) => {
    const lines = [
      /^withdrew log \d+ \(ONLY\.log\) of ONLY; ONLY has no other log, and so no Setups$/,
      'Setups: 0 added, 1 superseded',
    ];
    await does(t, 'log withdraw ONLY ONLY.log', lines);
    t.equal(await served('ONLY'), 'no-current-setup');
    const base = `http://127.0.0.1:${service.port}`;
    const lookup = await fetch(`${base}/setups/search/findCurrentByFourCharacterId?id=ONLY`);
    t.match(await lookup.json(), { detail: 'ONLY has no Setup: its site log was withdrawn.' });
    t.match(await run('lookup', 'ONLY'), {
      code: 1,
      stderr: /: all site logs of ONLY were withdrawn$/m,
    });
    const page = await fetch(`${base}/sites/ONLY`, { headers: { accept: 'text/html' } });
    t.equal(page.status, 200);
    t.notOk(new HtmlPage(await page.text()).has('#logs table'), 'it lists no log');
    for (const path of [
      '/sites/ONLY/log',
      '/skl/ONLY.skl',
      '/corsSites/search/findByFourCharacterId?id=ONLY',
      '/findings?site=ONLY',
    ])
      t.ok((await fetch(base + path)).status < 500, path);
    t.match(await run('verify'), { code: 0, stdout: /nothing found/ });
    t.match(await run('import', join(folder, 'logs', 'ONLY.log')), { code: 0, stdout: /0 saved/ });
    await does(t, 'log list ONLY', [/Log/, / withdrawn \d{4}-\d\d-\d\d {2}ONLY\.log$/]);

    await does(t, 'log restore ONLY ONLY.log', [
      /; it is current again$/,
      'Setups: 1 added, 0 superseded',
    ]);
    t.equal(await served('ONLY'), 'RIGHT');
    await does(t, 'log withdraw ONLY ONLY.log', lines);
    await does(t, 'site retire ONLY', ['retired ONLY', 'Setups: 0 added, 0 superseded']);
    await does(t, 'site unretire ONLY', [
      'ONLY is no longer retired',
      'Setups: 0 added, 0 superseded',
    ]);
    const other = join(folder, 'logs', 'ONLY-2.log');
    writeFileSync(other, logText({ ...right('ONLY'), prepared: '2019-01-01', name: 'Other' }));
    t.match(await run('import', other), { code: 0, stdout: /1 saved/ });
    t.equal(await served('ONLY'), 'RIGHT', 'an older log takes the place of a withdrawn one');
    t.match(await run('verify'), { code: 0, stdout: /nothing found/ });
  },
);

t.test('the beginning of its SHA-256 names a log, if it is the only one', async (t) => {
  const digest = sha256Of(twins[0]!);
  const several =
    /several logs have the name or SHA-256 "\w{4}"; give the number of one: \d+, \d+$/;
  await refuses(t, ['log', 'withdraw', 'TWIN', digest.slice(0, 4)], 1, several);
  await does(t, `log withdraw TWIN ${digest.slice(0, 12).toUpperCase()} --dry-run`, [
    /^withdrew log \d+ \(TWIN-0\.log\) of TWIN; log \d+ \(TWIN-1\.log\) stays current$/,
    /^Setups/,
    /^Dry run/,
  ]);
});

t.test('Sites that share four characters are named by nine', async (t) => {
  await refuses(
    t,
    ['log', 'list', 'SAME'],
    1,
    /several Sites have or had the id SAME; give the id of one of them: SAME00AUS, SAME00CAN$/,
  );
  await does(t, 'site retire SAME00CAN', [
    /^retired SAME00CAN$/,
    /^Setups: 0 added, 1 superseded$/,
  ]);
  t.equal(await served('SAME'), 'WRONG', 'the other Site has the four characters alone');
  const shared =
    'SAME00AUS has the same first four characters; use nine-character ids for these Sites from now on';
  await does(t, 'site unretire SAME00CAN', [
    /^SAME00CAN is no longer retired; log \d+ \(SAME00CAN-2\.log\) is current$/,
    /^Setups: 1 added, 0 superseded$/,
    shared,
  ]);
  t.equal(await served('SAME'), 'ambiguous-site');
});

t.test('site retire and site unretire while the service runs', async (t) => {
  const retired = ['retired GONE', 'Setups: 0 added, 1 superseded'];
  await refuses(t, ['site', 'unretire', 'GONE'], 1, /GONE is not retired/);
  await does(t, 'site retire GONE --dry-run', [...retired, 'Dry run: nothing was saved.']);
  t.equal(await served('GONE'), 'RIGHT', 'after the dry run');
  await does(t, 'site retire GONE', retired);
  t.equal(await served('GONE'), 'retired-site', 'at the next request');
  await refuses(t, ['site', 'retire', 'GONE'], 1, /GONE was already retired at 20/);
  await does(t, 'log list GONE', [/Log/, /GONE\.log$/, /^GONE was retired at 20/]);
  t.match((await run('sites', '--retired')).stdout, /^GONE +retired 20\d\d-\d\d-\d\d  Test$/m);
  t.match(JSON.parse((await run('sites', '--retired', '--format', 'json')).stdout), [
    { fourCharacterId: 'GONE', retiredAt: /^20/ },
  ]);
  await refuses(
    t,
    ['sites', '--retired', '--q', 'x'],
    2,
    /--retired lists all retired Sites; it cannot be combined with --q/,
  );
  await does(t, 'site unretire GONE', [
    /^GONE is no longer retired; log \d+ \(GONE\.log\) is current$/,
    'Setups: 1 added, 0 superseded',
  ]);
  t.equal(await served('GONE'), 'RIGHT', 'at the next request');
});

t.test('site rename while the service runs', async (t) => {
  const renamed = ['renamed OLDE00AUS to NEWE00AUS', 'Setups: 0 added, 0 superseded'];
  await does(t, 'site rename OLDE newe00aus --dry-run', [
    ...renamed,
    'Dry run: nothing was saved.',
  ]);
  t.equal(await served('OLDE'), 'RIGHT', 'after the dry run');
  await does(t, 'site rename OLDE newe00aus', renamed);
  t.same(
    [await served('OLDE'), await served('NEWE')],
    ['renamed-site', 'RIGHT'],
    'at the next request',
  );
  await refuses(t, ['site', 'rename', 'OLDE', 'NEWE00AUS'], 1, /OLDE is now NEWE00AUS/);
  await refuses(
    t,
    ['site', 'rename', 'NEWE', 'LOOK00AUS'],
    1,
    /LOOK00AUS is taken: another Site has or had this id: LOOK00AUS/,
  );
});

t.test('log and site refuse wrong Sites and logs', async (t) => {
  const cases: [string[], RegExp][] = [
    [['log', 'list', 'NONE'], /there is no Site NONE in the database/],
    [['log', 'withdraw', 'REST', '999'], /REST has no log "999"; see log list REST/],
    [['log', 'restore', 'rest', numberOf('GONE.log')], /REST has no log "\d+"; see log list REST/],
    [['log', 'withdraw', 'REST', '\u009b2J'], /REST has no log "\\u009b2J"/],
    [['site', 'retire', 'NONE'], /there is no Site NONE in the database/],
    [['site', 'rename', 'NONE', 'ELSE'], /there is no Site NONE in the database/],
  ];
  for (const [args, reason] of cases) await refuses(t, args, 1, reason);
  t.equal(await served('REST'), 'WRONG');
});

t.test('log and site refuse wrong arguments', async (t) => {
  const noId =
    /"\\u001b\[2J" is not a Site id; expected four characters \(ALIC\) or nine \(ALIC00AUS\)/;
  await refuses(t, ['log', 'list', '\u001b[2J'], 2, noId);
  await refuses(t, ['site'], 2, /site needs an action: expected retire, unretire or rename/);
  // The others in this process, which is faster: these two have shown what becomes of a UsageError.
  const cases: [string[], RegExp][] = [
    [['log'], /^log needs an action: expected list, withdraw, restore or rejected$/],
    [['log', 'delete', 'REST'], /^log "delete": expected list, withdraw, restore or rejected$/],
    [['log', 'list'], /^log list takes one SITE$/],
    [['log', 'restore', 'REST', '3', '4'], /^log restore takes one SITE and one LOG$/],
    [['log', 'withdraw', 'RES', '3'], /^"RES" is not a Site id/],
    [['site', 'remove', 'REST'], /^site "remove": expected retire, unretire or rename$/],
    [['site', 'retire'], /^site retire takes one SITE$/],
    [['site', 'rename', 'REST', 'ELSE', 'MORE'], /^site rename takes two ids: OLD and NEW$/],
    [['site', 'rename', 'REST', 'ELSE5'], /^"ELSE5" is not a Site id/],
    [['site', 'retire', 'REST', '--force'], /^unknown flag "--force"$/],
  ];
  for (const [args, message] of cases) {
    const [command, rest] = commandOf(args);
    await fails(t, command, [...rest, '--database', database], 'UsageError', message);
  }
  t.equal(await served('REST'), 'WRONG');
});

t.test('log and site never create a database', async (t) => {
  const missing = join(folder, 'missing.sqlite');
  const message = /does not exist; create it with: gnss-site-setups import PATH/;
  await fails(t, logCommand, ['list', 'REST', '--database', missing], 'StoreUnusable', message);
  await fails(t, siteCommand, ['retire', 'REST', '--database', missing], 'StoreUnusable', message);
  t.notOk(existsSync(missing));
});

t.test('four characters that a renamed Site had, and another one has, are refused', async (t) => {
  const shared = join(folder, 'shared.sqlite');
  const importAt = async (day: number, id: string) => {
    const path = join(folder, `${id}.log`);
    writeFileSync(path, logText(log(id, `2020-01-0${day}`, 'R')));
    return importInto(shared, [path]);
  };
  const runShared = (...args: string[]) => runHere([...args, '--database', shared]);
  await importAt(1, 'ABCD');
  t.equal((await runShared('site', 'rename', 'ABCD', 'WXYZ')).code, 0);
  await importAt(2, 'ABCD00AUS');
  t.match(await runShared('lookup', 'ABCD'), { code: 1, stderr: /ABCD is now WXYZ/ });
  await importAt(3, 'ABCD00NZL');
  for (const args of [
    ['lookup', 'ABCD'],
    ['log', 'list', 'ABCD'],
    ['log', 'withdraw', 'ABCD', '1'],
    ['log', 'restore', 'ABCD', '1'],
    ['site', 'retire', 'ABCD', '--dry-run'],
    ['site', 'unretire', 'ABCD'],
    ['site', 'rename', 'ABCD', 'QRST'],
  ])
    t.match(
      await runShared(...args),
      {
        code: 1,
        stdout: '',
        stderr: /several Sites have or had the id ABCD; .*: ABCD00NZL, WXYZ$/m,
      },
      args.join(' '),
    );
  t.match(await importAt(4, 'ABCD'), { rejected: 1 });
});
t.test(
  'a database without Sites says what to do, one with retired Sites only says that',
  async (t) => {
    const own = join(folder, 'own.sqlite');
    const runThere = (...args: string[]) => runHere([...args, '--database', own]);
    await importInto(own, []);
    t.match(await runThere('sites'), {
      code: 0,
      stdout: '',
      stderr: 'No site log has been imported yet. Import some with: gnss-site-setups import PATH\n',
    });
    await runThere('import', join(folder, 'logs', 'GONE.log'));
    t.match(await runThere('sites'), { code: 0, stdout: /GONE/, stderr: '' });
    await runThere('site', 'retire', 'GONE');
    const nothing = { code: 0, stdout: '', stderr: 'The only Site on record was retired.\n' };
    t.match(await runThere('sites'), nothing);
    const none = { code: 0, stdout: '', stderr: 'No Site matches.\n' };
    t.match(await runThere('sites', '--q', 'GONE'), none);
  },
);
