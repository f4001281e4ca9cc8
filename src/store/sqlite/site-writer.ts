import type { Database, Statement } from 'better-sqlite3';
import type { DerivedSummary } from '../../derive/summary.js';
import type { SiteId } from '../../requests/site-id.js';
import type { SiteIdentification } from '../../site-log/site-log.js';

/** The column of `site` for each member. */
const SITE_COLUMNS: Record<keyof SiteIdentification, string> = {
  fourCharacterId: 'four_character_id',
  nineCharacterId: 'nine_character_id',
  name: 'name',
  domesNumber: 'domes_number',
  dateInstalled: 'date_installed',
  monumentDescription: 'monument_description',
  monumentFoundation: 'monument_foundation',
  monumentHeight: 'monument_height',
  markerDescription: 'marker_description',
  geologicCharacteristic: 'geologic_characteristic',
  bedrockType: 'bedrock_type',
  notes: 'notes',
  city: 'city',
  state: 'state',
  country: 'country',
  countryCode: 'country_code',
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
  x: 'x',
  y: 'y',
  z: 'z',
};
const pairs = (operator: string): string[] => Object.entries(SITE_COLUMNS).map(([member, column]) => `${column} ${operator} :${member}`);

const ADD_SITE = `
  INSERT INTO site (${Object.values(SITE_COLUMNS).join(', ')})
  VALUES (${Object.keys(SITE_COLUMNS)
    .map((member) => `:${member}`)
    .join(', ')}) RETURNING id`;
const UPDATE_SITE = `UPDATE site SET ${pairs('=').join(', ')} WHERE id = :id AND (${pairs('IS NOT').join(' OR ')})`;

const SUMMARY = 'receivers, antennas, since, asked, known, search_text';
const NEW_SUMMARY = SUMMARY.replace(/\w+/g, 'excluded.$&');
const SAVE_SUMMARY = `
  INSERT INTO site_summary (site_id, ${SUMMARY}) VALUES (:site, :receivers, :antennas, :since, :asked, :known, :searchText)
  ON CONFLICT (site_id) DO UPDATE SET (${SUMMARY}) = (${NEW_SUMMARY}) WHERE (${SUMMARY}) IS NOT (${NEW_SUMMARY})`;

/** A Site that is on record. */
export interface RecordedSite {
  id: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
  retiredAt: string | null;
}
const SITES =
  'SELECT site.id, four_character_id AS fourCharacterId, nine_character_id AS nineCharacterId, retired_at AS retiredAt FROM site';

/** The id of a Site, as complete as it is known. */
export const idOf = ({ fourCharacterId, nineCharacterId }: Pick<RecordedSite, 'fourCharacterId' | 'nineCharacterId'>): string =>
  nineCharacterId ?? fourCharacterId;

/** Writes Sites, within the transaction of the caller. */
export class SiteWriter {
  private readonly byNumber: Statement<[number], RecordedSite>;
  private readonly byFour: Statement<[string], RecordedSite>;
  private readonly renamed: Statement<[string], number>;
  private readonly setRetired: Statement<[string | null, number]>;
  private readonly setIds: Statement<[string, string | null, number]>;
  private readonly addFormerId: Statement<[string, number, string]>;
  private readonly dropFormerId: Statement<[string]>;
  private readonly add: Statement<[SiteIdentification], number>;
  private readonly update: Statement<[SiteIdentification & { id: number }]>;
  private readonly summarise: Statement<[object]>;

  constructor(db: Database) {
    this.byNumber = db.prepare(`${SITES} WHERE site.id = ?`);
    this.byFour = db.prepare(`${SITES} WHERE four_character_id = ? ORDER BY nine_character_id`);
    this.renamed = db.prepare<[string], number>('SELECT site_id FROM site_rename WHERE former_id = ?').pluck();
    this.setRetired = db.prepare('UPDATE site SET retired_at = ? WHERE id = ?');
    this.setIds = db.prepare('UPDATE site SET four_character_id = ?, nine_character_id = ? WHERE id = ?');
    this.addFormerId = db.prepare('INSERT OR REPLACE INTO site_rename (former_id, site_id, renamed_at) VALUES (?, ?, ?)');
    this.dropFormerId = db.prepare('DELETE FROM site_rename WHERE former_id = ?');
    this.add = db.prepare<[SiteIdentification], number>(ADD_SITE).pluck();
    this.update = db.prepare(UPDATE_SITE);
    this.summarise = db.prepare(SAVE_SUMMARY);
  }

  /** A Site by its number. */
  find(site: number): RecordedSite {
    return this.byNumber.get(site)!;
  }

  /** A Site by its number; null if there is none yet. */
  findIfThere(site: number): RecordedSite | null {
    return this.byNumber.get(site) ?? null;
  }

  /** The Sites with four characters. */
  findSharing(fourCharacterId: string): RecordedSite[] {
    return this.byFour.all(fourCharacterId);
  }

  /**
   * The Site that a log belongs to, retired or not; null if it is a new one. Nine characters identify it, and complete the
   * id of a Site that is known by four; four identify it if only one Site has them.
   * @returns several Sites if the log gives four characters that they share
   */
  findOfLog({ fourCharacterId, nineCharacterId }: SiteIdentification): RecordedSite | RecordedSite[] | null {
    const sharing = this.findSharing(fourCharacterId);
    if (nineCharacterId === null && sharing.length > 1) return sharing;
    const same = sharing.find((site) => [nineCharacterId, site.nineCharacterId].includes(null) || site.nineCharacterId === nineCharacterId);
    return same ?? this.findRenamed(nineCharacterId ?? fourCharacterId);
  }

  /** The Site that had an id before it was renamed. A log of nine characters may be of a Site that was known by four. */
  private findRenamed(id: string): RecordedSite | null {
    const exactly = this.renamed.get(id);
    if (exactly !== undefined) return this.find(exactly);
    const byFour = id.length === 4 ? undefined : this.renamed.get(id.slice(0, 4));
    const site = byFour === undefined ? null : this.find(byFour);
    return site?.nineCharacterId === null ? site : null;
  }

  /** Adds a Site. */
  create(identification: SiteIdentification): RecordedSite {
    const { fourCharacterId, nineCharacterId } = identification;
    return { id: this.add.get(identification)!, fourCharacterId, nineCharacterId, retiredAt: null };
  }

  /** Completes the id of a Site that is known by four characters only, if a log gives nine. */
  complete(site: RecordedSite, { fourCharacterId, nineCharacterId }: SiteIdentification): void {
    if (site.nineCharacterId !== null || nineCharacterId === null || fourCharacterId !== site.fourCharacterId) return;
    this.setIds.run(fourCharacterId, nineCharacterId, site.id);
  }

  /** Updates a Site from its current log. It keeps its id, which the log may give in part, or from before a renaming. */
  save(site: number, identification: SiteIdentification): void {
    const { fourCharacterId, nineCharacterId } = this.find(site);
    this.update.run({ ...identification, fourCharacterId, nineCharacterId, id: site });
  }

  /** Marks a Site as retired, or takes the mark away. @param at null to take it away */
  markRetired(site: number, at: string | null): void {
    this.setRetired.run(at, site);
  }

  /** Gives a Site another id, and remembers those that it no longer has. */
  rename({ id, ...old }: RecordedSite, { fourCharacterId: four, nineCharacterId: nine }: SiteId, at: string): void {
    this.setIds.run(four, nine, id);
    for (const each of [four, nine]) if (each !== null) this.dropFormerId.run(each);
    if (old.fourCharacterId !== four) this.addFormerId.run(old.fourCharacterId, id, at);
    if (old.nineCharacterId !== null && old.nineCharacterId !== nine) this.addFormerId.run(old.nineCharacterId, id, at);
  }

  /** Saves the summary of a Site. */
  saveSummary(site: number, { current, searchText }: DerivedSummary): void {
    this.summarise.run({
      site,
      receivers: current && JSON.stringify(current.receivers),
      antennas: current && JSON.stringify(current.antennas),
      since: current && current.since,
      asked: current && current.asked,
      known: current && current.known,
      searchText,
    });
  }
}
