import sql, { raw } from 'sql-template-tag';
import type { CorsSite } from '../../../../schemas/index.js';
import type { Database } from '../../database.js';
import type { PageTable, PropertyOf, Term } from '../../page.js';
import type { RowOf } from '../../schema.js';
import { onRecord } from './ids.js';

/** A row of `site`. */
export type SiteRow = RowOf<'site'>;

/**
 * The column of each property of a Site, in the order of the contract; null for one that no log
 * gives.
 */
const COLUMN_OF_PROPERTY = {
  id: 'id',
  name: 'name',
  description: 'notes',
  dateInstalled: 'date_installed',
  fourCharacterId: 'four_character_id',
  nineCharacterId: 'nine_character_id',
  domesNumber: 'domes_number',
  'monument.description': 'monument_description',
  'monument.foundation': 'monument_foundation',
  'monument.markerDescription': 'marker_description',
  'monument.height': 'monument_height',
  geologicCharacteristic: 'geologic_characteristic',
  bedrockType: 'bedrock_type',
  siteStatus: null,
  'location.city': 'city',
  'location.state': 'state',
  'location.country': 'country',
  'location.countryCode': 'country_code',
  'location.latitude': 'latitude',
  'location.longitude': 'longitude',
  'location.height': 'elevation',
  'location.x': 'x',
  'location.y': 'y',
  'location.z': 'z',
  agency: 'agency',
} as const satisfies Record<PropertyOf<CorsSite>, keyof PublishedRow | null>;

/** The SQL expression of each property of a Site. */
export const SITE_PROPERTIES = Object.fromEntries(
  // A constant cannot be an ORDER BY term, so make it an expression.
  Object.entries(COLUMN_OF_PROPERTY).map(([property, column]) => [
    property,
    column === null ? 'CASE WHEN site.id > 0 THEN NULL END' : `site.${column}`,
  ]),
) as Record<keyof typeof COLUMN_OF_PROPERTY, string>;

/** The Sites that are not retired. */
export const SITES = {
  from: 'site',
  columns: 'site.*',
  where: 'site.retired_at IS NULL',
  id: 'site.id',
  properties: SITE_PROPERTIES,
  known: ['id', 'fourCharacterId'],
  constant: ['siteStatus'],
} as const satisfies PageTable;

/** A value of the current log of a Site; null if all its logs were withdrawn. */
const ofCurrentLog = (column: 'agencies' | 'date_prepared' | 'form'): string =>
  `(SELECT ${column} FROM site_log
    WHERE site_id = site.id AND superseded_at IS NULL AND withdrawn_at IS NULL)`;

/** The columns of a row of `site`, with what its current log says about itself. */
export const LOGGED_SITE_COLUMNS = `site.*, ${ofCurrentLog('agencies')} AS agencies,
  ${ofCurrentLog('date_prepared')} AS "datePrepared"`;

/** The same, with the form of its current log. */
export const WRITTEN_SITE_COLUMNS = `${LOGGED_SITE_COLUMNS}, ${ofCurrentLog('form')} AS form`;

/** A row with {@link LOGGED_SITE_COLUMNS}. */
export type LoggedSiteRow = SiteRow & { agencies: string | null; datePrepared: string | null };

/** A row with {@link WRITTEN_SITE_COLUMNS}. */
export type WrittenSiteRow = LoggedSiteRow & { form: string | null };

/** The Sites with what their current logs say about themselves. */
export const LOGGED_SITES = { ...SITES, columns: LOGGED_SITE_COLUMNS } as const satisfies PageTable;

/** The alphabetical order of Sites. */
export const ALPHABETICALLY: Term[] = [
  { expression: raw('four_character_id'), direction: '' },
  { expression: raw('nine_character_id'), direction: ' NULLS FIRST' },
];

/** The same order in SQL. */
export const ALPHABETICAL = 'four_character_id, nine_character_id NULLS FIRST, site.id';

/** The published part of a row of `site`. */
export type PublishedRow = Omit<SiteRow, 'retired_at' | 'last_event'>;

/**
 * The published parts of some Sites at a given time, by their numbers.
 * @param asOf the record time, `YYYY-MM-DDThh:mm:ss.sssZ`
 */
export async function siteRowsAt(
  db: Database,
  numbers: readonly number[],
  asOf: string,
): Promise<Map<number, PublishedRow>> {
  const rows = await db.all<
    Pick<PublishedRow, 'id' | 'four_character_id' | 'nine_character_id'> & {
      content: string;
    }
  >(sql`
    SELECT site_id AS id, four_character_id, nine_character_id, content FROM site_identity
    WHERE ${db.dialect.isOneOf('site_id', numbers)} AND role = 'present' AND ${onRecord(asOf)}`);
  return new Map(
    rows.map(({ content, ...ids }) => [
      ids.id,
      { ...(JSON.parse(content) as Omit<PublishedRow, keyof typeof ids>), ...ids },
    ]),
  );
}

/** The names in a JSON array; none without one. */
export const namesOf = (json: string | null): string[] =>
  json === null ? [] : (JSON.parse(json) as string[]);

/** A Site, with what its current log says about itself. */
export interface LoggedSite extends CorsSite {
  /** The names of its agencies; empty if it has no current log. */
  agencies: string[];
  datePrepared: string | null;
}

/** A Site with what its current log says about itself. */
export function toLoggedSite(row: LoggedSiteRow): LoggedSite {
  const { agencies, datePrepared } = row;
  return {
    ...toCorsSite(row),
    agencies: namesOf(agencies),
    datePrepared,
  };
}

/** The properties of a Site, each with its name or both its names, and its column. */
const PROPERTIES = Object.entries(COLUMN_OF_PROPERTY).map(([property, column]) => {
  const [name, nested] = property.split('.') as [string, string?];
  return { name, nested, column };
});

/** A Site as it is published. */
export function toCorsSite(row: PublishedRow): CorsSite {
  const site: Record<string, unknown> = {};
  for (const { name, nested, column } of PROPERTIES) {
    const value = column === null ? null : row[column];
    if (nested === undefined) site[name] = value;
    else ((site[name] ??= {}) as Record<string, unknown>)[nested] = value;
  }
  const { agency, ...described } = site;
  const formerIds: unknown = JSON.parse(row.former_ids);
  return { ...described, formerIds, agency } as unknown as CorsSite;
}
