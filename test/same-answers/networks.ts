import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, SAMPLE_LOGS } from '../campaigns/processes.js';
import { logText, type SyntheticLog } from '../helper.js';
import { type Answer, type Ask } from './client.js';

/** When the services answer. */
const SERVED = '2026-03-01T00:00:00Z';
/** When a log of the network `sample` and `shared` is imported; each further step is a day later. */
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** The flags of a process whose clock stands still. */
const clockAt = (instant: string): { nodeFlags: string[] } => ({
  nodeFlags: [`--import=file://${join(import.meta.dirname, 'fixed-clock.js')}?at=${instant}`],
});
export const SERVICE_CLOCK = clockAt(SERVED);

/** A network: the commands that make it, in order, each on another day. */
export interface Network {
  name: 'sample' | 'shared' | 'history';
  steps: string[][];
  /** The most elements of a collection, and links of a kind, that are asked for. */
  most: number;
}

/** A database with a network, and what the commands that made it have printed. */
export interface Made {
  name: string;
  database: string;
  commands: [Ask, Answer][];
}

const R = (type: string, serial: string, from: string, to?: string) => ({ type, serial, from, ...(to !== undefined && { to }) });

/** Several versions of some Sites, as in the campaign that corrupts databases. */
function versionOf(version: number): Record<string, SyntheticLog> {
  const logs = ['AAAA', 'BBBB', 'CCCC00AUS', 'CCCC00CAN', 'DDDD00AUS'].map((id): [string, SyntheticLog] => {
    const changed = `200${3 + version}-01-01`;
    const receivers = [R('R1', `${id}-1`, '2001-01-01', changed), R('R2', 'SHARED', changed)];
    const antennas = [R(`A${version}`, `${id}-${version}`, '2002-01-01'), { type: 'A0', from: 'yesterday', to: '2002-01-01' }];
    const sensors = [{ type: 'H', serial: id, from: '2003-01-01', more: version > 1 ? { '  Aspiration': 'FAN' } : {} }];
    const clocks = [{ type: 'INTERNAL', from: '2001-01-01' }];
    return [id, { id, prepared: `202${version}-01-01`, name: `${id} ${version}`, receivers, antennas, sensors, clocks }];
  });
  return Object.fromEntries(logs);
}

/** Orders that depend on the collation unless they are by code point, and Sites that share four characters and a device. */
const ODD: Record<string, SyntheticLog> = {
  ...Object.fromEntries(
    ['Éa', 'ea', 'Eb', 'z', 'Z', '_', 'ß', '日本', '𝕊', 'a b', 'a-b', 'ab', '10', '9'].map((name, index) => [
      `odd${index}`,
      {
        id: `O${String(index).padStart(3, '0')}`,
        name,
        receivers: [R(`R ${name}`, name, '2001-01-01')],
        antennas: [R(name, '1', '2001-01-01')],
      },
    ]),
  ),
  'same-aus': { id: 'SAME00AUS', receivers: [R('R0', '77', '2001-01-01'), R('R0', '', '2002-01-01')] },
  'same-nzl': { id: 'SAME00NZL', receivers: [R('R0', '77', '2001-06-01')] },
};
const NEWER: Record<string, SyntheticLog> = {
  'same-newer': {
    id: 'SAME00AUS',
    prepared: '2021-01-01',
    receivers: [R('R0', '77', '2001-01-01', '2003-01-01'), R('R1', '78', '2003-01-01')],
  },
  'odd1-older': { id: 'O001', prepared: '2010-01-01', receivers: [R('OLD', '1', '2001-01-01')] },
  'odd2-future': { id: 'O002', prepared: '2090-01-01', receivers: [R('FUTURE', '1', '2001-01-01')] },
};

/** The network of `createNetworkWithHistory` in `test/campaigns`, made with commands, and more. @param folder for its logs */
function historyIn(folder: string): Network {
  const logs = { 1: versionOf(1), 2: versionOf(2), 3: versionOf(3), odd: ODD, newer: NEWER };
  for (const [version, files] of Object.entries(logs)) {
    mkdirSync(join(folder, version), { recursive: true });
    for (const [name, log] of Object.entries(files)) writeFileSync(join(folder, version, `${name}.log`), logText(log));
  }
  const hashOf = (id: string): string => createHash('sha256').update(logText(logs[3][id]!)).digest('hex');
  const steps = [
    ['import', SAMPLE_LOGS],
    ...Object.keys(logs).map((version) => ['import', join(folder, version)]),
    ['log', 'withdraw', 'AAAA', hashOf('AAAA')],
    ['log', 'withdraw', 'BBBB', hashOf('BBBB')],
    ['log', 'restore', 'AAAA', hashOf('AAAA')],
    ['site', 'rename', 'DDDD00AUS', 'EEEE00AUS'],
    ['site', 'retire', 'CCCC00CAN'],
    ['site', 'retire', 'EEEE00AUS'],
    ['site', 'unretire', 'EEEE00AUS'],
    ['site', 'retire', 'O003'],
    ['site', 'rename', 'O005', 'RENA00DNK'],
    // An ambiguous Site, and a log that is none.
    ['site', 'retire', 'SAME'],
    ['log', 'withdraw', 'SAME00AUS', '1000'],
    ['import', join(folder, '3'), join(folder, 'odd')],
    ['log', 'list', 'AAAA'],
  ];
  return { name: 'history', steps, most: 120 };
}

/** The networks. @param shared the folder of the real logs, if there is one */
export const networksIn = (scratch: string, shared: string | null): Network[] => [
  { name: 'sample', steps: [['import', SAMPLE_LOGS]], most: 40 },
  ...(shared === null ? [] : [{ name: 'shared' as const, steps: [['import', shared]], most: 30 }]),
  historyIn(join(scratch, 'logs')),
];

/** Runs a command of the tool. @returns what it printed, without the places of this run */
async function command(args: string[], day: number, hidden: string[]): Promise<[Ask, Answer]> {
  const { code, stdout, stderr } = await runTool(args, clockAt(new Date(FIRST_DAY + day * 86_400_000).toISOString()));
  const shown = (text: string): string => hidden.reduce((rest, each) => rest.replaceAll(each, '…'), text);
  return [{ target: shown(`$ ${args.join(' ')}`) }, { status: code ?? -1, headers: [], body: shown(`${stdout}---\n${stderr}`) }];
}

/** Makes a network in an empty database, and verifies it. */
export async function make({ steps }: Network, name: string, database: string, hidden: string[]): Promise<Made> {
  const commands: [Ask, Answer][] = [];
  for (const [day, step] of [...steps, ['verify']].entries())
    commands.push(await command([...step, '--database', database], day, [database, ...hidden]));
  return { name, database, commands };
}

/** Runs commands that make another database of the same network. @throws {Error} if one fails */
export async function derive(name: string, database: string, steps: string[][]): Promise<Made> {
  for (const step of [...steps, ['verify', '--database', database]]) {
    const [, { status, body }] = await command(step, 40, []);
    if (status !== 0) throw new Error(`${step.join(' ')} ended with ${status}: ${body}`);
  }
  return { name, database, commands: [] };
}
