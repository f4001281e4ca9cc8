import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from './command.js';
import {
  CLOCKS,
  corrections,
  plainRuns,
  readingRuns,
  recordRun,
  rinexRuns,
  type Run,
} from './commands.js';
import { crawl, type Limits } from './crawl.js';
import { Client, type Request } from './http.js';
import { copyCases, copyLogs, missing, type Network, NETWORKS, writeChanges } from './networks.js';
import { ENDING, Recorder } from './recording.js';
import { seedsOf, seedsOfData } from './requests.js';

export const ENGINES = ['sqlite', 'postgres'] as const;
type Engine = (typeof ENGINES)[number];

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What a recording is made of. */
interface Options {
  /** The checkout to record; it is built. */
  checkout: string;
  /** The folder of the recording. Its files are replaced. */
  into: string;
  networks: ReadonlySet<string>;
  engines: ReadonlySet<string>;
}

/** A recording that is being made. */
class Session {
  private readonly masks: [text: string, placeholder: string][] = [];

  constructor(
    private readonly command: Command,
    private readonly into: string,
  ) {}

  /** @param text what differs between two runs */
  maskAs(text: string, placeholder: string): void {
    this.masks.push([text, placeholder]);
  }

  /** Records one file. */
  private async file(name: string, work: (recorder: Recorder) => Promise<void>): Promise<void> {
    const begin = performance.now();
    const recorder = new Recorder(join(this.into, name), this.masks);
    await work(recorder);
    await recorder.close();
    const seconds = Math.round((performance.now() - begin) / 1000);
    say(`${name}: ${recorder.count} recorded, ${seconds} s`);
  }

  async runs(name: string, runs: readonly Run[]): Promise<void> {
    await this.file(`${name}-commands`, async (recorder) => {
      for (const run of runs) await recordRun(this.command, recorder, run);
    });
  }

  /** Records the answers of a service. */
  async answers(
    name: string,
    database: string,
    seedsFor: (client: Client) => Promise<readonly Request[]>,
    limits: Limits,
  ): Promise<void> {
    const server = await this.command.serve(database, CLOCKS.reading);
    const client = new Client(server.port);
    try {
      await this.file(`${name}-answers`, async (recorder) =>
        crawl(client, recorder, await seedsFor(client), limits),
      );
    } finally {
      client.close();
      await server.stop();
    }
  }

  /** The ids of a few Sites of a database. */
  async someSites(database: string, every: number): Promise<string[]> {
    const args = ['sites', '--format', 'json', '--database', database];
    const { stdout } = await this.command.run(args, CLOCKS.reading);
    const found = [...stdout.toString().matchAll(/"fourCharacterId":\s*"(\w+)"/g)];
    return found.map(([, id]) => id!).filter((_, at) => at % every === 0);
  }
}

const importOf = (database: string, ...paths: string[]): Run => ({
  args: ['import', ...paths, '--database', database, '--report', 'report'],
  clock: CLOCKS.import,
  writes: 'report',
});

/** The folder, under the current one, that has all logs of a network. */
const folderOf = ({ sources }: Network): string => Object.keys(sources)[0]!.split('/')[0]!;

async function recordSqlite(session: Session, cwd: string, network: Network): Promise<void> {
  const { name, every, limits } = network;
  const database = `${name}.sqlite`;
  const folder = folderOf(network);
  await session.runs(`${name}-import`, [importOf(database, folder)]);
  const isSample = name === 'sample';
  const sites = await session.someSites(database, isSample ? 1 : every * 3);
  if (!isSample)
    await session.runs(`${name}-checks`, [
      { args: ['check-log', folder] },
      { args: ['check-log', folder, '--format', 'json', '--level', 'info', '--exports'] },
    ]);
  await session.runs(name, readingRuns(database, folder, sites));
  await session.answers(name, database, (client) => seedsOf(client, every), limits);
  if (!isSample) return;
  copyFileSync(join(cwd, database), join(cwd, 'corrected.sqlite'));
  const corrected = 'corrected.sqlite';
  await session.runs('corrections', corrections(corrected));
  const some = ['ALIC', 'BOR1', 'NAMA', 'NAMB', 'MFKG'];
  await session.runs('corrected', readingRuns(corrected, folder, some));
  await session.answers('corrected', corrected, (client) => seedsOf(client, 1), {
    ofKind: 10,
    links: 500,
  });
}

async function recordPostgres(
  session: Session,
  network: Network,
  newDatabase: () => Promise<string>,
): Promise<void> {
  const { name, every } = network;
  const database = await newDatabase();
  session.maskAs(database, 'postgres://recorded');
  const folder = folderOf(network);
  const limits = { ofKind: 3, links: 200 };
  await session.runs(`${name}-postgres-import`, [importOf(database, folder)]);
  const seeds = (client: Client): Promise<Request[]> => seedsOfData(client, every * 2);
  await session.answers(`${name}-postgres`, database, seeds, limits);
  if (name !== 'sample') return;
  const sites = await session.someSites(database, 4);
  await session.runs(`${name}-postgres`, readingRuns(database, folder, sites));
  await session.runs('corrections-postgres', corrections(database));
  await session.answers('corrected-postgres', database, seeds, limits);
}

/** A function that makes databases of PostgreSQL, and one that ends it; null if not installed. */
async function startPostgres(): Promise<{
  newDatabase: () => Promise<string>;
  stop: () => Promise<void>;
} | null> {
  const { Cluster, findPrograms } = await import('../postgres/cluster.js');
  if (findPrograms() === null) return null;
  const cluster = await Cluster.create();
  const newDatabase = async (): Promise<string> => cluster.url(await cluster.createDatabase());
  return { newDatabase, stop: () => cluster.stop() };
}

/** Makes a recording. */
export async function record({ checkout, into, networks, engines }: Options): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'gnss-site-setups-recording-'));
  process.once('exit', () => rmSync(cwd, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  mkdirSync(into, { recursive: true });
  for (const name of readdirSync(into)) if (name.endsWith(ENDING)) rmSync(join(into, name));

  const command = new Command(checkout, cwd);
  const session = new Session(command, into);
  session.maskAs(cwd, '/recording');
  session.maskAs(checkout, '/checkout');
  const { stdout } = await command.run(['--version'], CLOCKS.reading);
  const version = stdout.toString().trim();
  session.maskAs(version, 'VERSION');
  const revision = /\bg([0-9a-f]{7,})/.exec(version)?.[1];
  if (revision !== undefined) session.maskAs(revision, 'REVISION');

  const found = NETWORKS.filter(({ name }) => networks.has(name)).filter((network) => {
    const absent = missing(network);
    if (absent.length > 0) say(`${network.name} is skipped: there is no ${absent.join(', ')}`);
    return absent.length === 0;
  });
  for (const network of found) copyLogs(network, cwd);
  const isWith = (engine: Engine): boolean => engines.has(engine);
  if (found.some(({ name }) => name === 'sample')) {
    writeChanges(cwd);
    if (isWith('sqlite')) {
      const hasCases = copyCases(cwd);
      if (!hasCases) say('the cases are skipped: there is no ../shared');
      await session.runs('plain', plainRuns(hasCases));
      if (hasCases) {
        const folders = readdirSync(join(cwd, 'cases', 'rinex'))
          .filter((name) => name !== 'logs')
          .sort();
        const runs = [importOf('rinex.sqlite', 'cases/rinex/logs')];
        await session.runs('rinex', [...runs, ...rinexRuns('rinex.sqlite', folders)]);
      }
    }
  }
  if (isWith('sqlite')) for (const network of found) await recordSqlite(session, cwd, network);
  if (!isWith('postgres')) return;
  const postgres = await startPostgres();
  if (postgres === null) {
    say('postgres is skipped: it is not installed');
    return;
  }
  try {
    for (const network of found) {
      // The text logs would add time, and no statement.
      if (network.name === 'text') continue;
      await recordPostgres(session, network, postgres.newDatabase);
    }
  } finally {
    await postgres.stop();
  }
}
