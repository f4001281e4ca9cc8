import { keyAtSite } from '../../derive/devices.js';
import type { Database } from '../database.js';
import { UNKNOWN_START } from '../schema.js';
import { isIntact } from '../save/checksums.js';
import { describe, refreshDevices } from '../save/devices.js';
import { load, loadLogs, loadOriginals, sitesWithNumbers } from '../save/load.js';
import type { LoadedRow } from '../save/loaded-rows.js';
import { currentLog, findingRows, sha256Of } from '../save/logs.js';
import type { ImportAgain } from '../save/corrections.js';
import { saveGaps, saveRecord, supersedeRecord, withoutEquipment } from '../save/record.js';
import type { SiteLogImport } from '../save/site-log-import.js';
import { idOf, type SiteColumns, toColumns, updateSite } from '../save/sites.js';
import { beginUnitOfWork, type Recorded } from '../save/unit-of-work.js';

/** What the logs of a Site give, compared with what is on record about it. */
export interface Derivation {
  site: number;
  /** The id of the Site, for messages. */
  name: string;
  /** The Site as it is on record. */
  recorded: LoadedRow<'site'>;
  /** Rows that the current log gives and that are not on record, or damaged. Their ids, times and logs mean nothing. */
  unmatched: {
    setup: LoadedRow<'setup'>[];
    installation: LoadedRow<'installation'>[];
    change: LoadedRow<'change'>[];
  };
  /** How many valid, undamaged rows the current log does not give. */
  others: number;
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

/** Stands for a Site whose row is missing. */
const NOBODY = {
  four_character_id: '????',
  nine_character_id: null,
  retired_at: null,
  last_event: 0,
  checksum: 0,
};

/** Derives Sites again with the code of the import. @param hasDamage if true, what follows from several rows is not compared */
export async function deriveAgain(
  db: Database,
  numbers: readonly number[],
  importAgain: ImportAgain,
  hasDamage: boolean,
): Promise<Derivation[]> {
  const there = new Map((await sitesWithNumbers(db, numbers)).map((site) => [site.id, site]));
  const sites = numbers.map((id) => there.get(id) ?? ({ ...NOBODY, id } as LoadedRow<'site'>));
  const logs = await loadLogs(db, numbers);
  const ids = logs.map(({ id }) => id);
  const originals = new Map(
    (await loadOriginals(db, ids)).map(({ id, original }) => [id, original]),
  );
  const read: ReadLogs = new Map(
    logs.map((log) => [log.id, readLog(log, originals.get(log.id)!, importAgain)]),
  );
  const current = logs.filter(({ superseded_at }) => superseded_at === null);
  const records = current.flatMap(({ id }) => read.get(id)!.content ?? []);
  const recorded = await load(db, { sites, renames: [] }, { records, sha256s: null });
  const restored = restoreDevices(recorded, current, read);
  const devices = hasDamage ? restored : wrongDevices(recorded);
  return sites.map((site) => deriveSite(recorded, site, read, devices, hasDamage));
}

/** The SHA-256 of logs, and what is in them as far as they can be read, by number. */
type ReadLogs = ReadonlyMap<number, { sha256: string; content?: SiteLogImport }>;

function readLog(
  { name, sha256: expected, imported_at }: LoadedRow<'site_log'>,
  original: Uint8Array,
  importAgain: ImportAgain,
): { sha256: string; content?: SiteLogImport } {
  const sha256 = sha256Of(original);
  try {
    return sha256 === expected
      ? { sha256, content: importAgain({ name, original, importedAt: new Date(imported_at) }) }
      : { sha256 };
  } catch {
    return { sha256 };
  }
}

/** Restores lost or damaged devices from what the log says was installed then; leaves out installations whose device is not found. */
function restoreDevices(
  recorded: Recorded,
  current: LoadedRow<'site_log'>[],
  read: ReadLogs,
): LoadedRow<'equipment'>[] {
  const restored: LoadedRow<'equipment'>[] = [];
  const known = new Map(recorded.devices.map((device) => [device.id, device]));
  for (const row of recorded.installations) {
    const found = known.get(row.equipment_id);
    if (found !== undefined && isIntact('equipment', found)) continue;
    const log = read.get(current.find(({ site_id }) => site_id === row.site_id)?.id ?? 0)?.content;
    const device = [...(log?.devices ?? []), ...(log?.instruments ?? [])].find(({ inUse }) =>
      inUse.some(
        ({ content: { period, configuration } }) =>
          (period.from ?? UNKNOWN_START) === row.period_from &&
          period.to === row.period_to &&
          JSON.stringify(configuration) === row.configuration,
      ),
    );
    if (device === undefined) continue;
    const state = found ?? { listed: 0, in_use: 0, conflicting: 0, checksum: 0 };
    const as = {
      ...state,
      id: row.equipment_id,
      ...describe(device.identity),
      identity: keyAtSite(device, row.site_id),
    };
    known.set(row.equipment_id, as);
    restored.push(as);
  }
  recorded.devices = [...known.values()];
  recorded.installations = recorded.installations.filter(({ equipment_id }) =>
    known.has(equipment_id),
  );
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
  read: ReadLogs,
  devices: LoadedRow<'equipment'>[],
  hasDamage: boolean,
): Derivation {
  const ofSite = <Row extends { site_id: number }>(rows: Row[]): Row[] =>
    rows.filter(({ site_id }) => site_id === site.id).map((row) => ({ ...row }));
  const [setups, installations, changes, logs] = [
    ofSite(all.setups),
    ofSite(all.installations),
    ofSite(all.changes),
    ofSite(all.logs),
  ];
  const unit = beginUnitOfWork({
    ...all,
    sites: [{ ...site }],
    logs,
    setups: setups.filter((row) => isIntact('setup', row)),
    installations: installations.filter((row) => isIntact('installation', row)),
    changes: changes.filter((row) => isIntact('change', row)),
  });
  const log = currentLog(logs);
  const derived = log && read.get(log.id)!.content;
  const saving = { site: site.id, log: log?.id ?? 0, recordedAt: log?.imported_at ?? '' };
  if (site.retired_at !== null) supersedeRecord(unit, saving);
  else if (derived !== undefined)
    saveRecord(
      unit,
      saving,
      log?.withdrawn_at === null ? derived : withoutEquipment(derived),
      false,
    );
  if (derived !== undefined) updateSite(unit, unit.sites.get(site.id), derived.log.identification);
  const findings = new Map<number, LoadedRow<'finding'>[]>();
  for (const { id } of logs) {
    const own = read.get(id)!.content;
    if (own === undefined) continue;
    findings.set(id, findingRows(id, own.findings));
    unit.findings.set(id, findings.get(id)!);
  }
  const gaps = beginUnitOfWork({ ...all, changes: ofSite(all.changes) });
  if (!hasDamage) saveGaps(gaps, site.id, new Map());
  return {
    site: site.id,
    name: idOf(site),
    recorded: site,
    unmatched: {
      setup: unit.setups.added,
      installation: unit.installations.added,
      change: unit.changes.added,
    },
    others: [...unit.setups.changed, ...unit.installations.changed, ...unit.changes.changed].filter(
      (row) => row.superseded_at !== null,
    ).length,
    logs: logs.map(({ id }) => {
      const { sha256, content } = read.get(id)!;
      if (content === undefined) return { id, sha256 };
      const { form, agency, datePrepared: date_prepared } = content.log;
      return { id, sha256, form, agency, date_prepared };
    }),
    described: derived === undefined ? null : toColumns(derived.log.identification),
    summary:
      site.retired_at === null && derived !== undefined
        ? unit.summaries.get(site.id)[0]
        : undefined,
    findings,
    differs:
      unit.sites.changed.size + unit.summaries.replaced.size + unit.findings.replaced.size > 0,
    gaps: [...gaps.changes.changed],
    devices: devices.filter(({ id }) =>
      installations.some(({ equipment_id }) => equipment_id === id),
    ),
  };
}
