import { Client, type Resource, type State } from 'ketting';
import t, { type Test } from 'tap';
import type { CorsSiteResource, Page, SetupResource } from '../schemas/index.js';
import { SAMPLE } from './project-files.js';
import { openService } from './service.js';

const TYPE = 'TRIMBLE NETRS';
const QUERY = { type: TYPE, size: '2', sort: 'serialNumber,desc' };

interface Walker {
  /** A ketting client that knows only the root. */
  client: Client;
  base: string;
  /** The requests that it has sent, as paths with queries. */
  requests: string[];
}

/** Serves the sample network over HTTP, with ketting at its root. */
async function startWalk(t: Test): Promise<Walker> {
  const { app } = await openService(t, [SAMPLE]);
  const requests: string[] = [];
  app.server.on('request', ({ url }) => requests.push(url!));
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return { client: new Client(`${base}/`), base, requests };
}

/** What following a series of links leads to. */
const get = async <T>(way: PromiseLike<Resource<T>>): Promise<State<T>> => (await way).get();

/** A page and all pages after it, by `next`. */
async function pagesFrom(first: State<{ page: Page }>): Promise<State<{ page: Page }>[]> {
  const pages = [first];
  while (pages.at(-1)!.links.has('next'))
    pages.push(await pages.at(-1)!.follow<{ page: Page }>('next').get());
  return pages;
}

t.test(
  'ketting gets from / by the searches of the Setups to the current Setup of ALIC, and on to its own URL',
  async (t) => {
    const { client, base, requests } = await startWalk(t);
    const found = await get(
      client
        .follow('setups')
        .follow('search')
        .follow<SetupResource>('findCurrentByFourCharacterId', {
          id: 'ALIC',
          projection: 'provenance',
        }),
    );
    t.strictSame(requests, [
      '/',
      '/setups',
      '/setups/search',
      '/setups/search/findCurrentByFourCharacterId?id=ALIC&projection=provenance',
    ]);
    t.equal(
      found.headers.get('content-type'),
      'application/hal+json;charset=UTF-8',
      'although ketting prefers HAL-FORMS',
    );
    t.match(found.data, {
      current: true,
      effectivePeriod: { to: null },
      provenance: { siteLog: { name: 'alic_20170223.log' } },
    });
    t.match(found.data.equipmentInUse[0]?.content.id, {
      equipmentType: 'gnss receiver',
      type: 'LEICA GR25',
    });

    const kept = await found.follow<SetupResource>('self').get();
    t.equal(kept.uri, `${base}/setups/${found.data.id}`);
    const { provenance, ...plain } = found.data;
    t.strictSame(kept.data, plain);
    t.ok(provenance);

    const site = await get(
      client
        .follow('corsSites')
        .follow('search')
        .follow<CorsSiteResource>('findByFourCharacterId', { id: 'alic' }),
    );
    t.match(site.data, { id: found.data.siteId, fourCharacterId: 'ALIC' });
  },
);

t.test(
  'ketting follows all pages of a receiver type: each keeps the filter, and the totals agree',
  async (t) => {
    const { client, requests } = await startWalk(t);
    const pages = await pagesFrom(await get(client.follow<{ page: Page }>('gnssReceivers', QUERY)));
    const { totalElements, totalPages } = pages[0]!.data.page;
    t.ok(totalPages > 2, 'there are several pages');
    t.equal(pages.length, totalPages);
    const numbered = pages.map((_, number) => ({ size: 2, totalElements, totalPages, number }));
    t.strictSame(
      pages.map(({ data }) => data.page),
      numbered,
    );
    for (const url of requests.slice(1)) {
      const { searchParams } = new URL(url, 'http://localhost');
      t.match(Object.fromEntries(searchParams), QUERY, url);
    }

    const receivers = pages.flatMap((page) =>
      page.followAll<{ type: string; serialNumber: string }>('gnssReceivers'),
    );
    t.equal(
      new Set(receivers.map(({ uri }) => uri)).size,
      totalElements,
      'each receiver exactly once',
    );
    const made = requests.length;
    const states = await Promise.all(receivers.map((receiver) => receiver.get()));
    t.equal(requests.length, made, 'ketting has them already from the pages');
    for (const { data } of states) t.equal(data.type, TYPE);
    const serialNumbers = states.map(({ data }) => data.serialNumber);
    t.strictSame(serialNumbers, serialNumbers.toSorted().reverse());
    for (const [index, receiver] of receivers.entries())
      t.strictSame((await receiver.refresh()).data, states[index]!.data);

    const [first, last] = await Promise.all(
      ['first', 'last'].map((rel) => pages[1]!.follow(rel).get()),
    );
    t.strictSame([first!.data.page.number, last!.data.page.number], [0, totalPages - 1]);
    t.strictSame([first!.links.has('prev'), last!.links.has('next')], [false, false]);
    t.strictSame((await last!.follow('prev').get()).data.page, {
      size: 2,
      totalElements,
      totalPages,
      number: totalPages - 2,
    });
  },
);

/** An answer with embedded elements, as sent. */
interface Embedding {
  _embedded?: Record<string, { _links?: { self?: { href: string } } }[]>;
}

/** The elements of all pages from one on, by their URLs, each as ketting gets it from there. */
async function elementsFrom(first: State, name: string): Promise<Map<string, unknown>> {
  const elements = new Map<string, unknown>();
  let page: State | undefined = first;
  while (page !== undefined) {
    const resources: Resource[] = page.followAll(name);
    for (const resource of resources) elements.set(resource.uri, (await resource.refresh()).data);
    // The feed always has a next page, which is empty after the last entry.
    const hasMore: boolean = resources.length > 0 && page.links.has('next');
    page = hasMore ? await page.follow('next').get() : undefined;
  }
  return elements;
}

t.test('ketting gets every element of every collection of the root', async (t) => {
  const { client, base } = await startWalk(t);
  const root = await client.go().get();
  const collections: string[] = [];
  for (const { rel, href } of root.links.getAll()) {
    const [path] = href.split('{');
    if (/^\/(self|exports|feed\.atom|schema$)/.test(path!) || rel === 'schema') continue;
    const answer = await fetch(new URL(path!, base));
    if (!answer.headers.get('content-type')!.startsWith('application/hal+json')) continue;
    const { _embedded } = (await answer.json()) as Embedding;
    if (_embedded === undefined) continue;
    collections.push(rel);
    const [name] = Object.keys(_embedded);
    const first = await get(client.follow(rel, { size: '100' }));
    const elements = await elementsFrom(first, name!);
    const all = await fetch(new URL(`${path}?size=1000`, base));
    const expected = ((await all.json()) as Embedding)._embedded![name!]!;
    t.ok(expected.length > 0, `${rel} has elements`);
    t.equal(elements.size, expected.length, `${rel}: ${expected.length} elements`);
    for (const { _links, ...element } of expected)
      t.strictSame(elements.get(_links?.self?.href ?? ''), element);
  }
  t.strictSame(collections, [
    'setups',
    'corsSites',
    'siteLogs',
    'gnssReceivers',
    'gnssAntennas',
    'humiditySensors',
    'clocks',
    'equipment',
    'changes',
    'findings',
    'feed',
  ]);
});

t.test('ketting asks for several Sites, and for an order by several properties', async (t) => {
  const { client, requests } = await startWalk(t);
  const values = { site: ['ALIC', 'NAMA'], sort: ['fourCharacterId,desc', 'id'] };
  const sites = await get(client.follow<{ page: Page }>('corsSites', values as never));
  t.equal(requests.at(-1), '/corsSites?sort=fourCharacterId%2Cdesc,id&site=ALIC,NAMA');
  const found = sites.followAll<CorsSiteResource>('corsSites');
  const ids = await Promise.all(found.map(async (each) => (await each.get()).data.fourCharacterId));
  t.strictSame(ids, ['NAMA', 'ALIC']);
});

t.test('a change, finding or entry that is not on record is 404', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  for (const path of ['/changes/999999', '/changes/99999999999999999999', '/findings/4095'])
    t.equal((await get(path)).statusCode, 404, path);
  t.equal((await get('/feed/MS4x')).statusCode, 404, 'a number with another checksum');
});
