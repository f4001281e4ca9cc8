import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { processorTimeOf } from '../bench/processes.js';
import { writeTextLogs } from '../bench/synthetic-logs.js';
import { REAL_LOGS } from '../project-files.js';
import type { Campaign } from './campaign.js';
import { Client } from './client.js';
import type { Read, Timed } from './mixed-client.js';
import { memoryOf, runTool, type Service, startNode, startService } from './processes.js';

/**
 * Six clients read all logs again and again, six others read lists, exports and pages, and one looks
 * Setups up. Nobody may be refused. How long they wait is printed: on an idle machine, the longest
 * time of a list is to be 500 ms, and that of lookups 20 ms, but for one in a hundred.
 */

const CLIENTS = 6;
/** The pause between two lookups, in milliseconds. */
const LOOKUP_PAUSE = 10;
/**
 * The least share of a processor that a service needs. With less, requests may wait too long and be
 * refused.
 */
const OWN_PROCESSOR = 0.8;
/** The most of the answers of a row that may be refusals then. */
const MOST_REFUSED = 0.05;
/** How many Sites are looked up. */
const SITES = 20;
/** How many synthetic logs there are without real ones. */
const SYNTHETIC = 648;

const ALL_LOGS = ['/siteLogs?size=1000'];
const OTHERS = {
  lists: [
    '/corsSites?size=100&page=2',
    '/corsSites?size=1000',
    '/corsSites/search/findByEquipment?type=LEICA*&size=50',
    '/changes?size=100',
    '/feed',
    '/gnssReceivers?size=100',
    '/gnssReceivers?type=TRIMBLE%20NETR9',
    '/setups?size=100',
    '/siteLogs?size=20&projection=written',
    '/ogc/collections/sites/items?limit=100',
    '/station/log/?list',
  ],
  exports: ['/exports/sites.csv', '/exports/setups.csv', '/exports/sites.snx'],
  pages: ['/sites', '/sites?page=2', '/network', '/findings', '/receivers', '/overview'],
};

/** The time below which a share of some times is. */
const shareOf = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? NaN;

const timesOf = (answers: readonly Timed[]): string => {
  const times = answers.map(([, , time]) => time);
  const [median, late, most] = [0.5, 0.99, 1].map((share) => shareOf(times, share).toFixed(1));
  return `p50 ${median}, p99 ${late}, at most ${most} ms`;
};

/** Imports the real logs, or synthetic ones if there are none. */
async function importNetwork(folder: string, database: string): Promise<void> {
  const synthetic = join(folder, 'synthetic');
  if (REAL_LOGS === null) {
    mkdirSync(synthetic);
    writeTextLogs(synthetic, SYNTHETIC);
  }
  const folders =
    REAL_LOGS === null ? [synthetic] : [join(REAL_LOGS, 'geodesyml'), join(REAL_LOGS, 'text')];
  // Some real logs are rejected.
  await runTool(['import', '--database', database, ...folders]);
}

/** The lookups of some Sites of the service. */
async function lookupsOf(port: number): Promise<string[]> {
  const client = new Client(port);
  const { body } = await client.get(`/corsSites?size=${SITES}`);
  client.close();
  const { _embedded } = JSON.parse(body.toString()) as {
    _embedded: { corsSites: { nineCharacterId: string | null; fourCharacterId: string }[] };
  };
  const lookup = '/setups/search/find';
  const now = new Date().toISOString();
  return _embedded.corsSites.flatMap(({ nineCharacterId, fourCharacterId }) => {
    const id = nineCharacterId ?? fourCharacterId;
    return [
      `${lookup}CurrentByFourCharacterId?id=${id}`,
      `${lookup}AtByFourCharacterId?id=${id}&at=${now}`,
    ];
  });
}

/** Lets clients read from a service, in a process of their own. */
async function readBy(
  { port }: Service,
  seconds: number,
  clients: number,
  pause: number,
  targets: readonly string[],
): Promise<Read> {
  const script = join(import.meta.dirname, 'mixed-client.ts');
  const numbers = [port, seconds, clients, pause].map(String);
  const { ended, output } = startNode([...process.execArgv, script, ...numbers, ...targets]);
  const { code } = await ended;
  if (code !== 0) throw new Error(`clients ended early: ${output.stderr}`);
  return JSON.parse(output.stdout) as Read;
}

/** Runs the mixed load for some seconds. */
export async function mixedLoad(campaign: Campaign, seconds: number): Promise<void> {
  const database = join(campaign.folder, 'mixed.sqlite');
  await importNetwork(campaign.folder, database);
  const service = await startService(database);
  const lookups = await lookupsOf(service.port);
  const before = processorTimeOf(service.pid);
  const [all, others, found] = await Promise.all([
    readBy(service, seconds, CLIENTS, 0, ALL_LOGS),
    readBy(service, seconds, CLIENTS, 0, Object.values(OTHERS).flat()),
    readBy(service, seconds, 1, LOOKUP_PAUSE, lookups),
  ]);
  const used = processorTimeOf(service.pid) - before;
  const isStarved = used / (seconds * 1000) < OWN_PROCESSOR;
  let refused = 0;
  const report = (row: string, answers: readonly Timed[]): void => {
    const answered = answers.filter(([, status]) => status === 200);
    const others = answers.filter(([, status]) => status !== 200);
    for (let tried = 0; tried < answers.length; tried++) campaign.tried(row);
    const isForgiven =
      isStarved &&
      others.every(([, status]) => status === 503) &&
      others.length <= MOST_REFUSED * answers.length;
    if (isForgiven) refused += others.length;
    else
      for (const [target, status] of others)
        campaign.failed('mixed', `${target} was answered ${status}`);
    campaign.note(row, timesOf(answered));
  };
  report('all logs', all.answers);
  for (const [kind, targets] of Object.entries(OTHERS))
    report(
      kind,
      others.answers.filter(([target]) => targets.includes(target)),
    );
  report('lookups', found.answers);
  campaign.tried('mixed');
  const shareOfProcessor = (milliseconds: number): string =>
    `${(milliseconds / seconds / 10).toFixed(0)} %`;
  const clients = all.processorTime + others.processorTime + found.processorTime;
  const memory = (memoryOf(service.pid) / 1e6).toFixed(0);
  campaign.note(
    'mixed',
    `load of the machine ${loadavg()[0]!.toFixed(1)}, memory ${memory} MB, ` +
      `${shareOfProcessor(used)} of a processor, the clients ${shareOfProcessor(clients)}, ` +
      `${refused} refused for want of one`,
  );
  for (const problem of await service.stop()) campaign.failed('mixed', problem);
}
