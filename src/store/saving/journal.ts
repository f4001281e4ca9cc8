import { hash } from 'node:crypto';
import type { InstalledEquipment } from '../../../schemas/index.js';
import type { DerivedDevice } from '../../derive/devices.js';
import type { Finding, SiteIdentification } from '../../site-log/site-log.js';
import type { SiteLogImport } from '../logs.js';
import { checksumOf } from './checksums.js';

/** The tables with ids, in the order of `last_ids`. */
export const NUMBERED = ['site', 'site_log', 'setup', 'installation', 'change', 'equipment'] as const;

/** Something that changed the record of a Site. */
export interface Event {
  /** `import`, also for a log that was read again after an upgrade, or the kind of a correction. */
  kind: string;
  /** When, by the clock; `YYYY-MM-DDThh:mm:ss.sssZ`. */
  at: string;
  site: number;
  /** The number of an imported log. */
  log: number | null;
  /** The file name of an imported log; a correction as JSON. */
  detail: string | null;
  /** Of the bytes of an imported log. */
  sha256: string | null;
  /** Of what was derived from the log that was read; see {@link digestOf}. */
  digest: string | null;
}

/** A row of `journal`. */
export interface JournalRow {
  id: number;
  kind: string;
  at: string;
  site_id: number;
  site_log_id: number | null;
  detail: string | null;
  sha256: string | null;
  digest: string | null;
  last_ids: string;
  checksum: number;
}

/** The checksum that a row should have. */
export const checksumOfEntry = ({ id, kind, at, site_id, site_log_id, detail, sha256, digest, last_ids }: Omit<JournalRow, 'checksum'>) =>
  checksumOf([id, kind, at, site_id, site_log_id, detail, sha256, digest, last_ids]);

/** The row of an event. @param lastIds the last id of each numbered table after the event, in the order of {@link NUMBERED} */
export function entryOf({ site, log, ...event }: Event, id: number, lastIds: number[]): JournalRow {
  const row = { ...event, id, site_id: site, site_log_id: log, last_ids: JSON.stringify(lastIds) };
  return { ...row, checksum: checksumOfEntry(row) };
}

/** An entry for a Site whose content cannot be derived again. */
export function baselineOf(id: number, site: number, at: string, lastIds: string): JournalRow {
  const row = { id, kind: 'baseline', at, site_id: site, site_log_id: null, detail: null, sha256: null, digest: null, last_ids: lastIds };
  return { ...row, checksum: checksumOfEntry(row) };
}

/** The members of the identification that are digested, in this order. */
const DIGESTED = [
  'fourCharacterId',
  'nineCharacterId',
  'name',
  'domesNumber',
  'dateInstalled',
  'monumentDescription',
  'monumentFoundation',
  'monumentHeight',
  'markerDescription',
  'geologicCharacteristic',
  'bedrockType',
  'notes',
  'city',
  'state',
  'country',
  'latitude',
  'longitude',
  'elevation',
] as const satisfies (keyof SiteIdentification)[];

/** What is digested. */
export type Digested = Omit<SiteLogImport, 'name' | 'original' | 'importedAt' | 'persons' | 'withNames'>;

/** What was derived from a log, and what is digested instead if the derivation does not depend on the log alone. */
type Derived = Digested & Pick<SiteLogImport, 'withNames'>;

/** Whether a finding is about an instrument. Versions that read no instruments had no such findings. */
const isAboutInstrument = ({ about }: Finding): boolean => about === 'instrument';

/** What versions that read no instruments derived from a log. */
export const withoutInstruments = <D extends Derived>(derived: D): D => ({
  ...derived,
  ...digestedWithout(derived),
  withNames: derived.withNames && { ...derived.withNames, ...digestedWithout(derived.withNames) },
});

const digestedWithout = ({ findings }: Digested) => ({
  instruments: [],
  findings: findings.filter((finding) => !isAboutInstrument(finding)),
});

/** What a correction digests: a log without its findings. */
export const withoutFindings = <D extends Omit<Derived, 'findings'>>(derived: D): D & Derived => ({
  ...derived,
  findings: [],
  withNames: derived.withNames && { ...derived.withNames, findings: [] },
});

/**
 * Digests what was derived from a log. Two digests of one log are the same if the Setups, changes, devices, instruments,
 * findings and the members of {@link DIGESTED} are the same.
 *
 * Journals of earlier versions contain digests, so what is digested must never change. What a later version reads in
 * addition is left out: the Sites on record get it from their logs (`site_to_read`), and so does a replay. Instruments are
 * different. They have rows with ids, so a replay must know whether an event had them. A log with instruments is therefore
 * digested with them, and {@link derivedAs} compares a digest with both. Names of persons whom only other logs name as
 * contacts are included in the digest, although they are withheld: the digest of a log does not depend on other logs.
 */
export function digestOf(all: Derived): string {
  const { log, findings, setups, changes, devices, instruments, summary }: Digested = all.withNames ?? all;
  // Many Setups and changes share the same item object. It is digested once.
  const items = new Map<InstalledEquipment, number>();
  const numberOf = (item: InstalledEquipment): number => {
    const known = items.get(item);
    if (known !== undefined) return known;
    items.set(item, items.size);
    return items.size - 1;
  };
  const ofFindings = (list: Finding[]) => list.map(({ line, level, message, text }) => [line, level, message, text]);
  const ofDevices = (list: DerivedDevice[]) => list.map(({ key, ofSite, identity, inUse }) => [key, ofSite, identity, inUse.map(numberOf)]);
  const derived = [
    [log.form, log.datePrepared, Object.fromEntries(DIGESTED.map((name) => [name, log.identification[name]]))],
    ofFindings(findings.filter((finding) => !isAboutInstrument(finding))),
    setups.map(({ effectivePeriod, equipmentInUse }) => [effectivePeriod, equipmentInUse.map(numberOf)]),
    ofDevices(devices),
    changes.map(({ before, after, ...change }) => [change, before && numberOf(before), after && numberOf(after)]),
    { current: summary.current, searchText: summary.searchText },
  ];
  const added = [ofFindings(findings.filter(isAboutInstrument)), ofDevices(instruments)];
  const isWithout = added.every((list) => list.length === 0);
  return hash('sha256', JSON.stringify([derived, [...items.keys()], ...(isWithout ? [] : [added])]));
}

/** What the version that made a digest derived from a log: the same, or the same without instruments; undefined if neither. */
export const derivedAs = <D extends Derived>(derived: D, digest: string | null): D | undefined =>
  [derived, withoutInstruments(derived)].find((each) => digestOf(each) === digest);
