import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logText } from '../helper.js';
import type { Campaign } from './campaign.js';
import { type Service, startService, startTool } from './processes.js';
import { type Random, randomOf } from './random.js';

/** Imports logs with contacts while a service answers, kills the imports at random points, and looks for the contacts in the answers. */

const SITES = 60;
const idOf = (site: number): string => `C${String(site).padStart(3, '0')}`;

const REMARK = 'ask Erika Quorvblax, +1 555 9876 5432, or quorvblax (at) example dot org';
/** Each contact of the logs. */
const CONTACT = /quorvblax|9876\s*543/i;
/** What is in place of a contact. */
const WITHHELD = '(withheld)';

/** A log whose contacts, also under labels that the form does not have, stand in remarks, and in lines that become findings. */
function withContacts(site: number, version: number): string {
  const more = { 'Firmware Version': `${version}`, 'Additional Information': REMARK, 'Best Person': REMARK };
  const receivers = [{ type: 'R', serial: `${site}`, from: '2001-01-01', more }];
  const antennas = [{ type: 'A by Erika Quorvblax', serial: '1', from: 'yesterday' }];
  const log = logText({ id: idOf(site), prepared: `${2000 + version}-01-01`, receivers, antennas });
  return `${log}
11.  On-Site, Point of Contact Agency Information
     Agency                   : Example Agency
     Contact Person           : Erika Quorvblax
     Primary Contact
       Telephone (primary)    : +1 555 9876 5432
       E-mail                 : quorvblax@example.org
       Mobile                 : +1 555 9876 5433
`;
}

/** Writes a version of the logs of all Sites. */
function writeLogs(folder: string, version: number): string {
  const logs = join(folder, `v${version}`);
  mkdirSync(logs);
  for (let site = 0; site < SITES; site++) writeFileSync(join(logs, `${idOf(site).toLowerCase()}.log`), withContacts(site, version));
  return logs;
}

/** Runs an import. @param killAfter when it is killed, in milliseconds after it began to write @returns how long it wrote, and its output */
async function runImport(database: string, logs: string, killAfter: number): Promise<{ wrote: number; isKilled: boolean; output: string }> {
  const { child, ended, output } = startTool(['import', logs, '--database', database]);
  const state = { begin: Infinity };
  const watcher = watch(join(database, '..'), () => {
    if (state.begin < Infinity) return;
    state.begin = performance.now();
    if (killAfter < Infinity) setTimeout(() => child.kill('SIGKILL'), killAfter);
  });
  const { signal } = await ended;
  watcher.close();
  return { wrote: performance.now() - state.begin, isKilled: signal === 'SIGKILL', output: output.stdout + output.stderr };
}

/** Paths with all that is published of the logs. */
const pathsOf = (site: number): string[] => [
  '/siteLogs?size=1000&projection=written',
  ...['setups', 'installations', 'changes', 'sites'].map((name) => `/exports/${name}.ndjson`),
  '/feed?size=1000',
  '/changes?size=1000',
  '/equipment?size=1000',
  '/sites?q=ask',
  `/sites/${idOf(site)}`,
  `/sites/${idOf(site)}/log`,
  `/siteLogs/search/findByFourCharacterId?id=${idOf(site)}&format=geodesyml`,
  '/gnssReceivers?size=1000&projection=installations',
];

/** What was seen of the imports. */
export interface Seen {
  /** How many imports were killed before they had ended. */
  killed: number;
  answers: number;
  /** How many answers have something withheld. */
  withheld: number;
  /** Where contacts were found. */
  leaks: string[];
}

/** @param folder an empty folder */
export async function watchImports(folder: string, kills: number, random: Random): Promise<Seen> {
  const database = join(folder, 'contacts.sqlite');
  const seen: Seen = { killed: 0, answers: 0, withheld: 0, leaks: [] };
  const check = (where: string, text: string): void => {
    seen.answers++;
    if (text.includes(WITHHELD)) seen.withheld++;
    const at = text.search(CONTACT);
    if (at >= 0) seen.leaks.push(`${where}: ${text.slice(Math.max(0, at - 100), at + 100)}`);
  };
  const ask = async ({ port }: Service): Promise<void> => {
    for (const path of pathsOf(random.below(SITES))) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      check(`${path}: ${response.status}`, await response.text());
    }
  };
  const first = await runImport(database, writeLogs(folder, 0), Infinity);
  check('the first import', first.output);
  const service = await startService(database);
  try {
    await ask(service);
    for (let round = 1; round <= kills; round++) {
      const state = { isRunning: true };
      const running = runImport(database, writeLogs(folder, round), random.next() * first.wrote).finally(() => (state.isRunning = false));
      while (state.isRunning) await ask(service);
      const { isKilled, output } = await running;
      if (isKilled) seen.killed++;
      check(`import ${round}`, output);
      await ask(service);
    }
  } finally {
    seen.leaks.push(...(await service.stop()));
  }
  return seen;
}

/** The part of `npm run faults`. */
export async function watchKilledImports(campaign: Campaign, kills: number): Promise<void> {
  const own = join(campaign.folder, 'contacts');
  mkdirSync(own);
  const { killed, answers, withheld, leaks } = await watchImports(own, kills, randomOf(campaign.seed, 'contacts', 0));
  campaign.tried('contacts', answers);
  for (const leak of leaks) campaign.failed('contacts', leak);
  if (killed === 0 || withheld === 0)
    campaign.failed('contacts', `${killed} imports were killed, ${withheld} answers have something withheld`);
  campaign.note('contacts', `${killed} of ${kills} imports were killed before they finished`);
}
