import t, { type Test } from 'tap';
import { EVERYTHING } from '../../src/store/read/exports/tables.js';
import { ALL_SITES } from '../../src/store/read/filters.js';
import { COLLECTIONS } from '../../schemas/index.js';
import type { Found, PageSearch } from '../../src/store/page.js';
import type { Store } from '../../src/store/store.js';
import { openService } from '../service.js';
import { type RawDatabase, rawDatabase } from '../raw-database.js';

/** An element of a page. Of a device it has the identity, of a change only the id. */
type Element = Record<string, unknown>;
type Paging = Pick<PageSearch, 'page' | 'size'>;
type Find = (paging: Paging) => Promise<Found<Element>>;

const SITES = 50;
const ROWS = 300;
const RECORDED_AT = '2020-01-01T00:00:00.000Z';
const SUPERSEDED_AT = '2020-01-02T00:00:00.000Z';

/**
 * A database with copies of the rows of one Site, with values that repeat, are unknown, or differ
 * in each row.
 */
async function manyRows(t: Test): Promise<{ store: Store; db: RawDatabase }> {
  const { database, store, importText } = await openService(t);
  await importText({
    prepared: '2020-01-01',
    receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }],
  });
  const db = rawDatabase(database);
  const numbers = (last: number): number[] =>
    Array.from({ length: last - 1 }, (_, index) => index + 2);
  const unless = <T>(isUnknown: boolean, value: T): T | null => (isUnknown ? null : value);
  await db.insert(
    'site',
    numbers(SITES + 1).map((n) => ({
      id: n,
      four_character_id: `T${String(n).padStart(3, '0')}`,
      former_ids: '[]',
      last_event: 0,
      name: unless(n % 3 === 0, `N${n % 10}`),
      domes_number: unless(n % 2 === 0, `D${(n * 7) % 100}`),
      latitude: n % 40,
      longitude: 0,
    })),
  );
  const generation = (n: number): number => Math.floor(n / SITES);
  const setups = numbers(ROWS)
    .filter((n) => n % 17 > 0)
    .map((n) => ({
      id: n,
      site_id: 2 + ((n * 7) % SITES),
      site_log_id: 1,
      effective_from: `20${String(generation(n) * 5 + (n % 5)).padStart(2, '0')}-01-01T00:00:00Z`,
      effective_to: unless(n < SITES || n % 7 === 0, `20${40 + (n % 5)}-06-01T00:00:00Z`),
      recorded_at: RECORDED_AT,
      superseded_at: unless(n % 5 !== 1 && (n < SITES || n % 7 > 0), SUPERSEDED_AT),
      equipment_in_use: '[]',
    }));
  await db.insert('setup', setups);
  const devices = numbers(ROWS).map((n) => {
    const otherKind = n % 7 === 0 ? 'clock' : 'humidity sensor';
    const kind = n % 3 === 0 ? 'gnss receiver' : otherKind;
    const type = unless(n % 11 === 0, `T${n % 4}`);
    const serialNumber = unless(n % 6 < 2, String((n * 31) % 200));
    const manufacturer = unless(n % 3 === 0 || n % 4 === 0, `M${n % 2}`);
    const aspiration = unless(n % 3 === 0 || n % 5 === 0, `A${n % 30}`);
    const document = JSON.stringify({
      equipmentType: kind,
      type,
      serialNumber,
      manufacturer,
      aspiration,
    });
    const described = {
      equipment_type: kind,
      type,
      serial_number: serialNumber,
      manufacturer,
      aspiration,
      document,
    };
    const state = { listed: Number(n % 13 > 0), in_use: n % 2, conflicting: 0 };
    return {
      id: n,
      ...described,
      ...state,
      identity: String(n),
      search_text: n % 10 === 0 ? 'few' : 'many',
    };
  });
  await db.insert('equipment', devices);
  await db.exec(`DELETE FROM change; UPDATE setup SET recorded_at = '${RECORDED_AT}' WHERE id = 1`);
  /** What a change was about, to recognize it even if it is merged. */
  const item = (n: number): object => ({
    content: {
      id: { type: String(n), equipmentType: 'gnss receiver', serialNumber: null },
      configuration: {},
      period: { from: RECORDED_AT, to: null },
    },
  });
  const changes = numbers(ROWS).map((n) => ({
    id: n,
    site_id: 1 + (n % 3),
    at: `20${String(n % 20).padStart(2, '0')}-01-01T00:00:00Z`,
    equipment_type: n % 4 === 0 ? 'clock' : 'gnss receiver',
    kind: 'replaced',
    kind_position: n % 4,
    recorded_at: RECORDED_AT,
    changed_at: RECORDED_AT,
    comparison_key: String(n),
    superseded_at: unless(n % 9 > 0, SUPERSEDED_AT),
    document: JSON.stringify({ before: item(n), after: item(n) }),
  }));
  await db.insert('change', changes);
  return { store, db };
}

const valueOf = (element: Element, property: string): unknown =>
  property.split('.').reduce<unknown>((value, key) => (value as Element)[key], element);

/** Sorts as the contract says: unknown values last, equal elements in the order of their ids. */
function sorted(elements: Element[], sort: PageSearch['sort']): Element[] {
  const compare = (a: unknown, b: unknown): number => {
    if (a === b) return 0;
    return (a as string) < (b as string) ? -1 : 1;
  };
  return [...elements].sort((a, b) => {
    for (const { property, descending } of sort) {
      const one = valueOf(a, property) ?? null;
      const other = valueOf(b, property) ?? null;
      if (one === other) continue;
      if (one === null || other === null) return one === null ? 1 : -1;
      return descending ? compare(other, one) : compare(one, other);
    }
    return compare(a.id, b.id);
  });
}

const SIZE = 17;

/**
 * Checks pages at the boundaries: the first, those about the middle, the last, and those after it.
 */
async function checkPages(t: Test, find: Find, expected: Element[], search: object): Promise<void> {
  const pages = Math.ceil(expected.length / SIZE);
  const middle = Math.floor(pages / 2);
  for (const page of new Set([0, middle, pages - 1, pages])) {
    if (page < 0) continue;
    const { elements, totalElements } = await find({ page, size: SIZE });
    const ids = (all: Element[]): unknown[] => all.map(({ id }) => id);
    const wanted = [expected.length, ids(expected.slice(page * SIZE, (page + 1) * SIZE))];
    t.same(
      [totalElements, ids(elements)],
      wanted,
      `page ${page} of ${pages} of ${JSON.stringify(search)}`,
    );
  }
}

/** Orders by several properties, and without a filter by each property in both directions. */
const ordersOf = (
  filters: PageSearch['filters'],
  name: string,
  several: string[],
): PageSearch['sort'][] => {
  const properties =
    filters.length > 0
      ? []
      : COLLECTIONS.find((each) => each.name === name)!.properties.map((property) => property.name);
  const orders = [...properties.flatMap((property) => [property, `-${property}`]), ...several];
  return [
    [],
    ...orders.map((text) =>
      text
        .split(' ')
        .map((term) => ({ property: term.replace('-', ''), descending: term.startsWith('-') })),
    ),
  ];
};
/** Whether an element passes every filter. */
const passes = (element: Element, filters: PageSearch['filters']): boolean =>
  filters.every(({ property, values }) =>
    (values.length > 0 ? values : [null]).includes((valueOf(element, property) ?? null) as never),
  );

t.test('pages of Setups are those of one sorted list', async (t) => {
  const { store, db } = await manyRows(t);
  await db.exec(
    `UPDATE setup SET recorded_at = '2021-01-01T00:00:00.000Z' WHERE id IN (20, 200) OR id > 250`,
  );
  const of = (search: Omit<PageSearch, 'page' | 'size'> & { recordedSince?: string }): Find => {
    const find = (paging: Paging): Promise<unknown> =>
      store.setups.findPage({ ...search, ...paging, projection: null });
    return find as Find;
  };
  const { elements: all } = await of({ filters: [], sort: [] })({ page: 0, size: 1000 });
  t.equal(all.length, ROWS - Math.floor(ROWS / 17));
  const filters: PageSearch['filters'][] = [
    [],
    [{ property: 'invalidated', values: [false] }],
    [{ property: 'current', values: [false] }],
    [{ property: 'effectivePeriod.to', values: [] }],
    [{ property: 'siteId', values: [10, 11, 12] }],
  ];
  const several = [
    'invalidated -effectivePeriod.to siteId',
    '-effectivePeriod.from effectivePeriod.to',
    'current -id',
    'siteId -siteId',
  ];
  for (const filter of filters) {
    const matching = all.filter((element) => passes(element, filter));
    for (const sort of ordersOf(filter, 'setups', several)) {
      await checkPages(t, of({ filters: filter, sort }), sorted(matching, sort), [filter, sort]);
    }
  }
  const late = all.filter(({ id }) => id === 20 || id === 200 || (id as number) > 250);
  for (const sort of ordersOf([], 'setups', several)) {
    await checkPages(
      t,
      of({ filters: [], sort, recordedSince: '2021-01-01T00:00:00.000Z' }),
      sorted(late, sort),
      ['late', sort],
    );
  }
});

t.test('pages of devices are those of one sorted list', async (t) => {
  const { store } = await manyRows(t);
  const of =
    (search: Omit<PageSearch, 'page' | 'size'> & { text?: string }): Find =>
    async (paging) => {
      const { elements, totalElements } = await store.devices.findPage({
        ...search,
        ...paging,
        projection: null,
      });
      return {
        elements: elements.map(({ id, identity }) => ({ ...identity.value, id })),
        totalElements,
      };
    };
  const { elements: all } = await of({ filters: [], sort: [] })({ page: 0, size: 1000 });
  t.equal(all.length, ROWS - Math.floor(ROWS / 13));
  const filters: PageSearch['filters'][] = [
    [],
    [{ property: 'equipmentType', values: ['gnss receiver', 'clock'] }],
    [{ property: 'serialNumber', values: [] }],
    [{ property: 'type', values: ['T1'] }],
    [{ property: 'type', values: ['NONE'] }],
  ];
  const makers = ['manufacturer -aspiration', 'aspiration manufacturer'];
  const several = ['type serialNumber', '-serialNumber type', '-equipmentType -type', ...makers];
  for (const filter of filters) {
    const matching = all.filter((element) => passes(element, filter));
    for (const sort of ordersOf(filter, 'equipment', several)) {
      await checkPages(t, of({ filters: filter, sort }), sorted(matching, sort), [filter, sort]);
      const few = matching.filter(({ id }) => (id as number) % 10 === 0);
      await checkPages(t, of({ filters: filter, sort, text: 'few' }), sorted(few, sort), [
        'few',
        filter,
        sort,
      ]);
    }
  }
});

t.test(
  'pages of changes are those of one sorted list, with gaps merged and those recorded since a time',
  async (t) => {
    const { store, db } = await manyRows(t);
    const late = '2021-01-01T00:00:00.000Z';
    const rows = await db.all<{ id: number; kind: string }>(
      'SELECT id, equipment_type AS kind FROM change WHERE superseded_at IS NULL ORDER BY at, site_id, kind_position, id',
    );
    /** The change that ends a gap after another one. Only it was recorded late. */
    const before = rows[10]!.id;
    const after = rows[20]!.id;
    await db.exec(`UPDATE change SET counterpart_id = ${after} WHERE id = ${before};
    UPDATE change SET counterpart_id = ${before}, gap_before = 60 WHERE id = ${after};
    UPDATE change SET recorded_at = '${late}', changed_at = '${late}' WHERE id = ${after} OR id > 250 AND id <> ${before}`);
    const isLate = (id: number): boolean => id === after || (id > 250 && id !== before);
    for (const equipmentType of [null, 'gnss receiver', 'clock', 'gnss antenna'] as const) {
      for (const mergeGaps of [0, 60]) {
        for (const recordedSince of [null, late]) {
          const equipmentTypes = equipmentType && [equipmentType];
          const search = {
            from: null,
            to: null,
            equipmentTypes,
            kinds: null,
            sites: ALL_SITES,
            mergeGaps,
            recordedSince,
          };
          const findIn =
            (latestFirst: boolean): Find =>
            async (paging) => {
              const { elements, totalElements } = await store.changes.findPage({
                ...search,
                latestFirst,
                ...paging,
              });
              return {
                elements: elements.map(({ before: item }) => ({
                  id: Number(item!.content.id.type),
                })),
                totalElements,
              };
            };
          const expected = rows
            .filter(
              ({ id, kind }) =>
                (equipmentType ?? kind) === kind && (mergeGaps === 0 || id !== after),
            )
            .filter(
              ({ id }) =>
                recordedSince === null || isLate(id) || (mergeGaps === 60 && id === before),
            );
          await checkPages(t, findIn(false), expected, search);
          await checkPages(t, findIn(true), expected.toReversed(), search);
          if (equipmentType !== null) continue;
          const exported: number[] = [];
          const all = { ...EVERYTHING, ...search };
          for await (const window of store.exports.readChanges(all))
            exported.push(...window.map(({ before: item }) => Number(item!.content.id.type)));
          t.same(new Set(exported), new Set(expected.map(({ id }) => id)), JSON.stringify(all));
        }
      }
    }
  },
);

t.test(
  'the first installations that match are those of all windows, however few they are',
  async (t) => {
    const { store, db } = await manyRows(t);
    const installations = Array.from({ length: 2500 }, (_, index) => ({
      id: 10 + index,
      site_id: 2 + (index % SITES),
      equipment_id: 2 + (index % (ROWS - 1)),
      site_log_id: 1,
      period_from: `20${String(10 + (index % 20)).padStart(2, '0')}-01-01T00:00:00Z`,
      period_to: index % 3 === 0 ? '2031-01-01T00:00:00Z' : null,
      recorded_at: RECORDED_AT,
      superseded_at: index % 50 === 0 ? SUPERSEDED_AT : null,
      equipment_type: 'clock',
      identity: '{}',
      configuration: '{}',
    }));
    await db.exec('UPDATE equipment SET listed = 1');
    await db.insert('installation', installations);
    // As an import does. Without statistics, SQLite reads all devices for each installation.
    await db.exec('ANALYZE');
    const boxes = [
      null,
      { west: -0.5, south: 9.5, east: 0.5, north: 10.5 },
      { west: -180, south: -90, east: 180, north: 90 },
    ];
    const periods = [
      null,
      { from: '2010-06-01T00:00:00Z', to: '2010-06-01T00:00:00Z' },
      { from: null, to: '2000-01-01T00:00:00Z' },
    ];
    for (const box of boxes) {
      for (const during of periods) {
        const all: number[] = [];
        const search = {
          ...EVERYTHING,
          sites: { ...ALL_SITES, box },
          during,
          recordedSince: RECORDED_AT,
        };
        for await (const window of store.exports.readInstallations(search))
          all.push(...window.map(({ id }) => id));
        const isAt = ({ site_id }: { site_id: number }): boolean =>
          box?.west !== -0.5 || site_id % 40 === 10;
        const isThen = ({ period_from }: { period_from: string }): boolean =>
          during === null || period_from < during.to;
        const expected = installations
          .filter((row) => row.superseded_at === null && isAt(row) && isThen(row))
          .map(({ id }) => id);
        const found = all.filter((id) => id >= 10);
        t.same(found, expected, JSON.stringify([box, during]));
        for (const after of [0, 900, 2400]) {
          for (const [skipped, most] of [
            [0, 1],
            [0, 100],
            [0, 1001],
            [1, 100],
            [1500, 1001],
            [5000, 1],
          ] as const) {
            const part = { after, skipped, most };
            const found = await store.exports.findInstallations(search, part);
            const later = all.filter((id) => id > after);
            t.same(
              [found.elements.map(({ id }) => id), found.totalElements],
              [later.slice(skipped, skipped + most), all.length],
              JSON.stringify([box, during, part]),
            );
          }
        }
      }
    }
  },
);
