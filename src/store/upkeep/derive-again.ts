import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { keyAtSite } from '../../derive/devices.js';
import type { Database } from '../database.js';
import { UNKNOWN_START } from '../schema.js';
import { describe, refreshDevices } from '../save/devices.js';
import { load, loadOriginals, sitesWithNumbers } from '../save/load.js';
import type { LoadedRow } from '../save/loaded-rows.js';
import { currentLog, findingRows, sha256Of } from '../save/logs.js';
import type { ImportAgain } from '../save/corrections.js';
import { saveGaps, saveRecord, supersedeRecord, withoutEquipment, validRows } from '../save/record.js';
import type { SiteLogImport } from '../save/site-log-import.js';
import { idOf, type SiteColumns, toColumns } from '../save/sites.js';
import { beginUnitOfWork, type Recorded } from '../save/unit-of-work.js';

/** What the logs of a Site give, compared with what is on record about it. */
export interface Derivation {
  site: number;
  /** The id of the Site, for messages. */
  name: string;
  /** The Site as it is on record. */
  recorded: LoadedRow<'site'>;
  /** Rows that the current log gives and that are not on record. Their ids, times and logs say nothing. */
  unmatched: { setup: LoadedRow<'setup'>[]; installation: LoadedRow<'installation'>[]; change: LoadedRow<'change'>[] };
  /** How many valid rows the current log does not give. */
  others: number;
  /** What the current log says about the device of each valid installation that it gives. */
  identities: Map<number, Pick<LoadedRow<'installation'>, 'type' | 'identity'>>;
  /** What the logs say about themselves, as far as they can be read, and the SHA-256 of their bytes. */
  logs: (Pick<LoadedRow<'site_log'>, 'id' | 'sha256'> & Partial<LoadedRow<'site_log'>>)[];
  /** What the current log says about the Site, also its ids; null if that log cannot be read. */
  described: SiteColumns | null;
  /** Its summary; undefined if the current log cannot be read, or if the Site is retired, which keeps the last one. */
  summary: LoadedRow<'site_summary'> | undefined;
  /** The findings of each log that can be read. */
  findings: Map<number, LoadedRow<'finding'>[]>;
  /** Whether the log gives another Site, summary or findings than those on record. */
  differs: boolean;
  /** The gaps between its changes, where those on record differ. */
  gaps: LoadedRow<'change'>[];
  /** Devices as they should be, whose rows are lost or damaged, or do not follow from the installations on record. */
  devices: LoadedRow<'equipment'>[];
}

/** What must not be trusted. */
export interface Suspects {
  /** The devices with damaged rows. */
  devices: ReadonlySet<number>;
  /** Whether any row is damaged. Then what follows from several rows is not compared. */
  any: boolean;
}

/** Stands for a Site whose row is missing. */
const NOBODY = { four_character_id: '????', nine_character_id: null, retired_at: null, last_event: 0, checksum: 0 };

/** Derives some Sites again from their logs, with the code of the import. */
export async function deriveAgain(
  db: Database,
  numbers: readonly number[],
  importAgain: ImportAgain,
  suspects: Suspects,
): Promise<Derivation[]> {
  const there = new Map((await sitesWithNumbers(db, numbers)).map((site) => [site.id, site]));
  const sites = numbers.map((id) => there.get(id) ?? ({ ...NOBODY, id } as LoadedRow<'site'>));
  const found = await db.all<{ id: number }>(sql`SELECT id FROM site_log WHERE ${db.dialect.isOneOf('site_id', numbers)}`);
  const originals = await loadOriginals(
    db,
    found.map(({ id }) => id),
  );
  const empty = { records: [], sha256s: null, originals };
  const first = await load(db, { sites, renames: [] }, empty);
  const read = new Map(first.logs.map((log) => [log.id, readLog(log, originals, importAgain)]));
  const current = first.logs.filter(({ superseded_at }) => superseded_at === null);
  const records = current.flatMap(({ id }) => read.get(id) ?? []);
  const recorded = records.length === 0 ? first : await load(db, { sites, renames: [] }, { ...empty, records });
  const restored = restoreDevices(recorded, current, read, suspects);
  const devices = suspects.any ? restored : wrongDevices(recorded);
  return sites.map((site) => deriveSite(recorded, site, read, devices, suspects));
}

function readLog(
  { id, name, sha256, imported_at }: LoadedRow<'site_log'>,
  originals: Recorded['originals'],
  importAgain: ImportAgain,
): SiteLogImport | undefined {
  const original = originals.find((each) => each.id === id)!.original;
  if (sha256Of(original) !== sha256) return undefined;
  try {
    return importAgain({ name, original, importedAt: new Date(imported_at) });
  } catch {
    return undefined;
  }
}

/** Puts devices in place whose rows are lost or damaged, by what the log says was installed then; without those, leaves installations out. */
function restoreDevices(
  recorded: Recorded,
  current: LoadedRow<'site_log'>[],
  read: ReadonlyMap<number, SiteLogImport | undefined>,
  { devices: suspects }: Suspects,
): LoadedRow<'equipment'>[] {
  const restored: LoadedRow<'equipment'>[] = [];
  const known = new Map(recorded.devices.map((device) => [device.id, device]));
  for (const row of recorded.installations) {
    if (known.has(row.equipment_id) && !suspects.has(row.equipment_id)) continue;
    const log = read.get(current.find(({ site_id }) => site_id === row.site_id)?.id ?? 0);
    const device = [...(log?.devices ?? []), ...(log?.instruments ?? [])].find(({ inUse }) =>
      inUse.some(
        ({ content: { period, configuration } }) =>
          (period.from ?? UNKNOWN_START) === row.period_from &&
          period.to === row.period_to &&
          JSON.stringify(configuration) === row.configuration,
      ),
    );
    if (device === undefined) continue;
    const state = known.get(row.equipment_id) ?? { listed: 0, in_use: 0, conflicting: 0, checksum: 0 };
    const as = { ...state, id: row.equipment_id, ...describe(device.identity), identity: keyAtSite(device, row.site_id) };
    known.set(row.equipment_id, as);
    restored.push(as);
  }
  recorded.devices = [...known.values()];
  recorded.installations = recorded.installations.filter(({ equipment_id }) => known.has(equipment_id));
  return restored;
}

/** The devices whose state or document does not follow from the installations on record, as they should be. */
function wrongDevices(recorded: Recorded): LoadedRow<'equipment'>[] {
  const unit = beginUnitOfWork(recorded);
  for (const { id } of recorded.devices) unit.staleDevices.add(id);
  refreshDevices(unit);
  return [...unit.devices.changed];
}

function deriveSite(
  all: Recorded,
  site: LoadedRow<'site'>,
  read: ReadonlyMap<number, SiteLogImport | undefined>,
  devices: LoadedRow<'equipment'>[],
  suspects: Suspects,
): Derivation {
  const ofSite = <Row extends { site_id: number }>(rows: Row[]): Row[] =>
    rows.filter(({ site_id }) => site_id === site.id).map((row) => ({ ...row }));
  const [setups, installations, changes, logs] = [ofSite(all.setups), ofSite(all.installations), ofSite(all.changes), ofSite(all.logs)];
  const unit = beginUnitOfWork({ ...all, sites: [{ ...site }], setups, installations, changes, logs });
  const log = currentLog(logs);
  const derived = log && read.get(log.id);
  const saving = { site: site.id, log: log?.id ?? 0, recordedAt: log?.imported_at ?? '' };
  if (site.retired_at !== null) supersedeRecord(unit, saving);
  else if (derived !== undefined) saveRecord(unit, saving, log?.withdrawn_at === null ? derived : withoutEquipment(derived), false);
  const gaps = beginUnitOfWork({ ...all, changes: ofSite(all.changes) });
  if (!suspects.any) saveGaps(gaps, site.id, new Map());
  const readable = logs.filter(({ id }) => read.get(id) !== undefined);
  const findings = new Map(readable.map(({ id }) => [id, findingRows(id, read.get(id)!.findings)]));
  const described = derived === undefined ? null : toColumns(derived.log.identification);
  const { four_character_id: _, nine_character_id: __, ...members } = described ?? ({} as Partial<SiteColumns>);
  return {
    site: site.id,
    name: idOf(site),
    recorded: site,
    unmatched: { setup: unit.setups.added, installation: unit.installations.added, change: unit.changes.added },
    others: [...unit.setups.changed, ...unit.installations.changed, ...unit.changes.changed].filter((row) => row.superseded_at !== null)
      .length,
    identities: new Map(validRows(unit.installations, site.id).map(({ id, type, identity }) => [id, { type, identity }])),
    logs: logs.map(({ id }) => {
      const log = read.get(id)?.log;
      const stated = log === undefined ? {} : { form: log.form, agency: log.agency, date_prepared: log.datePrepared };
      return { id, sha256: sha256Of(all.originals.find((each) => each.id === id)!.original), ...stated };
    }),
    described,
    summary: site.retired_at === null && derived !== undefined ? unit.summaries.get(site.id)[0] : undefined,
    findings,
    differs:
      unit.summaries.replaced.has(site.id) ||
      Object.entries(members).some(([column, value]) => site[column as keyof typeof site] !== value) ||
      [...findings].some(
        ([id, rows]) =>
          !isDeepStrictEqual(
            rows,
            all.findings.filter((row) => row.site_log_id === id),
          ),
      ),
    gaps: [...gaps.changes.changed],
    devices: devices.filter(({ id }) => installations.some(({ equipment_id }) => equipment_id === id)),
  };
}
