import type { Database } from 'better-sqlite3';
import type { EquipmentInUse, EquipmentType, Instant } from '../../schemas/index.js';
import { completenessOf } from '../derive-completeness.js';
import type { SiteIdentification } from '../site-log/site-log.js';
import type { SiteOrder, SiteSummary } from './store.js';

/** The rows of `site_summary`: what a list of Sites shows and searches, made when a log is saved. */

/** Text as it is searched: without case and accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of a search, each of which must stand in the text that is searched. */
export const toSearchWords = (text: string): string[] => fold(text).split(/\s+/).filter(Boolean);

/** The values of a row beside the id of the Site. */
export type SummaryValues = [
  receivers: string | null,
  antennas: string | null,
  since: Instant | null,
  asked: number | null,
  known: number | null,
  searchText: string,
];

/** The row of a Site. @param current its current Setup; null where there is none */
export function summaryOf(
  site: Pick<SiteIdentification, 'fourCharacterId' | 'nineCharacterId' | 'name' | 'domesNumber' | 'city' | 'state' | 'country'>,
  current: { from: Instant; equipmentInUse: EquipmentInUse[] } | null,
): SummaryValues {
  const { fourCharacterId, nineCharacterId, name, domesNumber, city, state, country } = site;
  const inUse = (current?.equipmentInUse ?? []).map(({ content: { id } }) => id);
  const typesOf = (kind: EquipmentType) =>
    JSON.stringify(inUse.flatMap(({ equipmentType, type }) => (equipmentType === kind ? [type] : [])));
  const searched = [fourCharacterId, nineCharacterId, name, domesNumber, city, state, country];
  for (const { type, manufacturer, serialNumber } of inUse) searched.push(type, manufacturer, serialNumber);
  const text = fold(searched.filter((each) => each !== null).join('\n'));
  if (current === null) return [null, null, null, null, null, text];
  const { asked, known } = completenessOf(current.equipmentInUse);
  return [typesOf('gnss receiver'), typesOf('gnss antenna'), current.from, asked, known, text];
}

/** Saves the row of a Site, where it is new or another. */
export const SAVE_SUMMARY = `
  INSERT INTO site_summary (site_id, receivers, antennas, since, asked, known, search_text) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (site_id) DO UPDATE SET (receivers, antennas, since, asked, known, search_text) =
    (excluded.receivers, excluded.antennas, excluded.since, excluded.asked, excluded.known, excluded.search_text)
  WHERE (receivers, antennas, since, asked, known, search_text) IS NOT
    (excluded.receivers, excluded.antennas, excluded.since, excluded.asked, excluded.known, excluded.search_text)`;

/** How many Sites are read at a time. */
const BATCH = 1000;

/** Makes the rows of the Sites that were saved before there were such rows; in the transaction of the caller. */
export function summariseSites(db: Database): void {
  const unsummarised = db
    .prepare<
      [number],
      [
        number,
        string,
        string | null,
        string | null,
        string | null,
        string | null,
        string | null,
        string | null,
        string | null,
        string | null,
      ]
    >(
      `SELECT site.id, four_character_id, nine_character_id, name, domes_number, city, state, country, effective_from, equipment_in_use
       FROM site LEFT JOIN setup ON setup.site_id = site.id AND superseded_at IS NULL AND effective_to IS NULL
       WHERE site.id NOT IN (SELECT site_id FROM site_summary) LIMIT ?`,
    )
    .raw();
  const save = db.prepare(SAVE_SUMMARY);
  const summarise = (): number => {
    const rows = unsummarised.all(BATCH);
    for (const [id, fourCharacterId, nineCharacterId, name, domesNumber, city, state, country, from, equipmentInUse] of rows) {
      const site = { fourCharacterId, nineCharacterId, name, domesNumber, city, state, country };
      const current = from === null ? null : { from, equipmentInUse: JSON.parse(equipmentInUse!) as EquipmentInUse[] };
      save.run(id, ...summaryOf(site, current));
    }
    return rows.length;
  };
  while (summarise() === BATCH);
}

/** four_character_id, nine_character_id, name, city, country, latitude, longitude, receivers, antennas, since, asked, known */
export type SiteSummaryRow = [
  string,
  string | null,
  string | null,
  string | null,
  string | null,
  number | null,
  number | null,
  string | null,
  string | null,
  string | null,
  number | null,
  number | null,
];
export const SITE_SUMMARY_COLUMNS =
  'four_character_id, nine_character_id, name, city, country, latitude, longitude, receivers, antennas, since, asked, known';

export function toSiteSummary(row: SiteSummaryRow): SiteSummary {
  const [fourCharacterId, nineCharacterId, name, city, country, latitude, longitude, receivers, antennas, since, asked, known] = row;
  const types = (json: string | null) => JSON.parse(json!) as (string | null)[];
  const current = since === null ? null : { receivers: types(receivers), antennas: types(antennas), since, asked: asked!, known: known! };
  return { fourCharacterId, nineCharacterId, name, city, country, latitude, longitude, current };
}

/** What each order is in SQL. */
export const SITE_ORDERS_SQL: Record<SiteOrder, string> = {
  id: 'four_character_id',
  // As they are shown: where the one is unknown, by the other.
  name: 'coalesce(name, city)',
  country: 'coalesce(country, substr(nine_character_id, 7))',
  receiver: "receivers ->> '$[0]'",
  antenna: "antennas ->> '$[0]'",
  since: 'since',
  known: 'iif(asked > 0, 1.0 * known / asked, NULL)',
};
