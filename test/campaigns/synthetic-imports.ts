import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { deriveSetups } from '../../src/derive/setups.js';
import { readSiteLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/site-log/site-log.js';
import { openReader } from '../../src/store/sqlite/open.js';
import { logText } from '../helper.js';
import { importLogs } from './networks.js';

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

/** Opens a database as the service does, which rolls back what was not committed; null if nothing was. */
async function openKilled(database: string): Promise<Database.Database | null> {
  try {
    await openReader(database).close();
  } catch (error) {
    if (/is empty; create it with/.test((error as Error).message)) return null;
    throw error;
  }
  return new Database(database, { readonly: true, fileMustExist: true });
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
  async check(database: string, version: number): Promise<Left> {
    const left: Left = { before: 0, after: 0, findings: [] };
    const db = await openKilled(database);
    if (db === null) return version === 1 ? left : { ...left, findings: ['the database is empty'] };
    const integrity = db.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') left.findings.push(`integrity_check: ${String(integrity)}`);
    const references = db.pragma('foreign_key_check') as unknown[];
    if (references.length > 0) left.findings.push(`foreign_key_check: ${references.length} rows`);
    const setups = db
      .prepare<[string], [string, string | null, string]>(
        `SELECT effective_from, effective_to, equipment_in_use FROM setup JOIN site ON site.id = site_id
         WHERE four_character_id = ? AND superseded_at IS NULL ORDER BY effective_from`,
      )
      .raw();
    for (let site = 0; site < SITES; site++) {
      const found = JSON.stringify(setups.all(idOf(site)));
      if (found === this.expected[version - 1]![site]) left.after++;
      else if (found === (version === 1 ? '[]' : this.expected[0]![site])) left.before++;
      else left.findings.push(`${idOf(site)} is half-written`);
    }
    db.close();
    return left;
  }
}
