import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { COLLECTIONS } from '../../schemas/index.js';
import { valueOf as readText } from '../../src/serializers/json-text.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import type { Correction } from '../../src/store/corrections.js';
import type { Found, PageSearch } from '../../src/store/search.js';
import { openReader, openWriter } from '../../src/store/sqlite/open.js';
import type { StoreReader } from '../../src/store/store.js';
import { importInto, openService } from '../helper.js';

/**
 * A database whose collections are too long to be sorted at once: copies of the rows of one Site, with values that repeat,
 * are unknown, or differ in each row.
 */
async function manyRows(t: Test): Promise<{ store: StoreReader; db: Database.Database }> {
  const { database, store, importText } = await openService(t);
  await importText({ prepared: '2020-01-01', receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] });
  const db = new Database(database);
  t.teardown(() => db.close());
  db.pragma('foreign_keys = OFF');
  db.exec(`
    WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 3500)
    INSERT INTO setup (id, site_id, site_log_id, effective_from, effective_to, recorded_at, superseded_at, equipment_in_use)
    SELECT n, 2 + n * 7 % 800, 1, format('20%02d-01-01T00:00:00Z', n / 800 * 5 + n % 5), iif(n < 800 OR n % 7 = 0, NULL, format('20%02d-06-01T00:00:00Z', 30 + n % 5)),
      '2020-01-01T00:00:00.000Z', iif(n % 5 = 1 OR n >= 800 AND n % 7 = 0, '2020-01-02T00:00:00.000Z', NULL), '[]'
    FROM number WHERE n % 17 > 0;
    WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 4500)
    INSERT INTO equipment (id, identity, equipment_type, type, serial_number, document)
    SELECT n, n, kind, type, serial, json_object('equipmentType', kind, 'type', type, 'serialNumber', serial, 'manufacturer', maker, 'aspiration', fan)
    FROM (SELECT n, iif(n % 3 = 0, 'gnss receiver', iif(n % 7 = 0, 'clock', 'humidity sensor')) AS kind,
      iif(n % 11 = 0, NULL, 'T' || (n % 4)) AS type, iif(n % 6 < 2, NULL, format('%d', n * 31 % 3000)) AS serial,
      iif(n % 3 = 0 OR n % 4 = 0, NULL, 'M' || (n % 2)) AS maker, iif(n % 3 = 0 OR n % 5 = 0, NULL, 'A' || (n % 300)) AS fan FROM number);
    UPDATE equipment SET listed = 1, in_use = id % 2 WHERE id % 13 > 0;
    INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, superseded_at, document)
    SELECT 1, format('20%02d-01-01T00:00:00Z', id % 20), iif(id % 4 = 0, 'clock', 'gnss receiver'), id % 4, '2020-01-01T00:00:00.000Z',
      iif(id % 9 = 0, '2020-01-02T00:00:00.000Z', NULL), json_object('number', id) FROM setup;
  `);
  return { store, db };
}

/** An element of a page. Of a device it has the identity, of a change only the id. */
type Element = Record<string, unknown>;
const valueOf = (element: Element, property: string): unknown =>
  property.split('.').reduce<unknown>((value, key) => (value as Element)[key], element);

/** Sorts as the contract says: unknown values last, equal elements in the order of their ids. */
function sorted(elements: Element[], sort: PageSearch['sort']): Element[] {
  const compare = (a: unknown, b: unknown): number => (a === b ? 0 : (a as string) < (b as string) ? -1 : 1);
  return [...elements].sort((a, b) => {
    for (const { property, descending } of sort) {
      const [one, other] = [valueOf(a, property) ?? null, valueOf(b, property) ?? null];
      if (one === other) continue;
      if (one === null || other === null) return one === null ? 1 : -1;
      return descending ? compare(other, one) : compare(one, other);
    }
    return compare(a.id, b.id);
  });
}

const SIZE = 70;

/** Checks pages at the boundaries: the first, those about the middle, the last, and those after it. */
async function checkPages(t: Test, find: (paging: { page: number; size: number }) => Promise<Found<Element>>, expected: Element[]) {
  const pages = Math.ceil(expected.length / SIZE);
  const middle = Math.floor(pages / 2);
  for (const page of new Set([0, 1, middle - 1, middle, middle + 1, pages - 2, pages - 1, pages, pages + 5])) {
    if (page < 0) continue;
    const { elements, totalElements } = await find({ page, size: SIZE });
    t.equal(totalElements, expected.length, `total of page ${page} of ${pages}`);
    t.same(
      elements.map(({ id }) => id),
      expected.slice(page * SIZE, (page + 1) * SIZE).map(({ id }) => id),
      `page ${page} of ${pages}`,
    );
  }
}

const propertiesOf = (name: string): string[] =>
  COLLECTIONS.find((each) => each.name === name)!.properties.map((property) => property.name);
/** Each property in both directions, and orders of several. */
const ordersOf = (properties: string[], several: string[]): PageSearch['sort'][] => [
  [],
  ...properties.flatMap((property) => [false, true].map((descending) => [{ property, descending }])),
  ...several.map((text) => text.split(' ').map((term) => ({ property: term.replace('-', ''), descending: term.startsWith('-') }))),
];
const describe = (search: object): string => JSON.stringify(search);

t.test('pages of many Setups are those of one sorted list', async (t) => {
  const { store } = await manyRows(t);
  const of = (search: Omit<PageSearch, 'page' | 'size'>) => (paging: { page: number; size: number }) =>
    store.setups.findPage({ ...search, ...paging, projection: null }) as unknown as Promise<Found<Element>>;
  const all: Element[] = [];
  for (let page = 0; page < 4; page++) all.push(...(await of({ filters: [], sort: [] })({ page, size: 1000 })).elements);
  t.equal(all.length, 3500 - Math.floor(3500 / 17));
  t.same(all, sorted(all, []));
  const filters: PageSearch['filters'][] = [
    [],
    [{ property: 'invalidated', values: [false] }],
    [{ property: 'current', values: [false] }],
    [{ property: 'effectivePeriod.to', values: [] }],
    [{ property: 'siteId', values: [1000] }],
  ];
  const several = ['invalidated -effectivePeriod.to siteId', '-effectivePeriod.from effectivePeriod.to', 'current -id', 'siteId -siteId'];
  for (const filter of filters) {
    const matching = all.filter((element) => filter.every(({ property, values: [value = null] }) => valueOf(element, property) === value));
    for (const sort of ordersOf(propertiesOf('setups'), several)) {
      await t.test(describe([filter, sort]), (t) => checkPages(t, of({ filters: filter, sort }), sorted(matching, sort)));
    }
  }
});

t.test('pages of many devices are those of one sorted list', async (t) => {
  const { store } = await manyRows(t);
  const of =
    (search: Omit<PageSearch, 'page' | 'size'>) =>
    async (paging: { page: number; size: number }): Promise<Found<Element>> => {
      const { elements, totalElements } = await store.devices.findPage({ ...search, ...paging, projection: null });
      return { elements: elements.map(({ id, identity }) => ({ ...readText(identity), id })), totalElements };
    };
  const all: Element[] = [];
  for (let page = 0; page < 5; page++) all.push(...(await of({ filters: [], sort: [] })({ page, size: 1000 })).elements);
  t.equal(all.length, 4500 - Math.floor(4500 / 13));
  const filters: PageSearch['filters'][] = [
    [],
    [{ property: 'equipmentType', values: ['gnss receiver'] }],
    [{ property: 'equipmentType', values: ['humidity sensor'] }],
    [{ property: 'serialNumber', values: [] }],
    [{ property: 'type', values: ['T1'] }],
    [{ property: 'type', values: ['NONE'] }],
  ];
  const several = [
    'type serialNumber',
    '-serialNumber type',
    '-equipmentType -type',
    'manufacturer -aspiration',
    'aspiration manufacturer',
  ];
  for (const filter of filters) {
    const matching = all.filter((element) =>
      filter.every(({ property, values: [value = null] }) => (valueOf(element, property) ?? null) === value),
    );
    for (const sort of ordersOf(propertiesOf('equipment'), several)) {
      await t.test(describe([filter, sort]), (t) => checkPages(t, of({ filters: filter, sort }), sorted(matching, sort)));
    }
  }
});

t.test('pages of many changes are those of one sorted list', async (t) => {
  const { store, db } = await manyRows(t);
  for (const equipmentType of [null, 'gnss receiver', 'clock', 'gnss antenna'] as const) {
    const of = async (paging: { page: number; size: number }): Promise<Found<Element>> => {
      const { elements, totalElements } = await store.changes.findPage({
        from: null,
        to: null,
        equipmentType,
        mergeGaps: 86_400,
        recordedSince: null,
        ...paging,
      });
      return { elements: elements.map((change) => ({ id: (change as unknown as Element).number })), totalElements };
    };
    const expected = db
      .prepare<[], { id: number | undefined; kind: string }>(
        `SELECT document ->> '$.number' AS id, equipment_type AS kind FROM change WHERE superseded_at IS NULL
         ORDER BY at, site_id, kind_position, change.id`,
      )
      .all()
      .filter(({ kind }) => equipmentType === null || kind === equipmentType)
      .map(({ id }) => ({ id: id ?? undefined }));
    await checkPages(t, of, expected);
  }
});

t.test('the totals of Setups follow imports and corrections', async (t) => {
  const { database, importText, store } = await openService(t);
  const db = new Database(database, { readonly: true });
  t.teardown(() => db.close());
  const check = async (after: string) => {
    for (const [property, sql] of [
      ['invalidated', 'superseded_at IS NOT NULL'],
      ['current', 'superseded_at IS NULL AND effective_to IS NULL'],
    ] as const) {
      for (const value of [true, false]) {
        const filters = [{ property, values: [value] }];
        const { totalElements } = await store.setups.findPage({ filters, sort: [], page: 0, size: 1, projection: null });
        const counted = db.prepare<[number], number>(`SELECT count(*) FROM setup WHERE (${sql}) = ?`).pluck().get(Number(value));
        t.equal(totalElements, counted, `${property} ${value} after ${after}`);
      }
    }
    const { totalElements } = await store.setups.findPage({ filters: [], sort: [], page: 0, size: 1, projection: null });
    t.equal(totalElements, db.prepare('SELECT count(*) FROM setup').pluck().get(), `all after ${after}`);
  };
  const correct = async (correction: Correction) => {
    const writer = openWriter(database, { create: false });
    const outcome = await writer.correct(parseSiteId('TEST'), correction, new Date(), readStoredLog).finally(() => writer.close());
    t.equal(outcome.kind, 'corrected', correction.kind);
    await check(correction.kind);
  };
  await check('nothing');
  await importText({
    prepared: '2020-01-01',
    receivers: [
      { type: 'R', serial: '1', from: '2001-01-01', to: '2002-01-01' },
      { type: 'R', serial: '2', from: '2002-01-01' },
    ],
  });
  await check('an import');
  await importText({ prepared: '2021-01-01', receivers: [{ type: 'R', serial: '3', from: '2001-01-01' }] }, 'newer.log');
  await check('a newer log');
  await correct({ kind: 'withdraw', log: 2 });
  await correct({ kind: 'restore', log: 2 });
  await correct({ kind: 'retire' });
  await correct({ kind: 'unretire' });
});

t.test('an empty database has empty pages', async (t) => {
  const database = `${t.testdir()}/empty.sqlite`;
  await importInto(database, []);
  const store = openReader(database);
  t.teardown(() => store.close());
  const sort = [{ property: 'type', descending: true }];
  for (const page of [0, 3]) {
    const paging = { filters: [], page, size: 20, projection: null };
    t.same(await store.setups.findPage({ ...paging, sort: [] }), { elements: [], totalElements: 0 });
    t.same(await store.devices.findPage({ ...paging, sort }), { elements: [], totalElements: 0 });
    t.same(await store.sites.findPage({ ...paging, sort: [], text: '', box: null, near: null }), { elements: [], totalElements: 0 });
    t.same(await store.sites.findSummaries({ text: '', box: null, sort: { by: 'id', descending: false }, page, size: 20 }), {
      elements: [],
      totalElements: 0,
    });
  }
});
