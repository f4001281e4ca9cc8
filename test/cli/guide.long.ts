import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type ClientRequest, get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { packageFiles, tarballFolder } from '../../src/package/names.js';
import { isInstalled, MAIN, startTool } from '../campaigns/processes.js';
import { findingsTable } from '../findings-table.js';
import { readProjectFile, REAL_LOGS, ROOT, SAMPLE, withRealLogs } from '../project-files.js';
import { openService } from '../service.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';
import { nodeCommand } from '../node-command.js';
import { SCHEMAS, VALIDATOR } from '../round-trips/validity.js';
import { runHere } from './in-process.js';
import { createCertificate } from './serving.js';

/**
 * Runs the commands of two guides, for operators and for those who check logs and files, in their
 * order, in a folder that stands for the root of a machine.
 */

const run = promisify(execFile);

/** The guide has the number of a log that its reader looks up. */
const LOG_IN_GUIDE = '12';

const checkGuide = readProjectFile('src', 'check', 'README.md');
const guide = checkGuide + readProjectFile('src', 'cli', 'README.md');
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)];
const commands = blocks
  .flatMap(([, block]) => block!.trim().split('\n'))
  .map((line) =>
    line
      .replace(/ {2,}#.*$/, '')
      .trim()
      .split(' '),
  );
const isOurs = ([program]: string[]): boolean => program === 'gnss-site-setups';
const ours = commands.filter(isOurs);
const others = commands.filter((command) => !isOurs(command));

/**
 * Waits until a program that runs on prints something, ends it with SIGTERM, and returns its exit
 * code.
 */
async function startAndStop(args: string[], cwd: string, printed: RegExp): Promise<number | null> {
  const { child, ended, output } = startTool(args, { cwd });
  t.teardown(() => child.kill('SIGKILL'));
  let isStopped = false;
  const stopIfPrinted = (): void => {
    // A second signal would end it at once.
    if (!isStopped && printed.test(output.stdout + output.stderr))
      isStopped = child.kill('SIGTERM');
  };
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', stopIfPrinted);
  const { code } = await ended;
  t.ok(isStopped, args.join(' '));
  return code;
}

t.test('every command in the operators’ guide does what it says', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const root = join(t.testdirName, 'root');
  for (const folder of ['gnss', 'backup'])
    mkdirSync(join(root, 'srv', folder), { recursive: true });
  const database = join(root, 'srv', 'gnss', 'network.sqlite');
  for (const folder of [join(root, 'srv', 'site-logs'), join(root, 'path', 'to', 'site-logs')])
    cpSync(SAMPLE, folder, { recursive: true });
  for (const folder of ['rinex', 'copies']) mkdirSync(join(root, 'path', 'to', folder));
  const { body: header } = await service.get('/skeletonFiles/ALIC.SKL?version=3.05');
  writeFileSync(
    join(root, 'path', 'to', 'rinex', 'ALIC00AUS_R_20180010000_01D_30S_MO.rnx'),
    header,
  );
  // An earlier log, which takes over from one that is withdrawn.
  const alic = readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8').replace(
    '2017-02-23',
    '2017-02-01',
  );
  writeFileSync(join(root, 'path', 'to', 'site-logs', 'alic_20170201.log'), alic);
  createCertificate(join(root, 'server.pem'), join(root, 'server.key'));

  let number = LOG_IN_GUIDE;
  const here = (argument: string): string => {
    if (/^\/(srv|path)\//.test(argument)) return join(root, argument);
    return (
      { '0.0.0.0': '127.0.0.1', 'https://gnss.example.org/equipment': url, [LOG_IN_GUIDE]: number }[
        argument
      ] ?? argument
    );
  };
  // The guide to checks, which comes first, needs some logs on record.
  await runHere(['import', here('/path/to/site-logs'), '--database', database], { cwd: root });
  t.ok(ours.length > 20);
  for (const [, name, ...rest] of ours) {
    const takesDatabase =
      !['check-log', 'convert', 'export-schemas'].includes(name!) && !rest.includes('--database');
    const args = [
      name!,
      ...rest.map((each) => (name === 'serve' && each.startsWith('https:') ? each : here(each))),
    ];
    if (takesDatabase) args.push('--database', database);
    if (name === 'serve') {
      if (!args.includes('--port')) args.push('--port', '0');
      for (const flag of ['--port', '--metrics-port'])
        if (args.includes(flag)) args[args.indexOf(flag) + 1] = '0';
      t.equal(await startAndStop(args, root, /serving \d+ Sites at http/), 0, args.join(' '));
    } else if (rest.includes('--watch')) {
      t.equal(await startAndStop(args, root, /alic_20170223\.log/), 0, args.join(' '));
    } else {
      const { code, stdout, stderr } = await runHere(args, { cwd: root });
      t.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      if (!rest.includes('--output') || name === 'convert') t.not(stdout, '', args.join(' '));
      if (name === 'log' && rest[0] === 'list') number = /^ *(\d+) .* current /m.exec(stdout)![1]!;
    }
  }
  t.ok(existsSync(join(root, 'srv', 'backup', 'network.sqlite')));
  t.ok(existsSync(join(root, 'findings.jsonl')));
});

t.test('the other commands of the guide are about what the packages contain', async (t) => {
  t.ok(others.length > 0);
  const units = [...guide.matchAll(/gnss-site-setups(?:-import)?\.(?:service|socket)/g)];
  for (const [unit] of units) t.ok(existsSync(join(ROOT, 'src', 'package', 'systemd', unit)), unit);
  for (const [first, second, ...rest] of others) {
    const command = [first, second, ...rest].join(' ');
    if (first === 'sudo' && second === 'systemctl') {
      // Nothing is started here: systemd-analyze verifies the units in check-package.
      t.match(rest[0], /^(disable|enable|start|stop|restart|reset-failed)$/, command);
    } else if (command.includes(' restore ')) {
      t.match(
        command,
        'sudo -u gnss-site-setups gnss-site-setups restore /var/lib/gnss-site-setups/BACKUP',
      );
    } else
      t.match(
        command,
        /^(sudo dpkg (--force-confold )?-i |podman |sudo -u gnss-site-setups gnss-site-setups |tar -xzf |XML_CATALOG_FILES=catalog\.xml xmllint |\/opt\/\S+ --version|curl http:\/\/127\.0\.0\.1:9464\/metrics|npx gnss-site-setups check-log logs |cut -f1 stations\.txt \| gnss-site-setups lookup - |if test -s notes\.txt; )/,
      );
  }
});

t.test('the names of files in the guide are those of a build', async (t) => {
  const made = new Set<string>();
  for (const architecture of [
    { node: 'x64', debian: 'amd64' },
    { node: 'ARCH', debian: 'ARCH' },
  ] as const) {
    const named = architecture as Parameters<typeof packageFiles>[1];
    for (const file of Object.values(packageFiles('VERSION', named))) made.add(file);
    made.add(tarballFolder('VERSION', named));
  }
  const words = guide.match(/gnss-site-setups[-_]VERSION[\w.-]*/g) ?? [];
  t.ok(words.length >= 6);
  t.same(
    words.filter((word) => !made.has(word)),
    [],
  );
  t.notMatch(guide, /gnss-site-setups[-_:]\d/, 'no version of a release');
});

t.test('the way back has all its commands in one block, in their order', async (t) => {
  const block = blocks.map(([, text]) => text!).find((text) => text.includes('/BACKUP'))!;
  t.match(
    block,
    /^sudo systemctl stop .*\nsudo dpkg --force-confold -i .*\nsudo -u gnss-site-setups .* restore .*\nsudo systemctl reset-failed .*\nsudo systemctl restart .*\n$/,
  );
});

/** A rule for an alert of Prometheus. */
interface Alert {
  alert: string;
  expr: string;
  annotations: { summary: string };
}

t.test('the alerts of the guide are a file of rules, over metrics that exist', async (t) => {
  const text = /^```yaml\n(.*?)^```$/ms.exec(guide)![1]!;
  const { groups } = parseYaml(text) as { groups: { name: string; rules: Alert[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules);
  t.same(
    alerts.map(({ alert }) => alert),
    ['DatabaseUnreadable', 'RequestsRefused', 'SiteLogsRejected', 'NoImport', 'RecordTimeInFuture'],
  );
  const metrics = readProjectFile('src', 'cli', 'serve', 'metrics.ts');
  for (const { expr, annotations } of alerts) {
    const [metric] = /gnss_\w+/.exec(expr)!;
    t.ok(metrics.includes(`'${metric}'`), metric);
    t.match(annotations.summary, /\S/);
  }
  if (isInstalled('promtool')) {
    const file = join(t.testdir(), 'rules.yml');
    writeFileSync(file, text);
    await run('promtool', ['check', 'rules', file]);
  }
});

/** Debian has it where only root looks. */
const HAPROXY = '/usr/sbin/haproxy';

/**
 * The answer of a program that may not listen yet.
 * @throws {Error} that there is none, once the program has ended
 */
async function untilAnswered(
  request: () => ClientRequest,
  program: ChildProcess,
): Promise<IncomingMessage> {
  for (;;) {
    try {
      const [response] = (await once(request(), 'response')) as [IncomingMessage];
      return response;
    } catch (error) {
      if (program.exitCode !== null || program.signalCode !== null) throw error;
      await sleep(20);
    }
  }
}

t.test(
  'a proxy drops Strict-Transport-Security as the guide says',
  { skip: !existsSync(HAPROXY) && 'HAProxy is not installed' },
  async (t) => {
    const [, rule] = /```haproxy\n(http-response .*)\n```/.exec(guide)!;
    const service = await openService(t, [SAMPLE]);
    const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
    t.match((await service.get('/health')).headers, {
      'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
    });
    // The path of a socket has at most 97 characters for HAProxy.
    const folder = mkdtempSync(join(tmpdir(), 'gnss-'));
    const socketPath = join(folder, 's');
    const configuration = join(folder, 'haproxy.cfg');
    const lines = [
      'defaults',
      'mode http',
      'timeout connect 1s',
      'timeout client 5s',
      'timeout server 5s',
      'listen gnss',
      `bind unix@${socketPath}`,
      rule,
      `server one ${url.slice('http://'.length)}`,
    ];
    writeFileSync(configuration, lines.map((line) => `${line}\n`).join(''));
    const proxy = spawn(HAPROXY, ['-db', '-f', configuration], { stdio: 'ignore' });
    const exited = once(proxy, 'exit');
    t.teardown(async () => {
      proxy.kill();
      await exited;
      rmSync(folder, { recursive: true });
    });
    // The path is there before HAProxy listens.
    const response = await untilAnswered(() => httpGet({ socketPath, path: '/health' }), proxy);
    response.resume();
    t.equal(response.statusCode, 200);
    t.equal(response.headers['strict-transport-security'], undefined);
    t.ok(response.headers['x-content-type-options'], 'all other fields stay');
  },
);

t.test('the units of the guide check a folder every night', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const units = [
    ...guide.matchAll(/^```ini\n# \/etc\/systemd\/system\/(check-rinex\.\w+)\n(.*?)^```$/gms),
  ].map(([, name, text]) => [name!, text!] as const);
  t.same(
    units.map(([name]) => name),
    ['check-rinex.timer', 'check-rinex.service'],
  );
  const root = join(t.testdirName, 'night');
  const folder = join(root, 'rinex');
  mkdirSync(folder, { recursive: true });
  const program = join(root, 'gnss-site-setups');
  const [command, args] = nodeCommand(MAIN);
  const script = [command, ...args].map((word) => `'${word}'`).join(' ');
  writeFileSync(program, `#!/bin/sh\nexec ${script} "$@"\n`, { mode: 0o755 });
  for (const [name, text] of units) writeFileSync(join(root, name), text);
  const env = { PATH: `${root}:${process.env.PATH}` };
  if (isInstalled('systemd-analyze')) {
    const files = units.map(([name]) => join(root, name));
    const { stderr } = await run('systemd-analyze', ['verify', ...files]);
    const ours = stderr.split('\n').filter((line) => line.includes('check-rinex'));
    t.same(ours, []);
  }

  const lines = units[1]![1].replace(/\\\n/g, ' ');
  const inShell = (name: string): string =>
    new RegExp(`^${name}=/bin/sh -c '(.*)'$`, 'm')
      .exec(lines)![1]!
      .replaceAll('$$', '$')
      .replace('/srv/rinex', folder)
      .replace('http://127.0.0.1:8080', url);
  const night = async (): Promise<{ code: number; stderr: string }> => {
    await run('/bin/sh', ['-c', inShell('ExecStartPre')], { cwd: root, env });
    return run('/bin/sh', ['-c', inShell('ExecStart')], { cwd: root, env }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: { code: number; stderr: string }) => error,
    );
  };
  const header = (await service.get('/skeletonFiles/ALIC.SKL?version=3.05')).body;
  const write = (day: string, text: string) =>
    writeFileSync(join(folder, `ALIC00AUS_R_2018${day}0000_01D_30S_MO.rnx`), text);
  write('001', header);
  t.match(await night(), { code: 0, stderr: /^1 file of 1 Site checked; 0 wrong as before\n/ });
  write('002', header.replace('0.0015', '0.0150'));
  t.match(await night(), { code: 1, stderr: /\nALIC: 1 of 2 files differs\n/ });
  t.match(readFileSync(join(root, 'new.ndjson'), 'utf8'), /"result":"checked".*"differs"/);
  t.match(await night(), { code: 0, stderr: '2 files of 1 Site checked; 1 wrong as before\n' });
  t.equal(readFileSync(join(root, 'new.ndjson'), 'utf8'), '');
  write('003', '');
  t.match(await night(), { code: 3, stderr: /003.*is empty\n/ });
});

t.test('xmllint checks GeodesyML as the guide says', { skip: VALIDATOR }, async (t) => {
  const recipe = others.find((words) => words.includes('xmllint'))!.join(' ');
  const [log] = /\/path\/to\/site-logs\/(\w+\.xml)/.exec(recipe)!.slice(1);
  const text = readFileSync(join(SAMPLE, log!), 'utf8');
  // The sample has a mistake that many logs of the reference service have.
  const mistake = /\s*<geo:inputFrequency [^>]*nil="true"><\/geo:inputFrequency>/;
  const folder = t.testdir({ 'as-is.xml': text, 'corrected.xml': text.replace(mistake, '') });
  const check = (name: string): Promise<{ stderr: string }> =>
    run('sh', ['-c', recipe.replace(/\/path\/\S+/, join(folder, name))], { cwd: SCHEMAS });
  t.match((await check('corrected.xml')).stderr, / validates\n$/);
  await t.rejects(check('as-is.xml'), { code: 3, stderr: /:152: element inputFrequency: / });
});

t.test('the recipe for exports stops a script if a file leaves something out', async (t) => {
  const recipe = blocks.map(([, text]) => text!).find((text) => text.includes('test -s'))!;
  const service = await openService(t);
  const { folder } = service;
  const [command, args] = nodeCommand(MAIN);
  const script = [command, ...args].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(folder, 'gnss-site-setups'), `#!/bin/sh\nexec ${script} "$@"\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${folder}:${process.env.PATH}`, DATABASE: service.database };
  const runRecipe = async (): Promise<{ code: number; stdout: string }> =>
    run('/bin/sh', ['-e', '-c', recipe], { cwd: folder, env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
  t.match(await runRecipe(), { code: 0, stdout: '' });
  await service.importText({ receivers: [{ type: 'R', from: '2001-01-01' }] });
  t.match(await runRecipe(), {
    code: 1,
    stdout: /^TEST: no line from 2001-01-01T00:00:00Z to now/,
  });
});

t.test('the recipe for the CI of a folder of logs accepts a renewed log', async (t) => {
  const recipe = others.filter(([first, , name]) => first === 'npx' && name === 'check-log');
  t.equal(recipe.length, 2);
  const folder = t.testdir({ logs: {} });
  const until2012 = { from: '2011-01-01', to: '2012-01-01' };
  const [first, second] = [
    { type: 'R1', serial: '1', ...until2012 },
    { type: 'R2', serial: '2', from: '2011-06-01' },
  ];
  const write = (name: string, log: SyntheticLog): void =>
    writeFileSync(join(folder, 'logs', name), logText(log));
  write('test_20200101.log', { receivers: [first, second] });
  write('wxyz_20200101.log', { id: 'WXYZ', receivers: [first] });
  /** Runs a command of the recipe, as a shell does. */
  const step = async ([, , ...words]: string[]) => {
    const to = words.indexOf('>');
    const ended = await runHere(to < 0 ? words : words.slice(0, to), { cwd: folder });
    if (to >= 0) writeFileSync(join(folder, words[to + 1]!), ended.stdout);
    return ended;
  };
  const [accept, check] = recipe;
  await step(accept!);
  t.match(await step(check!), { code: 0, stdout: '', stderr: /^2 logs, 0 findings; .*\n$/ });
  rmSync(join(folder, 'logs', 'test_20200101.log'));
  const before = { type: 'R0', serial: '0', from: '2010-01-01', to: '2011-01-01' };
  const firmware = { 'Firmware Version': '2', 'Satellite System': 'GPS' };
  const renewed = [before, first, { ...second, more: firmware }];
  write('test_20260101.log', { prepared: '2026-01-01', receivers: renewed });
  t.match(await step(check!), { code: 0, stdout: '', stderr: /^2 logs, 0 findings; .*\n$/ });
  write('test_20260101.log', { prepared: '2009-01-01', receivers: renewed });
  t.match(await step(check!), {
    code: 1,
    stdout: /^::warning file=logs\/test_20260101\.log,line=\d+,title=after-date-prepared::/,
    stderr: /\n2 logs, 1 finding in 1; .*\n$/,
  });
});

t.test('the guide counts the findings in the real text logs', withRealLogs, async (t) => {
  const table = await findingsTable(join(REAL_LOGS!, 'text'));
  t.ok(guide.includes(table), `npm run figures prints the table:\n${table}`);
});
