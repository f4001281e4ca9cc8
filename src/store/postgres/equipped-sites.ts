import {
  areMost,
  EQUIPPED_COLUMNS,
  type EquippedRow,
  type KindOfDevice,
  TYPES_ON_RECORD,
  typesAskedFor,
  withInstallations,
} from '../rows/equipped-sites.js';
import type { Found } from '../search.js';
import type { SiteRow } from '../rows/sites.js';
import type { EquipmentSearch, SiteWithEquipment } from '../sites.js';
import type { Reads } from './client.js';
import { bounded, checked, findAtOnce } from './page-search.js';
import { Bindings, type Condition, type Table } from './selection.js';

/** The condition that an installation is in use at some time in a period, and its device is of one of some types. */
const inUse =
  ({ overlaps: { from, to } }: EquipmentSearch, types: KindOfDevice[]): Condition =>
  (bindings) => {
    const kinds = bindings.add(types.map(({ equipmentType }) => equipmentType));
    const names = bindings.add(types.map(({ type }) => type));
    return [
      `listed = 1 AND (equipment_type, type) IN (SELECT * FROM unnest(${kinds}::text[], ${names}::text[]))`,
      'superseded_at IS NULL',
      ...(to === null ? [] : [`period_from ${from === to ? '<=' : '<'} ${bindings.add(to)}`]),
      ...(from === null ? [] : [`(period_to IS NULL OR period_to > ${bindings.add(from)})`]),
    ].join(' AND ');
  };

const INSTALLED = 'equipment JOIN installation ON equipment_id = equipment.id';

/** The condition that a Site has a matching installation. */
const hasInstallation =
  (isBySite: boolean, matching: Condition): Condition =>
  (bindings) =>
    isBySite
      ? // Without OFFSET, the server would read all installations first.
        `EXISTS (SELECT 1 FROM ${INSTALLED} WHERE site_id = site.id AND ${matching(bindings)} OFFSET 0)`
      : `site.id IN (SELECT site_id FROM ${INSTALLED} WHERE ${matching(bindings)})`;

/** The statement for the matching installations at some Sites: those of each in chronological order. */
const installationsAt = (sites: number[], matching: Condition, bindings: Bindings): string => `
  ${bounded(
    EQUIPPED_COLUMNS,
    'octet_length(document) + octet_length(configuration)',
    `(SELECT ${EQUIPPED_COLUMNS},
        row_number() OVER (ORDER BY chosen.place, period_from, period_to, installation.id) AS "_position"
      FROM unnest(${bindings.add(sites)}::bigint[]) WITH ORDINALITY AS chosen (id, place) JOIN (${INSTALLED}) ON site_id = chosen.id
      WHERE ${matching(bindings)}) AS found`,
  )} ORDER BY "_position"`;

/** A page of the Sites that used some equipment, with that equipment. */
export const findEquippedSites = (
  reads: Reads,
  table: Table & { order: string },
  search: EquipmentSearch,
): Promise<Found<SiteWithEquipment>> =>
  reads.inOneState(async (snapshot) => {
    const onRecord = await snapshot.all<KindOfDevice>(`SELECT ${TYPES_ON_RECORD}`);
    const types = typesAskedFor(onRecord, search);
    const matching = inUse(search, types);
    const isEquipped = hasInstallation(areMost(types, onRecord), matching);
    const { elements, totalElements } = await findAtOnce<SiteRow>(snapshot, table, search, [isEquipped]);
    const bindings = new Bindings();
    const statement = installationsAt(
      elements.map(({ id }) => id),
      matching,
      bindings,
    );
    const installations = checked(await snapshot.all<EquippedRow>(statement, ...bindings.values), ({ site_id }) => site_id);
    return { elements: withInstallations(elements, installations), totalElements };
  });
