import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logText } from '../helper.js';
import type { Random } from './random.js';
import type { Requests } from './steady-load.js';

/** As many Sites as an import saves in one transaction. */
const SITES = 10;

const idOf = (site: number): string => `V${String(site).padStart(3, '0')}`;

/**
 * Writes the logs of a version of the network: all Sites have one Setup, whose receiver is of the type `V` with the number
 * of the version. One transaction takes the network from one version to the next.
 */
export function writeVersion(folder: string, version: number): void {
  mkdirSync(folder, { recursive: true });
  const prepared = new Date(Date.UTC(2015, 0, version)).toISOString().slice(0, 10);
  for (let site = 0; site < SITES; site++) {
    const receivers = [{ type: `V${version}`, serial: `${site}`, from: '2010-01-01' }];
    writeFileSync(join(folder, `${idOf(site)}.log`), logText({ id: idOf(site), prepared, receivers }));
  }
}

/** Requests whose answers show the version, to several processes. */
export class VersionedRequests implements Requests {
  /** For each process, when each newer version was first seen, in milliseconds. */
  private readonly seen: { at: number; version: number }[][];

  private readonly random: Random;

  constructor(random: Random, processes: number) {
    this.random = random;
    this.seen = Array.from({ length: processes }, () => []);
  }

  /** The newest version that every process has shown; 0 for none. */
  get newest(): number {
    return Math.min(...this.seen.map((each) => each.at(-1)?.version ?? 0));
  }

  /** One Site, or, rarely, all. */
  next(): string {
    const { random } = this;
    return random.chance(0.1)
      ? `/setups?current=true&size=${random.pick([20, 100])}`
      : `/setups/search/findCurrentByFourCharacterId?id=${idOf(random.below(SITES))}`;
  }

  /** An answer must have one version, no older than that of any answer of the same process that had come before it was asked for. */
  findings(process: number, body: string, askedAt: number): string[] {
    const seen = this.seen[process]!;
    const versions = new Set([...body.matchAll(/"type":"V(\d+)"/g)].map(([, version]) => Number(version)));
    if (versions.size !== 1) return [`an answer with the versions ${[...versions].join(', ') || 'none'}: ${body.slice(0, 200)}`];
    const [version] = [...versions] as [number];
    const before = seen.findLast(({ at }) => at < askedAt)?.version ?? 0;
    if (version > (seen.at(-1)?.version ?? 0)) seen.push({ at: performance.now(), version });
    return version < before ? [`version ${version} after version ${before}`] : [];
  }
}
