import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logText } from '../helper.js';
import { type Random } from './random.js';

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

/** A request whose answer shows the version: that of one Site, or, rarely, that of all. */
export const versionedTarget = (random: Random): string =>
  random.chance(0.1)
    ? `/setups?current=true&size=${random.pick([20, 100])}`
    : `/setups/search/findCurrentByFourCharacterId?id=${idOf(random.below(SITES))}`;

/** What is wrong with the versions of an answer. */
export class VersionChecks {
  /** When each newer version was first seen, in milliseconds. */
  private readonly seen: { at: number; version: number }[] = [];

  /** The newest version that was seen; 0 for none. */
  get newest(): number {
    return this.seen.at(-1)?.version ?? 0;
  }

  /**
   * Checks an answer of one process: it has one version, no older than that of any answer that had come before it was asked for.
   * @param askedAt in milliseconds, as `performance.now()`
   */
  findings(body: string, askedAt: number): string[] {
    const versions = new Set([...body.matchAll(/"type":"V(\d+)"/g)].map(([, version]) => Number(version)));
    if (versions.size !== 1) return [`an answer with the versions ${[...versions].join(', ') || 'none'}: ${body.slice(0, 200)}`];
    const [version] = [...versions] as [number];
    const before = this.seen.findLast(({ at }) => at < askedAt)?.version ?? 0;
    if (version > this.newest) this.seen.push({ at: performance.now(), version });
    return version < before ? [`version ${version} after version ${before}`] : [];
  }
}
