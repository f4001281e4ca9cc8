import type { Database, Statement } from 'better-sqlite3';
import type { DerivedSummary } from '../../derive/summary.js';
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
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
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
  nineCharacterId: string | null;
}

/** Writes Sites, within the transaction of the caller. */
export class SiteWriter {
  private readonly select: Statement<[string], RecordedSite>;
  private readonly add: Statement<[SiteIdentification], number>;
  private readonly update: Statement<[SiteIdentification & { id: number }]>;
  private readonly summarise: Statement<[object]>;

  constructor(db: Database) {
    this.select = db.prepare('SELECT id, nine_character_id AS nineCharacterId FROM site WHERE four_character_id = ?');
    this.add = db.prepare<[SiteIdentification], number>(ADD_SITE).pluck();
    this.update = db.prepare(UPDATE_SITE);
    this.summarise = db.prepare(SAVE_SUMMARY);
  }

  /** A Site on record; undefined if there is none. */
  find(fourCharacterId: string): RecordedSite | undefined {
    return this.select.get(fourCharacterId);
  }

  /** Adds or updates a Site from its newest log, and returns its id. */
  save(site: RecordedSite | undefined, identification: SiteIdentification): number {
    if (site === undefined) return this.add.get(identification)!;
    // A log of version 1 has no nine-character id, so keep the one that a log of version 2.0 gave.
    const nineCharacterId = identification.nineCharacterId ?? site.nineCharacterId;
    this.update.run({ ...identification, nineCharacterId, id: site.id });
    return site.id;
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
