import { SaxesParser } from 'saxes';
import t, { type Test } from 'tap';
import type { Static } from '@sinclair/typebox';
import type {
  Change,
  CorsSiteResource,
  Feed,
  FeedEntry,
  SetupResource,
} from '../../schemas/index.js';
import { readAsImported } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { MARKUP } from '../hostile-logs.js';
import { SAMPLE } from '../project-files.js';
import { rawDatabase } from '../raw-database.js';
import { openService, type Service } from '../service.js';
import type { SyntheticLog } from '../synthetic-log.js';
import { correct, elementsIn, type Paged, read as readValid, refused } from './answers.js';

type Page = Static<typeof Feed>;
const pathOf = (href: string): string => href.replace('http://localhost:80', '');

/** Reads a page of the feed; its entries. */
const read = (t: Test, service: Pick<Service, 'get'>, url: string) =>
  readValid<Page>(t, service, 'Feed', url);
const entriesOf = async (
  t: Test,
  service: Pick<Service, 'get'>,
  url: string,
): Promise<FeedEntry[]> => (await read(t, service, url))._embedded.entries;

/** A client that knows what is on record from the feed, and from what the feed names. */
class Follower {
  readonly sites = new Map<number, CorsSiteResource>();
  readonly setups = new Map<number, SetupResource>();
  readonly seen: string[] = [];
  private cursor = '/feed?size=3';

  constructor(
    private readonly t: Test,
    private readonly service: Pick<Service, 'get'>,
  ) {}

  /** Reads what is new. */
  async poll(): Promise<FeedEntry[]> {
    const entries: FeedEntry[] = [];
    for (;;) {
      const page = await read(this.t, this.service, this.cursor);
      this.cursor = page._links.next.href;
      if (page._embedded.entries.length === 0) return entries;
      for (const entry of page._embedded.entries) await this.follow(entry);
      entries.push(...page._embedded.entries);
    }
  }

  private async follow({ id, site, siteChanged, setups }: FeedEntry): Promise<void> {
    this.seen.push(id);
    for (const { id: setup } of setups.superseded)
      this.t.ok(this.setups.delete(setup), `Setup ${setup} was added before`);
    for (const { id: setup } of setups.added)
      this.setups.set(setup, (await this.service.get(`/setups/${setup}`)).json());
    if (!siteChanged) return;
    const answer = await this.service.get(`/corsSites/${site.id}`);
    if (answer.statusCode === 404) this.sites.delete(site.id);
    else this.sites.set(site.id, answer.json());
  }
}

const byId = <T extends { id: number }>(elements: Iterable<T>): T[] =>
  [...elements].sort((a, b) => a.id - b.id);

t.test(
  'a client that follows the feed through 50 imports and corrections has exactly what is on record',
  async (t) => {
    const service = await openService(t);
    const client = new Follower(t, service);
    t.same(await client.poll(), [], 'an empty database has an empty feed');
    let time = Date.parse('2026-01-01T00:00:00Z');
    /** Imports a version of a log, and returns the new entries. */
    const importVersion = async (id: string, version: number, more: Partial<SyntheticLog> = {}) => {
      const log = {
        id,
        prepared: new Date(Date.UTC(2020, 0, version)).toISOString().slice(0, 10),
        receivers: Array.from({ length: 1 + (version % 4) }, (_, index) => ({
          type: `R${(version + index) % 3}`,
          serial: `${id}-${index}`,
          from: `20${10 + index}-01-01`,
          to: `20${11 + index}-01-01`,
        })),
        ...more,
      };
      await service.importText(
        log,
        `${id}_${version}.log`.toLowerCase(),
        new Date((time += 60_000)),
      );
      return client.poll();
    };
    let events = 0;
    for (let round = 1; round <= 12; round++) {
      for (const id of ['AAAA00AUS', 'BBBB00AUS', 'CCCC']) {
        const entries = await importVersion(id, round);
        t.match(entries, [
          {
            kind: 'import',
            isNew: round === 1,
            siteLog: { name: `${id}_${round}.log`.toLowerCase() },
          },
        ]);
        t.equal(entries.length, 1);
        events++;
      }
    }
    t.same(await importVersion('AAAA00AUS', 12), [], 'the same log again');
    t.same(await importVersion('AAAA00AUS', 3, { name: 'Outdated' }), [], 'an older log');
    const receivers = [{ type: 'R0', serial: 'CCCC-0', from: '2010-01-01' }];
    t.match(await importVersion('CCCC', 13, { name: 'Other name', receivers }), [
      { siteChanged: true },
    ]);
    const renamed = await importVersion('CCCC', 14, { name: 'Third name', receivers });
    t.match(
      renamed,
      [{ siteChanged: true, effectiveFrom: null, setups: { added: [], superseded: [] } }],
      'only the name changed',
    );
    t.equal(renamed.length, 1);
    t.same(
      await importVersion('CCCC', 15, { name: 'Third name', receivers }),
      [],
      'a newer log with the same content',
    );

    const ofSite = await service.store.logs.findOfSite(parseSiteId('BBBB'));
    const log = ofSite.kind === 'found' ? ofSite.found.logs.find(({ current }) => current)!.id : 0;
    const corrections: [string, Correction][] = [
      ['AAAA00AUS', { kind: 'retire' }],
      ['BBBB', { kind: 'withdraw', log }],
      ['BBBB', { kind: 'restore', log }],
      ['BBBB', { kind: 'rename', to: parseSiteId('DDDD00NZL') }],
      ['AAAA00AUS', { kind: 'unretire' }],
    ];
    for (const [site, correction] of corrections) {
      await correct(service, site, correction, new Date((time += 60_000)));
      const entries = await client.poll();
      t.match(entries, [{ kind: correction.kind, isNew: false }], correction.kind);
      events++;
    }
    for (let version = 20; events < 50; version++, events++)
      await importVersion('DDDD00NZL', version);

    const sites = elementsIn(
      (await service.get('/corsSites?size=1000')).json<Paged<CorsSiteResource>>(),
    );
    const setups = elementsIn(
      (await service.get('/setups?invalidated=false&size=1000')).json<Paged<SetupResource>>(),
    );
    t.ok(events >= 50 && setups.length > 4, `${events} events, ${setups.length} Setups`);
    // What the current log says beside its Site is no change of the Site.
    const ofSites = sites.map(({ agencies: _agencies, datePrepared: _date, ...site }) => site);
    const ofClient = [...client.sites.values()].map(
      ({ agencies: _agencies, datePrepared: _date, ...site }) => site,
    );
    t.same(byId(ofClient), byId(ofSites));
    t.same(byId(client.setups.values()), byId(setups));
    t.equal(new Set(client.seen).size, client.seen.length, 'nothing comes twice');

    const late = new Follower(t, service);
    await late.poll();
    t.same(late.seen, client.seen, 'a client that begins later gets the same entries');
    t.same(byId(late.setups.values()), byId(setups));

    t.same((await verifyDatabase(service.database, readAsImported)).problems, []);
  },
);

t.test('an entry says what changed and from when on it is in effect', async (t) => {
  const service = await openService(t);
  const old = { type: 'R1', serial: '1', from: '2001-01-01', to: '2002-01-01' };
  await service.importText(
    { prepared: '2002-01-01', receivers: [{ ...old, to: '' }] },
    'test_1.log',
    new Date('2026-01-01'),
  );
  const [first] = await entriesOf(t, service, '/feed');
  t.match(first, {
    isNew: true,
    effectiveFrom: '2001-01-01T00:00:00Z',
    changes: { added: [] },
    recordedAt: '2026-01-01T00:00:00.000Z',
  });
  const receivers = [old, { type: 'R2', serial: '2', from: '2002-01-01' }];
  await service.importText(
    { prepared: '2003-01-01', receivers },
    'test_2.log',
    new Date('2026-01-02'),
  );
  const page = await read(t, service, `/feed?after=${first!.id}`);
  t.match(page._embedded.entries, [
    {
      kind: 'import',
      isNew: false,
      siteChanged: false,
      effectiveFrom: '2002-01-01T00:00:00Z',
      recordedAt: '2026-01-02T00:00:00.000Z',
      site: { id: 1, fourCharacterId: 'TEST', nineCharacterId: null, name: 'Test' },
      siteLog: { name: 'test_2.log', sha256: null, datePrepared: '2003-01-01' },
      setups: {
        added: [
          { effectivePeriod: { from: '2001-01-01T00:00:00Z' } },
          { effectivePeriod: { to: null } },
        ],
        superseded: [{ id: 1 }],
      },
      changes: {
        added: [
          {
            at: '2002-01-01T00:00:00Z',
            equipmentType: 'gnss receiver',
            kind: 'replaced',
            before: { type: 'R1', serialNumber: '1' },
            after: { type: 'R2', serialNumber: '2' },
          },
        ],
        superseded: [],
      },
    },
  ]);
  t.equal(page._links.next.href, page._links.last.href);
  t.same(await entriesOf(t, service, page._links.last.href), []);
});

t.test('a Site that is on record again is not new, but all of its changes are', async (t) => {
  const service = await openService(t);
  const receivers = [
    { type: 'R1', serial: '1', from: '2001-01-01', to: '2002-01-01' },
    { type: 'R2', serial: '2', from: '2002-01-01' },
  ];
  await service.importText({ id: 'TEST', receivers });
  await correct(service, 'TEST', { kind: 'retire' });
  await correct(service, 'TEST', { kind: 'unretire' });
  const [imported, retired, unretired] = await entriesOf(t, service, '/feed');
  t.match(imported, { kind: 'import', isNew: true, changes: { added: [], superseded: [] } });
  t.match(retired, {
    kind: 'retire',
    isNew: false,
    siteChanged: true,
    effectiveFrom: '2001-01-01T00:00:00Z',
    changes: { added: [] },
  });
  t.match(unretired, {
    kind: 'unretire',
    isNew: false,
    siteChanged: true,
    effectiveFrom: '2001-01-01T00:00:00Z',
  });
  t.match(unretired!.changes, {
    added: [{ kind: 'installed' }, { kind: 'replaced' }],
    superseded: [],
  });
  t.same(unretired!.changes.added, retired!.changes.superseded);
  t.same(unretired!.setups.superseded, []);
  t.equal(unretired!.setups.added.length, 2);
  const atom = (await service.get('/feed.atom')).body;
  t.match(atom, /TEST \(Test\): Site on record again/);
  t.notMatch(atom, 'description of the Site');
});

t.test('an entry merges gaps of at most a day, and says which members differ', async (t) => {
  const service = await openService(t);
  const gap = { from: '2002-01-01T00:00:00Z', to: '2002-01-02T00:00:00Z' };
  const importVersion = async (
    version: number,
    first: object,
    second: object,
    third: object = {},
  ) => {
    const receivers = [
      { type: 'R1', serial: '1', from: '2001-01-01', to: '2002-01-01', more: first },
      { type: 'R2', serial: '2', from: '2002-01-02', to: '2003-01-01', more: second },
      { type: 'R2', serial: '2', from: '2003-01-02T00:01Z', ...third },
    ];
    await service.importText(
      { id: 'TEST', prepared: `2010-01-0${version}`, receivers } as SyntheticLog,
      `test_${version}.log`,
    );
    return (await entriesOf(t, service, '/feed')).at(-1)!;
  };
  t.same((await importVersion(1, {}, {})).changes, { added: [], corrected: [], superseded: [] });
  await correct(service, 'TEST', { kind: 'retire' });
  await correct(service, 'TEST', { kind: 'unretire' });
  const { added } = (await entriesOf(t, service, '/feed')).at(-1)!.changes;
  t.match(added, [
    { at: '2001-01-01T00:00:00Z', kind: 'installed', before: null, gap: null, differences: [] },
    {
      at: gap.from,
      kind: 'replaced',
      before: { type: 'R1', serialNumber: '1' },
      after: { type: 'R2', serialNumber: '2' },
      gap,
      differences: [
        { member: 'type', before: 'R1', after: 'R2' },
        { member: 'serialNumber', before: '1', after: '2' },
      ],
    },
    { at: '2003-01-01T00:00:00Z', kind: 'removed', after: null, gap: null, differences: [] },
    { at: '2003-01-02T00:01:00Z', kind: 'installed', gap: null },
  ]);
  const page = elementsIn((await service.get('/changes?site=TEST')).json<Paged<Change>>());
  const inShort = ({ at, kind, gap }: Pick<Change, 'at' | 'kind' | 'gap'>) => ({ at, kind, gap });
  t.same(added.map(inShort), page.map(inShort), 'the same changes as /changes');

  const stable = { 'Temperature Stabiliz.': 'none' };
  const { changes } = await importVersion(2, stable, {
    ...stable,
    'Firmware Version': `F ${'9'.repeat(60)}`,
  });
  const temperature = { member: 'temperatureStabilization', before: null, after: 'none' };
  t.same([changes.added, changes.superseded], [[], []]);
  t.match(changes.corrected, [
    { at: '2001-01-01T00:00:00Z', kind: 'installed', differences: [temperature] },
    {
      at: gap.from,
      kind: 'replaced',
      gap,
      differences: [temperature, { member: 'firmwareVersion', before: null }],
    },
    {
      at: '2003-01-01T00:00:00Z',
      kind: 'removed',
      differences: [{ member: 'firmwareVersion' }, temperature],
    },
  ]);
  const [corrected] = (await service.get('/feed.atom')).body.split('</entry>');
  t.match(
    corrected,
    /\nCorrected: 2001-01-01T00:00:00Z: gnss receiver installed: R1 1 \(temperatureStabilization unknown → none\)\.\n/,
  );
  t.match(
    corrected,
    /replaced: R1 1 by R2 2, after a gap until 2002-01-02T00:00:00Z \(temp[a-zA-Z]+ unknown → none, firmwareVersion unknown → F 9{58}…\)/,
  );
  t.notMatch(corrected, /Added|Superseded/);

  const same = { serial: '2', type: 'R2' };
  const last = (
    await importVersion(3, stable, stable, {
      ...same,
      from: '2003-01-02',
      more: { 'Firmware Version': 'G' },
    })
  ).changes;
  const differences = [{ after: 'G' }, { after: null }];
  t.match(last.added, [
    {
      at: '2003-01-01T00:00:00Z',
      kind: 'reconfigured',
      gap: { to: '2003-01-02T00:00:00Z' },
      differences,
    },
  ]);
  t.match(last.superseded, [
    { at: '2003-01-01T00:00:00Z', kind: 'removed' },
    { at: '2003-01-02T00:01:00Z', kind: 'installed' },
  ]);
  t.match(
    (await service.get('/feed.atom')).body,
    /Added: 2003-01-01T00:00:00Z: gnss receiver reconfigured: R2 2, after a gap until/,
  );
});

t.test('the feed can start at a time of recording', async (t) => {
  const service = await openService(t);
  for (const [index, id] of ['AAAA', 'BBBB', 'CCCC'].entries()) {
    const receivers = [{ type: 'R', serial: id, from: '2001-01-01' }];
    await service.importText(
      { id, receivers },
      `${id}.log`.toLowerCase(),
      new Date(`2026-01-0${index + 1}T12:00:00Z`),
    );
  }
  const first = await read(t, service, '/feed?recordedSince=2026-01-02&size=1');
  const second = await read(t, service, first._links.next.href);
  const found = [first, second].flatMap(({ _embedded }) =>
    _embedded.entries.map(({ site }) => site.fourCharacterId),
  );
  t.same(found, ['BBBB', 'CCCC']);
  t.same(await entriesOf(t, service, second._links.next.href), []);
  const none = await read(t, service, '/feed?recordedSince=2026-01-04');
  const receivers = [{ type: 'R', serial: 'D', from: '2001-01-01' }];
  await service.importText({ id: 'DDDD', receivers }, 'dddd.log', new Date('2026-01-05'));
  t.match(await entriesOf(t, service, none._links.next.href), [
    { site: { fourCharacterId: 'DDDD' } },
  ]);
  const atom = (await service.get('/feed.atom?recordedSince=2026-01-02&size=2')).body;
  t.match(atom, /BBBB \(Test\)[^]*CCCC \(Test\)/);
  t.match(atom, /rel="next"[^>]*recordedSince=2026-01-02/);
  const { invalidParameters } = await refused(
    t,
    service,
    '/feed?recordedSince=2026-02-29',
    400,
    'invalid-parameter',
  );
  t.match(invalidParameters, [{ reason: /2026-02 has 28 days/ }]);
});

t.test('a new spelling is a new version of a Setup, without a change or an entry', async (t) => {
  const service = await openService(t);
  const receiver = (systems: string, firmware: string, serial: string) => ({
    type: 'R1',
    serial,
    from: '2010-01-01',
    more: { 'Satellite System': systems, 'Firmware Version': firmware },
  });
  const importVersion = async (day: number, ...values: Parameters<typeof receiver>) => {
    const log = { prepared: `2020-01-0${day}`, receivers: [receiver(...values)] };
    await service.importText(log, `test_2020010${day}.log`, new Date(`2026-01-0${day}`));
  };
  const current = async (): Promise<SetupResource> =>
    (await service.get('/setups/search/findCurrentByFourCharacterId?id=TEST')).json();
  await importVersion(1, 'GPS+GLO', '1.0 ref', 'AB-12');
  const first = await current();
  await importVersion(2, 'GLO+GPS', '1.0 REF', 'ab 12');
  const second = await current();
  t.match(second.equipmentInUse, [{ content: { configuration: { satelliteSystem: 'GLO+GPS' } } }]);
  t.not(second.id, first.id);
  t.equal((await entriesOf(t, service, '/feed')).length, 1, 'only of the new Site');
  const changes = (await service.get('/changes?site=TEST')).json<Paged<Change>>();
  t.match(elementsIn(changes), [{ kind: 'installed' }]);
  t.same((await verifyDatabase(service.database, readAsImported)).problems, []);
  await importVersion(3, 'GPS+GLO', '2.0', 'AB12');
  const [, entry] = await entriesOf(t, service, '/feed');
  t.match(entry, {
    setups: { superseded: [{ id: second.id }] },
    changes: { corrected: [{ differences: [{ member: 'firmwareVersion' }] }] },
  });
  t.equal(entry!.changes.corrected[0]!.differences.length, 1);
});

t.test(
  'changes that an earlier version recorded for spelling vanish without an entry',
  async (t) => {
    const service = await openService(t);
    const receiver = { type: 'R1', serial: '1', from: '2010-01-01' };
    const log = {
      receivers: [
        { ...receiver, to: '2012-01-01', more: { 'Satellite System': 'GPS+GLO' } },
        { ...receiver, from: '2012-01-01', more: { 'Satellite System': 'GLO+GPS' } },
      ],
    };
    await service.importText(log);
    const raw = rawDatabase(service.database);
    const [installed] = await raw.all<Record<string, unknown> & { document: string }>(
      'SELECT * FROM change',
    );
    const setups = await raw.all<{ equipment_in_use: string }>('SELECT * FROM setup ORDER BY id');
    const [before, after] = setups.map(
      ({ equipment_in_use }) => (JSON.parse(equipment_in_use) as Change['before'][])[0],
    );
    const change = {
      at: '2012-01-01T00:00:00Z',
      equipmentType: 'gnss receiver',
      kind: 'reconfigured',
      before,
      after,
      differingMembers: ['satelliteSystem'],
    };
    await raw.insert('change', [
      {
        ...installed,
        id: 9,
        at: change.at,
        kind: change.kind,
        document: JSON.stringify(change),
      },
    ]);
    const changes = async (): Promise<string[]> =>
      elementsIn((await service.get('/changes')).json<Paged<Change>>()).map(({ kind }) => kind);
    t.same(await changes(), ['installed', 'reconfigured']);
    await service.importText(log);
    t.same(await changes(), ['installed']);
    t.equal((await entriesOf(t, service, '/feed')).length, 1, 'only of the new Site');
    t.same((await verifyDatabase(service.database, readAsImported)).problems, []);
  },
);

t.test('an entry links to the page of its Site, by the shortest id', async (t) => {
  const service = await openService(t);
  for (const id of ['AAAA00AUS', 'BBBB00AUS', 'BBBB00NZL'])
    await service.importText({ id, receivers: [{ type: 'R', from: '2001-01-01' }] });
  const entries = await entriesOf(t, service, '/feed');
  const links = entries.map(
    ({ _links }) => `${pathOf(_links.corsSite.href)} ${pathOf(_links.alternate.href)}`,
  );
  t.same(links, [
    '/corsSites/1 /sites/AAAA',
    '/corsSites/2 /sites/BBBB00AUS',
    '/corsSites/3 /sites/BBBB00NZL',
  ]);
  t.match(entries[0]!._links.alternate, { type: 'text/html' });
  for (const { _links } of entries)
    t.equal((await service.get(_links.alternate.href)).statusCode, 200);
  const atom = (await service.get('/feed.atom')).body;
  t.match(atom, '<link rel="alternate" type="text/html" href="http://localhost:80/sites/AAAA"/>');
  t.match(
    atom,
    '<link rel="related" type="application/hal+json" href="http://localhost:80/corsSites/1"/>',
  );
});

t.test('a cursor that is not of this feed is refused', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const [entry] = await entriesOf(t, service, '/feed?size=1');
  const of = (text: string) => Buffer.from(text).toString('base64url');
  for (const cursor of ['x', '1', of('1.0'), of('99999.1'), of('1.1.1'), `${entry!.id}x1`]) {
    for (const path of ['/feed', '/feed.atom']) {
      await refused(t, service, `${path}?after=${cursor}`, 410, 'unknown-cursor');
    }
  }
  for (const query of [
    'after=',
    'size=0',
    'page=1',
    'after=1&after=2',
    `after=${'x'.repeat(61)}`,
  ]) {
    t.equal((await service.get(`/feed?${query}`)).statusCode, 400, query);
  }
  t.equal((await entriesOf(t, service, '/feed?size=1000')).length <= 100, true);
});

t.test('the feed as Atom is well-formed, whatever logs contain', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const receivers = [{ type: MARKUP, serial: '"&', from: '2001-01-01' }];
  await service.importText({ id: 'EVIL', name: `${MARKUP}\u0001\u000b]]>`, receivers }, 'evil.log');
  const parsed = (text: string) => {
    const entries: Record<string, string>[] = [];
    const links: Record<string, string>[] = [];
    let name = '';
    const parser = new SaxesParser({ xmlns: false });
    parser.on('error', (error) => t.fail(error.message));
    parser.on('opentag', (tag) => {
      name = tag.name;
      if (name === 'entry') entries.push({});
      if (name === 'link' && entries.length === 0) links.push(tag.attributes);
    });
    parser.on('text', (value) => {
      const entry = entries.at(-1);
      if (entry !== undefined && value.trim() !== '') entry[name] = (entry[name] ?? '') + value;
    });
    parser.write(text).close();
    return { entries, links };
  };
  const response = await service.get('/feed.atom');
  t.match(
    [response.statusCode, response.headers['content-type']],
    [200, 'application/atom+xml;charset=UTF-8'],
  );
  const newest = parsed(response.body);
  t.match(newest.entries[0], {
    title: /^EVIL.*<script>/,
    updated: /^2/,
    id: /^urn:gnss-site-setups:feed:/,
    summary: /Setups: 1 added/,
  });
  t.equal(new Set(newest.entries.map(({ id }) => id)).size, newest.entries.length);
  t.equal(newest.links.map(({ rel }) => rel).join(), 'self,alternate');

  const json = await read(t, service, '/feed?size=4');
  const [first] = json._embedded.entries;
  const next = parsed((await service.get(`/feed.atom?after=${first!.id}&size=3`)).body);
  const ids = next.entries.map(({ id }) => id!.replace('urn:gnss-site-setups:feed:', ''));
  t.same(
    ids,
    json._embedded.entries.slice(1).map(({ id }) => id),
  );
  t.match(
    next.links.find(({ rel }) => rel === 'next')?.href,
    `/feed.atom?after=${json._embedded.entries[3]!.id}&size=3`,
  );
  t.equal(
    parsed((await service.get(`/feed.atom?after=${newest.entries[0]!.id!.split(':').at(-1)}`)).body)
      .entries.length,
    0,
  );
});
