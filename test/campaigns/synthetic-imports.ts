import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveSetups } from '../../src/derive/setups.js';
import { readSiteLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/site-log/site-log.js';
import { logText } from '../helper.js';
import type { Found } from './interrupted.js';
import { importLogs } from './processes.js';

/** How many Sites there are in each version. */
export const SITES = 60;

const idOf = (site: number): string => `K${String(site).padStart(3, '0')}`;

/** A log with many Setups, all of which differ between versions 1 and 2, and one finding. */
function siteLog(site: number, version: number): string {
  const year = (n: number): string => `${1990 + n}-01-0${version}`;
  const receivers = Array.from({ length: 30 }, (_, n) => ({ type: `R${version}`, serial: `${site}-${n}`, from: year(n), to: year(n + 1) }));
  const antennas = [{ type: 'A', from: 'yesterday' }];
  return logText({ id: idOf(site), prepared: `20${20 + version}-01-01`, receivers, antennas });
}

/** The expected Setups of a Site for one version of its log. */
function expectedSetups(site: number, version: number): string {
  const findings = new Findings('test.log');
  const setups = deriveSetups(readSiteLog(Buffer.from(siteLog(site, version)), findings).items, findings);
  return JSON.stringify(
    setups.map(({ effectivePeriod, equipmentInUse }) => [effectivePeriod.from, effectivePeriod.to, JSON.stringify(equipmentInUse)]),
  );
}

/** What an interrupted import has left. */
export interface Left {
  /** How many Sites have the Setups of the log before, and of the one that was imported. */
  before: number;
  after: number;
  findings: string[];
}

/** Logs of the same Sites in two versions, and a database of the first. */
export class SyntheticImports {
  /** A database of version 1. */
  readonly old: string;
  private readonly expected = [1, 2].map((version) => Array.from({ length: SITES }, (_, site) => expectedSetups(site, version)));

  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.old = join(folder, 'v1.sqlite');
  }

  /** @param folder an empty folder */
  static async create(folder: string): Promise<SyntheticImports> {
    const imports = new SyntheticImports(folder);
    for (const version of [1, 2]) {
      mkdirSync(imports.logs(version), { recursive: true });
      for (let site = 0; site < SITES; site++) writeFileSync(join(imports.logs(version), `k${site}.log`), siteLog(site, version));
    }
    await importLogs(imports.old, imports.logs(1));
    return imports;
  }

  /** The folder of the logs of a version. */
  logs(version: number): string {
    return join(this.folder, `v${version}`);
  }

  /** Checks what an interrupted import of a version has left: each Site is as before or as after. Version 1 begins without a database. */
  check(found: Found | null, version: number): Left {
    const left: Left = { before: 0, after: 0, findings: [] };
    if (found === null) return version === 1 ? left : { ...left, findings: ['the database is empty'] };
    left.findings.push(...found.damage);
    for (let site = 0; site < SITES; site++) {
      const setups = found.setups.get(idOf(site)) ?? '[]';
      if (setups === this.expected[version - 1]![site]) left.after++;
      else if (setups === (version === 1 ? '[]' : this.expected[0]![site])) left.before++;
      else left.findings.push(`${idOf(site)} is half-written`);
    }
    return left;
  }
}
