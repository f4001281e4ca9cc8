import sql, { raw } from 'sql-template-tag';
import {
  type CorsSite,
  type EquipmentType,
  INSTRUMENT_TYPES,
  type InstalledEquipment,
  type InstalledInstrument,
} from '../../../../schemas/index.js';
import type { Database } from '../../database.js';
import { allOf } from '../../dialect.js';
import { findCountingAlong, type Found, type Paging, partsOf } from '../../page.js';
import type { RowOf } from '../../schema.js';
import {
  type During,
  hadInstallation,
  installationConditions,
  type InstallationFilter,
  siteConditions,
  type SiteFilter,
} from '../filters.js';
import { periodOf } from '../devices/installations.js';
import { ALPHABETICALLY, type SiteRow, SITES, toCorsSite } from './rows.js';

/** Which Sites, by the equipment that they used. */
export interface EquipmentSearch extends Paging, InstallationFilter {
  sites: SiteFilter;
  /**
   * Only equipment in use at some time in this period; a bound may be null. Equal bounds stand for
   * that instant.
   */
  overlaps: During;
}

/** A Site with the equipment that a search found there, in chronological order. */
export type SiteWithEquipment = CorsSite & { installations: InstalledEquipment[] };

type EquippedRow = Pick<
  RowOf<'installation'>,
  'site_id' | 'period_from' | 'period_to' | 'configuration' | 'identity'
> & {
  equipment_type: EquipmentType;
};
const EQUIPMENT_COLUMNS = raw(
  'site_id, equipment_type, identity, period_from, period_to, configuration',
);

/**
 * A page of the Sites that used some equipment, with that equipment; several reads, in one state.
 */
export async function findEquippedSites(
  db: Database,
  search: EquipmentSearch,
): Promise<Found<SiteWithEquipment>> {
  const isMatching = await installationConditions(db, search, search.overlaps);
  const conditions = [hadInstallation(isMatching), ...siteConditions(db.dialect, search.sites)];
  const { page, size } = search;
  const { elements: sites, totalElements } = await findCountingAlong<SiteRow>(
    db,
    SITES,
    { page, size },
    conditions,
    ALPHABETICALLY,
  );
  const installations = await partsOf<EquippedRow>(
    sites.map(({ id }) => id),
    (some) =>
      // With IS TRUE, PostgreSQL begins with the Sites rather than with all installations of the
      // types.
      db.all(sql`
        SELECT ${EQUIPMENT_COLUMNS} FROM installation
        WHERE ${db.dialect.isOneOf('site_id', some)} AND (${allOf(isMatching)}) IS TRUE
        ORDER BY site_id, period_from, period_to NULLS LAST, installation.id`),
    ({ site_id }) => site_id,
  );
  const elements = sites.map((site) => ({
    ...toCorsSite(site),
    // Parsing those of a thousand Sites at once would block other requests.
    get installations() {
      return installations.get(site.id)!.map(toInstalled);
    },
  }));
  return { elements, totalElements };
}

const toInstalled = ({ identity, configuration, ...row }: EquippedRow): InstalledEquipment =>
  ({
    content: {
      id: JSON.parse(identity) as unknown,
      configuration: JSON.parse(configuration) as unknown,
      period: periodOf(row),
    },
  }) as InstalledEquipment;

/** The instruments at a Site, in the order of the kinds; of a kind, in chronological order. */
export async function instrumentsOfSite(
  db: Database,
  site: number,
): Promise<InstalledInstrument[]> {
  const rows = await db.all<EquippedRow>(sql`
    SELECT ${EQUIPMENT_COLUMNS} FROM installation
    WHERE site_id = ${site} AND superseded_at IS NULL
      AND ${db.dialect.isOneOf('equipment_type', INSTRUMENT_TYPES)}
    ORDER BY period_from, installation.id`);
  return INSTRUMENT_TYPES.flatMap((kind) => rows.filter((row) => row.equipment_type === kind)).map(
    toInstalled,
  ) as InstalledInstrument[];
}
