import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { killAll, PROJECT, SAMPLE_LOGS, startService } from '../campaigns/processes.js';
import { Cluster } from '../postgres/cluster.js';
import { Asks } from './asks.js';
import { type Answer, type Ask, Client } from './client.js';
import { derive, type Made, make, type Network, networksIn, SERVICE_CLOCK } from './networks.js';
import { differences, type Entry, read, write } from './recording.js';

/** Records the answers of a build, or compares those of another build with a recording, byte for byte. */

const USAGE = `Usage: npm run same-answers -- record|compare FOLDER

  --engine sqlite|postgres           Compare only this engine.
  --network sample|shared|history    Record or compare only this network.
  --shared DIR                       The real site logs. SHARED [../shared/site-logs]
  --list NUMBER                      How many differences to show of each database. [20]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string' },
    network: { type: 'string' },
    shared: { type: 'string', default: process.env.SHARED ?? join(PROJECT, '..', 'shared', 'site-logs') },
    list: { type: 'string', default: '20' },
  },
});
const [action, folder] = positionals;
const { engine, network: only } = values;
const isWrong = (value: string | undefined, allowed: string[]): boolean => value !== undefined && !allowed.includes(value);
if (
  folder === undefined ||
  isWrong(action, ['record', 'compare']) ||
  isWrong(engine, ['sqlite', 'postgres']) ||
  isWrong(only, ['sample', 'shared', 'history']) ||
  (action === 'record' && engine !== undefined)
) {
  console.error(USAGE);
  process.exit(2);
}
const recording = resolve(folder);
const shared = existsSync(values.shared) ? resolve(values.shared) : null;

/** The databases of a network, each as soon as it is made: one of each engine and, with a history, copies and restored backups. */
async function* databases(network: Network, scratch: string, cluster: Cluster | null): AsyncGenerator<Made> {
  const fileOf = (name: string): string => join(scratch, `${network.name}-${name}.sqlite`);
  const newUrl = async (): Promise<string> => cluster!.url(await cluster!.createDatabase());
  const hidden = [scratch, PROJECT, ...(shared === null ? [] : [shared])];
  const hasCopies = network.name === 'history';
  const restored = (name: string, from: string, to: string): Promise<Made> => {
    const backup = join(scratch, `${name}.backup`);
    const backingUp = ['backup', backup, '--database', from];
    // What was there before is replaced.
    return derive(name, to, [backingUp, ['import', SAMPLE_LOGS, '--database', to], ['restore', backup, '--database', to]]);
  };
  const copied = (name: string, from: string, to: string): Promise<Made> => derive(name, to, [['copy', '--from', from, '--to', to]]);

  if (engine !== 'postgres') {
    yield await make(network, 'sqlite', fileOf('sqlite'), hidden);
    if (hasCopies) yield await restored('sqlite-restored', fileOf('sqlite'), fileOf('restored'));
  }
  if (cluster === null) return;
  const postgres = await make(network, 'postgres', await newUrl(), hidden);
  yield postgres;
  if (!hasCopies) return;
  yield await restored('postgres-restored', postgres.database, await newUrl());
  if (engine === 'postgres') await make(network, 'sqlite', fileOf('sqlite'), hidden);
  const copy = await copied('postgres-copied', fileOf('sqlite'), await newUrl());
  yield copy;
  yield await copied('sqlite-copied-back', copy.database, fileOf('copied-back'));
}

/** The answers of a database: those of the commands that made it, and those of a service over it. */
async function answersOf({ database, commands }: Made, asksFor: (client: Client) => Promise<Ask[]>): Promise<[Ask, Answer][]> {
  const service = await startService(database, ['--cache-megabytes', '0'], SERVICE_CLOCK);
  const client = new Client(service.port);
  try {
    const all = await asksFor(client);
    // Copies have the same rows, so half of the answers show it.
    const asks = commands.length > 0 ? all : all.filter((_, index) => index % 2 === 0);
    const answers = await client.getAll(asks);
    return [...commands, ...asks.map((ask, index): [Ask, Answer] => [ask, answers[index]!])];
  } finally {
    client.close();
    for (const finding of await service.stop()) console.log(`  ${finding}`);
  }
}

/** Records the answers of all databases of a network. The answers of the first database are the reference; other databases add only answers that differ. */
async function record(network: Network, scratch: string, cluster: Cluster | null): Promise<void> {
  const entries = new Map<string, Entry>();
  let asks: Ask[] | undefined;
  for await (const made of databases(network, scratch, cluster)) {
    let different = 0;
    const answers = await answersOf(made, async (client) => (asks ??= await new Asks(client, network.most).all()));
    for (const [ask, answer] of answers) {
      const entry = entries.get(keyOf(ask));
      if (entry === undefined) entries.set(keyOf(ask), { ask, answer, others: {} });
      else if (differences(entry.answer, answer).length > 0) entry.others[made.name] = answer;
      else continue;
      different++;
    }
    const which = entries.size === different ? 'recorded' : `of which ${different} differ from those of the first`;
    console.log(`${network.name} ${made.name}: ${answers.length} answers, ${which}`);
  }
  write(recording, network.name, [...entries.values()]);
}

/** Compares the answers of all databases of a network with the recording. @returns how many differ */
async function compare(network: Network, scratch: string, cluster: Cluster | null): Promise<number> {
  const recorded = read(recording, network.name);
  if (recorded === null) {
    console.log(`${network.name}: skipped, not in the recording`);
    return 0;
  }
  const entries = new Map(recorded.map((entry) => [keyOf(entry.ask), entry]));
  const asks = recorded.map(({ ask }) => ask).filter(({ target }) => target.startsWith('/'));
  let total = 0;
  for await (const made of databases(network, scratch, cluster)) {
    const kinds = new Map<string, number>();
    let different = 0;
    const answers = await answersOf(made, async () => asks);
    for (const [ask, answer] of answers) {
      const entry = entries.get(keyOf(ask));
      const list = entry === undefined ? ['not in the recording'] : differences(entry.others[made.name] ?? entry.answer, answer);
      if (list.length === 0) continue;
      if (different++ < Number(values.list)) console.log(`${network.name} ${made.name}: ${keyOf(ask)}\n  ${list.join('\n  ')}`);
      kinds.set(kindOf(ask.target), (kinds.get(kindOf(ask.target)) ?? 0) + 1);
    }
    console.log(`${network.name} ${made.name}: ${answers.length} answers, ${different} differ`);
    for (const [kind, count] of [...kinds].sort(([, a], [, b]) => b - a).slice(0, 30)) console.log(`  ${count} ${kind}`);
    total += different;
  }
  return total;
}

const keyOf = ({ target, accept }: Ask): string => (accept === undefined ? target : `${target} (Accept: ${accept})`);
/** The path of a target, without ids and query. */
const kindOf = (target: string): string => target.replace(/\?.*/, '').replace(/\/(\d+|[A-Z0-9]{4,9})(?=[./]|$)/g, '/*');

// `restore` keeps what it replaces in the current folder.
const scratch = mkdtempSync(join(tmpdir(), 'gnss-same-answers-'));
process.chdir(scratch);
let cluster: Cluster | null = null;
let total = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.on('exit', () => {
  killAll();
  rmSync(scratch, { recursive: true, force: true });
});
try {
  if (engine !== 'sqlite') cluster = await Cluster.create();
  if (shared === null) console.log(`shared: skipped, there is no folder ${values.shared}`);
  for (const network of networksIn(scratch, shared)) {
    if (only !== undefined && only !== network.name) continue;
    if (action === 'record') await record(network, scratch, cluster);
    else total += await compare(network, scratch, cluster);
  }
} finally {
  await cluster?.stop();
}
if (action === 'compare') console.log(total === 0 ? 'The same answers.' : `${total} answers differ.`);
process.exitCode = total === 0 ? 0 : 1;
