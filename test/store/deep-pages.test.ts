import t, { type Test } from 'tap';
import { COLLECTIONS } from '../../schemas/index.js';
import { valueOf as readText } from '../../src/serializers/json-text.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import type { Correction } from '../../src/store/corrections.js';
import type { Window } from '../../src/store/exports.js';
import type { Found, PageSearch } from '../../src/store/search.js';
import { openReader, openWriter } from '../../src/store/open.js';
import type { StoreReader } from '../../src/store/store.js';
import { importInto, newDatabase, openService } from '../helper.js';
import { type RawDatabase, rawDatabase } from '../raw-database.js';

/**
 * A database whose collections are too long to be sorted at once: copies of the rows of one Site, with values that repeat,
 * are unknown, or differ in each row.
 */
async function manyRows(t: Test): Promise<{ store: StoreReader; db: RawDatabase }> {
  const { database, store, importText } = await openService(t);
  await importText({ prepared: '2020-01-01', receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] });
  const db = rawDatabase(database);
  const numbers = (last: number): number[] => Array.from({ length: last - 1 }, (_, index) => index + 2);
  const recordedAt = '2020-01-01T00:00:00.000Z';
  const unless = <T>(isUnknown: boolean, value: T): T | null => (isUnknown ? null : value);

  await db.insert(
    'site',
    numbers(801).map((id) => ({ id, four_character_id: `T${String(id).padStart(3, '0')}` })),
  );
  const setups = numbers(3500)
    .filter((n) => n % 17 > 0)
    .map((n) => ({
      id: n,
      site_id: 2 + ((n * 7) % 800),
      site_log_id: 1,
      effective_from: `20${String(Math.floor(n / 800) * 5 + (n % 5)).padStart(2, '0')}-01-01T00:00:00Z`,
      effective_to: unless(n < 800 || n % 7 === 0, `20${30 + (n % 5)}-06-01T00:00:00Z`),
      recorded_at: recordedAt,
      superseded_at: unless(n % 5 !== 1 && (n < 800 || n % 7 > 0), '2020-01-02T00:00:00.000Z'),
      equipment_in_use: '[]',
    }));
  await db.insert('setup', setups);
  const devices = numbers(4500).map((n) => {
    const kind = n % 3 === 0 ? 'gnss receiver' : n % 7 === 0 ? 'clock' : 'humidity sensor';
    const type = unless(n % 11 === 0, `T${n % 4}`);
    const serialNumber = unless(n % 6 < 2, String((n * 31) % 3000));
    const manufacturer = unless(n % 3 === 0 || n % 4 === 0, `M${n % 2}`);
    const aspiration = unless(n % 3 === 0 || n % 5 === 0, `A${n % 300}`);
    const document = JSON.stringify({ equipmentType: kind, type, serialNumber, manufacturer, aspiration });
    return { id: n, identity: String(n), equipment_type: kind, type, serial_number: serialNumber, document };
  });
  await db.insert('equipment', devices);
  await db.exec('UPDATE equipment SET listed = 1, in_use = id % 2 WHERE id % 13 > 0');
  const changes = [{ id: 1 }, ...setups].map(({ id }) => ({
    id: 10 + id,
    site_id: 1,
    at: `20${String(id % 20).padStart(2, '0')}-01-01T00:00:00Z`,
    equipment_type: id % 4 === 0 ? 'clock' : 'gnss receiver',
    kind_position: id % 4,
    recorded_at: recordedAt,
    superseded_at: unless(id % 9 > 0, '2020-01-02T00:00:00.000Z'),
    document: JSON.stringify({ number: id }),
  }));
  await db.insert('change', changes);
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

t.test('pages of many devices with a word are those of one sorted list', async (t) => {
  const { store, db } = await manyRows(t);
  await db.exec(`UPDATE equipment SET search_text = CASE id % 10 WHEN 0 THEN 'few' WHEN 1 THEN '' ELSE 'many' END`);
  const of =
    (search: Omit<PageSearch, 'page' | 'size'> & { text?: string }) =>
    async (paging: { page: number; size: number }): Promise<Found<Element>> => {
      const { elements, totalElements } = await store.devices.findPage({ ...search, ...paging, projection: null });
      return { elements: elements.map(({ id, identity }) => ({ ...readText(identity), id })), totalElements };
    };
  const all: Element[] = [];
  for (let page = 0; page < 5; page++) all.push(...(await of({ filters: [], sort: [] })({ page, size: 1000 })).elements);
  /** The first of the last quarter of all devices. If fewer match, and no more than this, SQLite sorts them. */
  const [ofQuarter, next] = all.slice(-Math.ceil(all.length / 4)).map(({ id }) => id as number) as [number, number];
  await db.exec(`UPDATE equipment SET search_text = search_text || ' quarter' WHERE id >= ${ofQuarter};
    UPDATE equipment SET search_text = search_text || ' less' WHERE id >= ${next}`);
  const filters: PageSearch['filters'][] = [
    [],
    [{ property: 'equipmentType', values: ['gnss receiver', 'humidity sensor'] }],
    [{ property: 'serialNumber', values: [] }],
    [{ property: 'type', values: ['T1', 'T2', 'T3'] }],
  ];
  for (const [text, isFound] of [
    ['many', (id: number) => id % 10 > 1],
    ['few', (id: number) => id % 10 === 0],
    ['quarter', (id: number) => id >= ofQuarter],
    ['less', (id: number) => id >= next],
  ] as const) {
    for (const filter of filters) {
      const matching = all.filter(
        (element) =>
          isFound(element.id as number) &&
          filter.every(({ property, values }) => {
            const wanted: unknown[] = values.length > 0 ? values : [null];
            return wanted.includes(valueOf(element, property) ?? null);
          }),
      );
      for (const sort of ordersOf(propertiesOf('equipment'), ['type serialNumber', '-serialNumber type'])) {
        await t.test(describe([text, filter, sort]), (t) => checkPages(t, of({ text, filters: filter, sort }), sorted(matching, sort)));
      }
    }
  }
});

t.test('pages of many Sites near a point are those of one sorted list, although no index has an order of Sites', async (t) => {
  const { store, db } = await manyRows(t);
  await db.insert(
    'site',
    Array.from({ length: 2000 }, (_, index) => ({
      id: 1000 + index,
      four_character_id: `${index < 1000 ? 'U' : 'V'}${String(index % 1000).padStart(3, '0')}`,
      name: index % 3 === 0 ? null : `N${index % 500}`,
      domes_number: index % 2 === 0 ? null : `D${(index * 7) % 2000}`,
      latitude: index % 90,
      longitude: 0,
    })),
  );
  // From the equator to 30° and to 70° north. More than 1000 Sites count as many.
  for (const [radius, number] of [
    [3380, 22 * 31 + 20],
    [7830, 22 * 71 + 20],
  ] as const) {
    const near = { latitude: 0, longitude: 0, radius };
    const find = (sort: PageSearch['sort']) => (paging: { page: number; size: number }) =>
      store.sites.findPage({ filters: [], sort, ...paging, text: '', box: null, near }) as unknown as Promise<Found<Element>>;
    const { elements: all } = await find([])({ page: 0, size: 3000 });
    t.equal(all.length, number);
    for (const sort of ordersOf(['id', 'name', 'domesNumber', 'siteStatus'], ['name -domesNumber'])) {
      if (sort.length === 0) continue;
      await t.test(describe([radius, sort]), (t) => checkPages(t, find(sort), sorted(all, sort)));
    }
  }
});

t.test('a page may have more elements with one value than a call has arguments', async (t) => {
  const { store, db } = await manyRows(t);
  const number = 130_000;
  const devices = Array.from({ length: number }, (_, index) => ({
    id: 10_000 + index,
    identity: String(10_000 + index),
    equipment_type: 'clock',
    type: 'MANY',
    document: '{"manufacturer":"M"}',
  }));
  await db.insert('equipment', devices);
  await db.exec('UPDATE equipment SET listed = 1 WHERE id >= 10000');
  // The first value of the one order, the last known value of the other.
  for (const [property, descending] of [
    ['type', false],
    ['manufacturer', true],
  ] as const) {
    const search = { filters: [], sort: [{ property, descending }], page: 0, size: number + 3000, projection: null };
    const { elements } = await store.devices.findPage(search);
    t.equal(elements.length, number + 3000, property);
    const ids = elements.map(({ id }) => id).filter((id) => id >= 10_000);
    t.ok(
      ids.length === number && ids.every((id, index) => id === 10_000 + index),
      `those with one ${property} are in the order of their ids`,
    );
  }
});

t.test('what was recorded since a time, even if the clock was set back', async (t) => {
  const { store, db } = await manyRows(t);
  const [early, late] = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'];
  const rows = await db.all<{ id: number; document: string }>('SELECT id, document FROM change WHERE superseded_at IS NULL ORDER BY id');
  /** The change that ends a gap after the one before it; one of them is recorded early, the other late. */
  const [before, after] = [rows[99]!.id, rows[100]!.id];
  await db.exec(`UPDATE change SET counterpart_id = ${after} WHERE id = ${before};
    UPDATE change SET counterpart_id = ${before}, gap_before = 60 WHERE id = ${after}`);
  const setups: Element[] = [];
  for (let page = 0; page < 4; page++) {
    const { elements } = await store.setups.findPage({ filters: [], sort: [], page, size: 1000, projection: null });
    setups.push(...(elements as unknown as Element[]));
  }
  for (const [name, isLate] of [
    ['few', (id: number) => id >= 3400],
    ['many', (id: number) => id >= after],
    ['the clock was set back', (id: number) => id >= after && id !== 2000],
    ['the clock was set back early', (id: number) => id === 20],
    ['none', () => false],
  ] as const) {
    const lateIds = (ids: number[]) => ids.filter(isLate).join() || '0';
    for (const table of ['setup', 'change']) {
      const ids = (await db.all<{ id: number }>(`SELECT id FROM ${table}`)).map(({ id }) => id);
      await db.exec(
        `UPDATE ${table} SET recorded_at = '${early}'; UPDATE ${table} SET recorded_at = '${late}' WHERE id IN (${lateIds(ids)})`,
      );
    }
    for (const invalidated of [undefined, false]) {
      const filters: PageSearch['filters'] = invalidated === undefined ? [] : [{ property: 'invalidated', values: [invalidated] }];
      const expected = setups.filter((each) => isLate(each.id as number) && (invalidated ?? each.invalidated) === each.invalidated);
      for (const sort of ordersOf(propertiesOf('setups'), ['-effectivePeriod.from effectivePeriod.to'])) {
        const find = (paging: { page: number; size: number }) =>
          store.setups.findPage({ filters, sort, ...paging, projection: null, recordedSince: late }) as unknown as Promise<Found<Element>>;
        await t.test(describe([name, filters, sort]), (t) => checkPages(t, find, sorted(expected, sort)));
      }
    }
    const since = { from: null, to: null, equipmentType: null, recordedSince: late };
    const inOrder = await db.all<{ id: number; document: string }>(
      'SELECT id, document FROM change WHERE superseded_at IS NULL ORDER BY at, site_id, kind_position, change.id',
    );
    for (const mergeGaps of [0, 60]) {
      const expected = inOrder
        .filter(({ id }) => (mergeGaps === 60 && id === before ? isLate(before) || isLate(after) : isLate(id)))
        .filter(({ id }) => mergeGaps === 0 || id !== after)
        .map(({ document }) => ({ id: (JSON.parse(document) as { number?: number }).number }));
      const find = async (paging: { page: number; size: number }): Promise<Found<Element>> => {
        const { elements, totalElements } = await store.changes.findPage({ ...since, mergeGaps, ...paging });
        return { elements: elements.map((change) => ({ id: (change as unknown as Element).number })), totalElements };
      };
      await t.test(describe([name, mergeGaps]), (t) => checkPages(t, find, expected));
    }
  }
});

t.test('the first installations that match are those of all windows, however few they are', async (t) => {
  const { store, db } = await manyRows(t);
  await db.exec('UPDATE site SET latitude = id % 90, longitude = id % 180 WHERE id > 1');
  const installations = Array.from({ length: 12_000 }, (_, index) => ({
    id: 10 + index,
    site_id: 2 + (index % 700),
    equipment_id: 2 + (index % 4000),
    site_log_id: 1,
    period_from: `20${String(10 + (index % 20)).padStart(2, '0')}-01-01T00:00:00Z`,
    period_to: index % 3 === 0 ? '2031-01-01T00:00:00Z' : null,
    recorded_at: '2020-01-01T00:00:00.000Z',
    superseded_at: index % 50 === 0 ? '2020-01-02T00:00:00.000Z' : null,
    configuration: '{}',
  }));
  await db.insert('installation', installations);
  const boxes = [null, { west: 9.5, south: 9.5, east: 10.5, north: 10.5 }, { west: -180, south: -90, east: 180, north: 90 }];
  const periods = [null, { from: '2010-06-01T00:00:00Z', to: '2010-06-01T00:00:00Z' }, { from: null, to: '2000-01-01T00:00:00Z' }];
  for (const box of boxes) {
    for (const during of periods) {
      const all: number[] = [];
      const search = { filters: [], sites: null, box, countryCodes: null, during, recordedSince: null };
      for (let place: number | null = 0; place !== null;) {
        const { elements, next }: Window<{ id: number }> = await store.exports.readInstallations(search, place);
        all.push(...elements.map(({ id }) => id));
        place = next;
      }
      for (const after of [0, 4000, 11_000]) {
        const later = all.filter((id) => id > after);
        for (const most of [1, 100, 1001]) {
          const found = (await store.exports.findInstallations({ box, during }, after, most)).map(({ id }) => id);
          t.same(found, later.slice(0, most), describe([box, during, after, most]));
        }
      }
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
    const rows = await db.all<{ document: string; kind: string }>(
      `SELECT document, equipment_type AS kind FROM change WHERE superseded_at IS NULL ORDER BY at, site_id, kind_position, change.id`,
    );
    const expected = rows
      .filter(({ kind }) => equipmentType === null || kind === equipmentType)
      .map(({ document }) => ({ id: (JSON.parse(document) as { number?: number }).number }));
    await checkPages(t, of, expected);
  }
});

t.test('the totals of Setups follow imports and corrections', async (t) => {
  const { database, importText, store } = await openService(t);
  const db = rawDatabase(database);
  const count = async (where: string) =>
    (await db.all<{ number: number }>(`SELECT count(*) AS number FROM setup WHERE ${where}`))[0]!.number;
  const check = async (after: string) => {
    for (const [property, sql] of [
      ['invalidated', 'superseded_at IS NOT NULL'],
      ['current', 'superseded_at IS NULL AND effective_to IS NULL'],
    ] as const) {
      for (const value of [true, false]) {
        const filters = [{ property, values: [value] }];
        const { totalElements } = await store.setups.findPage({ filters, sort: [], page: 0, size: 1, projection: null });
        t.equal(totalElements, await count(`(${sql}) = ${String(value)}`), `${property} ${value} after ${after}`);
      }
    }
    const { totalElements } = await store.setups.findPage({ filters: [], sort: [], page: 0, size: 1, projection: null });
    t.equal(totalElements, await count('true'), `all after ${after}`);
  };
  const correct = async (correction: Correction) => {
    const writer = await openWriter(database, { create: false });
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
  const database = await newDatabase(t, `${t.testdir()}/empty.sqlite`);
  await importInto(database, []);
  const store = await openReader(database);
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
