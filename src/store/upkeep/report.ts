import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import type { Database } from '../database.js';
import { type RowOf, TABLES } from '../schema.js';
import { type CheckedTable, checksumOfRow, coveredBy } from '../save/checksums.js';
import type { Derivation } from './derive-again.js';
import type { Repair } from './repairs.js';
import type { AnyRow, Scan } from './scan.js';
import type { Problem } from './types.js';

/** The tables whose rows logs give and events record. */
const HISTORIC = ['setup', 'installation', 'change'] as const;
type Historic = (typeof HISTORIC)[number];
const isHistoric = (table: CheckedTable): table is Historic =>
  (HISTORIC as readonly string[]).includes(table);

const nameOf = ({ table, key }: Repair): string => `${table} ${JSON.stringify(key)}`;

/** Collects problems, and what repairs them. */
export class Report {
  readonly problems: Problem[] = [];
  /** By table and key, because a row may be found in two ways. */
  readonly repairs = new Map<string, Repair>();
  readonly toDeriveAgain: string[] = [];

  constructor(
    private readonly found: Scan,
    private readonly derivations: ReadonlyMap<number, Derivation>,
  ) {}

  /** Rows that are damaged, missing or too much. */
  checkRows(): void {
    const { damaged, missing, surplus, damagedOriginals } = this.found;
    for (const id of damagedOriginals)
      this.report(`site_log ${id}: the original does not match its SHA-256`);
    for (const [table, rows] of damaged) {
      // What should not exist need not be right, and former ids are compared as a whole.
      const isExpected = ({ id }: AnyRow): boolean =>
        !(surplus.get(table)?.includes(id as number) ?? false);
      if (table !== 'site_rename')
        for (const row of rows.filter(isExpected)) this.checkRow(table, row);
    }
    for (const [table, ids] of surplus)
      for (const id of ids)
        this.report(`${table} ${id} should not exist`, { table, row: null, key: { id } });
    for (const [table, ids] of missing) {
      for (const id of ids)
        this.report(
          `${table} ${id} is missing`,
          isHistoric(table) ? this.missing(table, id) : this.missingOther(table, id),
        );
    }
  }

  private checkRow(table: CheckedTable, row: AnyRow): void {
    const key = (TABLES[table].key as readonly string[])
      .map((column) => String(row[column]))
      .join(', ');
    const of =
      typeof row.site_id === 'number'
        ? ` of Site ${this.derivations.get(row.site_id)?.name ?? row.site_id}`
        : '';
    this.report(`${table} ${key}${of} does not match its checksum`, this.repairOf(table, row));
  }

  /** What repairs a damaged row; undefined if no log gives what is damaged. */
  private repairOf(table: CheckedTable, row: AnyRow): Repair | undefined {
    const candidates = this.candidatesFor(table, row).map((candidate) => ({
      ...row,
      ...candidate,
    }));
    const was = candidates.find((each) => checksumOfRow(table, each) === row.checksum);
    if (was !== undefined) return this.toRepair(table, was);
    // If the row is as its event and its log have it, only the checksum is damaged. No log gives the name of its file.
    const same = candidates.find((each) =>
      coveredBy(table).every((column) => row[column] === each[column]),
    );
    if (same !== undefined && table !== 'site_log') return this.toRepair(table, same);
    // These follow from logs and other rows alone, whatever the checksum says. One with a wrong key goes, and is derived next.
    if (!['site_summary', 'finding', 'equipment', 'rejected_file'].includes(table))
      return undefined;
    if (candidates.length > 0) return this.toRepair(table, candidates[0]!);
    return table === 'equipment' ? undefined : { table, row: null, key: this.keyOf(table, row) };
  }

  /** What a row can have been, according to its event and the logs. */
  private candidatesFor(table: CheckedTable, row: AnyRow): object[] {
    if (isHistoric(table)) return this.historicCandidates(table, row);
    const all = [...this.derivations.values()];
    const derivation = this.derivations.get(row.site_id as number);
    if (table === 'site') return this.expectedSite(row.id as number, row);
    if (table === 'site_log') return derivation?.logs.filter(({ id }) => id === row.id) ?? [];
    if (table === 'site_summary')
      return derivation?.summary === undefined ? [] : [derivation.summary];
    if (table === 'finding')
      return all.flatMap(
        ({ findings }) => findings.get(row.site_log_id as number)?.[row.position as number] ?? [],
      );
    if (table === 'equipment')
      return all.flatMap(({ devices }) => devices.filter(({ id }) => id === row.id));
    return [];
  }

  /** The event says when, for which Site and from which log; the log says what. */
  private historicCandidates(table: Historic, row: AnyRow): object[] {
    const recorded = this.recordingOf(table, row.id as number);
    if (recorded === undefined) return [];
    const derivation = this.derivations.get(recorded.site_id);
    if (derivation === undefined) return [];
    return derivation.unmatched[table].map(({ checksum: _, ...content }) => ({
      ...content,
      ...recorded,
    }));
  }

  private recordingOf(table: Historic, id: number) {
    const event = this.found.history.eventThatAdded(table, id);
    if (event === undefined) return undefined;
    const { site_id, at: recorded_at } = event;
    return {
      id,
      site_id,
      recorded_at,
      superseded_at: null,
      ...(table === 'change' ? {} : { site_log_id: event.site_log_id }),
    };
  }

  /** A Site as its current log and the events have it. @param row what is on record about it, if anything */
  private expectedSite(id: number, row: Partial<AnyRow>): object[] {
    const { history } = this.found;
    const described = this.derivations.get(id)?.described;
    if (described === undefined || described === null) return [];
    const events = {
      id,
      retired_at: history.retirementOf(id),
      last_event: history.lastEventOf(id),
    };
    const renamed = history.renamingOf(id);
    const nine = renamed === undefined ? described.nine_character_id : renamed.nineCharacterId;
    const ids = {
      four_character_id: renamed?.fourCharacterId ?? described.four_character_id,
      nine_character_id: nine ?? row.nine_character_id ?? null,
    };
    return [{ ...described, ...ids, ...events }];
  }

  /** If as many rows of a Site are missing as its log gives that are not on record, they are these, in order. */
  private missing(table: Historic, id: number): Repair | undefined {
    const recorded = this.recordingOf(table, id);
    if (recorded === undefined) return undefined;
    const siteOf = (each: number): number | undefined => this.recordingOf(table, each)?.site_id;
    const ids = this.found.missing.get(table)!.filter((each) => siteOf(each) === recorded.site_id);
    const unmatched = this.derivations.get(recorded.site_id)?.unmatched[table] ?? [];
    return unmatched.length === ids.length
      ? this.toRepair(table, { ...unmatched[ids.indexOf(id)]!, ...recorded })
      : undefined;
  }

  private missingOther(table: CheckedTable, id: number): Repair | undefined {
    const [candidate] =
      table === 'site' || table === 'equipment'
        ? this.candidatesFor(table, { id, checksum: 0 })
        : [];
    return candidate === undefined ? undefined : this.toRepair(table, candidate);
  }

  /** The former ids follow from the corrections. */
  async checkFormerIds(db: Database): Promise<void> {
    const { history, damaged, missing } = this.found;
    if (damaged.has('event') || missing.has('event')) return;
    const keyOf = ({
      former_id,
      site_id,
    }: Pick<RowOf<'site_rename'>, 'former_id' | 'site_id'>): string => `${former_id} ${site_id}`;
    const recorded = new Map(
      (await db.all<RowOf<'site_rename'>>(sql`SELECT * FROM site_rename`)).map((row) => [
        keyOf(row),
        row,
      ]),
    );
    for (const expected of history.formerIds()) {
      const row = recorded.get(keyOf(expected));
      recorded.delete(keyOf(expected));
      if (isDeepStrictEqual(row, expected)) continue;
      this.report(
        `site_rename ${expected.former_id} does not follow from the corrections`,
        this.toRepair('site_rename', expected),
      );
    }
    for (const { former_id, site_id } of recorded.values()) {
      this.report(`site_rename ${former_id} should not exist`, {
        table: 'site_rename',
        row: null,
        key: { former_id, site_id },
      });
    }
  }

  /** What the logs of a Site give, compared with what is on record. */
  checkSite(each: Derivation): void {
    const { site, name, unmatched, others, differs, devices, gaps } = each;
    const { damaged, missing, history } = this.found;
    const isDamaged =
      [...damaged.values()].flat().some((row) => (row.site_id ?? row.id) === site) ||
      HISTORIC.some((table) =>
        (missing.get(table) ?? []).some(
          (id) => history.eventThatAdded(table, id)?.site_id === site,
        ),
      );
    const isOther = differs || others > 0 || HISTORIC.some((table) => unmatched[table].length > 0);
    if (isOther && !isDamaged) this.deriveWhole(each);
    for (const device of devices) {
      const repair = this.toRepair('equipment', device);
      if (this.repairs.has(nameOf(repair))) continue;
      this.report(`equipment ${device.id} does not follow from its installations`, repair);
    }
    for (const row of gaps)
      this.report(`change ${row.id} of Site ${name} has a wrong gap`, this.toRepair('change', row));
  }

  /** Updates what has no history at a Site whose logs now give something else. For the rest, the log must be imported again. */
  private deriveWhole({ site, name, recorded, summary, findings }: Derivation): void {
    this.toDeriveAgain.push(name);
    if (summary !== undefined) this.repair(this.toRepair('site_summary', summary));
    for (const described of this.expectedSite(site, recorded))
      this.repair(this.toRepair('site', described));
    for (const [site_log_id, rows] of findings) {
      this.repair({ table: 'finding', row: null, key: { site_log_id } });
      for (const row of rows) this.repair(this.toRepair('finding', row));
    }
  }

  private keyOf(table: CheckedTable, row: AnyRow): Repair['key'] {
    return Object.fromEntries(
      TABLES[table].key.map((column) => [column, row[column] as string | number]),
    );
  }

  private toRepair(table: CheckedTable, right: object): Repair {
    const row = { ...right, checksum: checksumOfRow(table, right) } as AnyRow;
    return { table, row, key: this.keyOf(table, row) };
  }

  /** @param repair undefined if what is damaged cannot be derived */
  private report(text: string, repair?: Repair): void {
    this.problems.push({ text, repairable: repair !== undefined });
    if (repair !== undefined) this.repair(repair);
  }

  private repair(repair: Repair): void {
    this.repairs.set(nameOf(repair), repair);
  }
}
