import type { Json } from '../../src/check-service/json.js';
import { itemOf, type Operation, type Parameter, PublishedContract } from '../../src/check-service/published-contract.js';
import { CONTRACT_FOLDER } from '../campaigns/processes.js';
import { randomOf } from '../campaigns/random.js';
import { RequestGenerator } from '../campaigns/requests.js';
import { KnownValues } from '../campaigns/values.js';
import { type Ask, BASE, type Client } from './client.js';

/** How many requests combine parameters of each operation, and how many are generated, valid and not. */
const COMBINATIONS = 12;
const GENERATED = 400;
const LARGEST = 1000;
const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8';

const INSTANTS = ['2010-01-01', '2003-06-01T12:00:00Z', '2026-01-02T12:00:00Z'];
/** Values for parameters that answers do not contain, or for which values from answers are not enough. */
const VALUES: Record<string, string[]> = {
  q: ['e', 'leica', 'trimble netr9', '1 2', 'R', 'xyzzy'],
  near: ['-35.3,149.1', '40,-90'],
  radius: ['500', '9000'],
  bbox: ['110,-45,155,-10', '170,-90,-170,90', '-180,0,180,90'],
  countryCode: ['AUS', 'POL'],
  mergeGaps: ['P1D', 'PT0S', 'P52W'],
  recordedSince: ['2026-01-03', '2026-01-08T12:00:00Z', '2030-01-01'],
  asOf: ['2026-01-02T12:00:00Z', '2026-01-04', '2026-01-08', '2025-01-01'],
  datetime: ['2012-06-01', '2012-01-01/2012-12-31', '../2005-01-01'],
  timeFormat: ['uuuu-MM-dd'],
  limit: ['3', '1000'],
  size: ['3', '1000'],
  page: ['1', '1000'],
};

/** Requests that are invalid, or that only one route accepts, and searches of the pages. */
const ODD = [
  '/nothing', '/setups/0', '/setups/x', '/setups/999999', '/corsSites/999999/siteLog', '/setups?size=0', '/setups?page=-1', '/setups?sort=nothing',
  '/setups?nothing=1', '/corsSites?bbox=1', '/corsSites?near=1,2,3', '/corsSites?radius=3', '/feed?after=nothing', '/feed?size=1&after=',
  '/sites/NONE', '/sites/alic', '/sites/XXXX00XXX', '/exports/sites.xml', '/exports/changes.csv?mergeGaps=x', '/changes?from=2020&to=2010',
  '/setups/search/findCurrentByFourCharacterId', '/setups/search/findAtByFourCharacterId?id=ALIC&at=never', '/skeletonFiles/NONE.skl',
  '/ogc/collections/nothing/items', '/sites?q=alic', '/sites?q=leica', '/sites?q=xyzzy', '/sites?q=alice%20sprigns', '/sites?map=sites', '/sites?bbox=110,-45,155,-10',
  '/sites?sort=receiver,desc', '/sites?sort=name', '/receivers?serialNumber=SHARED', '/receivers?type=trimble%20netr9', '/antennas?type=', '/compare?id=ALIC&id=NYA1',
]; // prettier-ignore

const pair = (name: string, value: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
/** At most so many, spread over all. */
const spread = <T>(list: T[], most: number): T[] =>
  list.length <= most ? list : Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)]!);
/** What targets of the same kind have in common. */
const kindOf = (target: string): string => target.replace(/=[^&]*/g, '').replace(/\/(\d+|[A-Z0-9]{4,9})(?=[./?]|$)/g, '/*');

/** Finds out what to ask a service about its network: from the OpenAPI document, its answers and their links. */
export class Asks {
  private readonly contract = new PublishedContract(CONTRACT_FOLDER);
  private readonly known = new KnownValues();
  private readonly asks = new Map<string, Ask>();

  /** @param most elements of a collection, and links of a kind */
  constructor(
    private readonly client: Client,
    private readonly most: number,
  ) {}

  /** Everything to ask, each once. */
  async all(): Promise<Ask[]> {
    const { operations } = this.contract;
    for (const { path, paged } of operations) if (paged) this.known.collect(await this.json(`${path}?size=${LARGEST}`));
    for (const operation of operations) await this.addOperation(operation);
    for (const size of ['1', '7', '1000']) await this.addFeed(`/feed?size=${size}`);
    this.add(...ODD);
    await this.addLinks(['/', '/sites', '/receivers', '/antennas', '/network', '/compare', '/api', ...operations.map(({ path }) => path)]);
    const generator = new RequestGenerator(this.contract, this.known);
    for (let number = 0; number < GENERATED; number++) {
      const { pathname, search } = new URL(generator.target(randomOf(1, 'same-answers', number)), BASE);
      this.add(pathname + search);
    }
    return [...this.asks.values()];
  }

  private add(...targets: string[]): void {
    for (const target of targets) {
      this.asks.set(target, { target });
      const accepts = target.includes('?')
        ? []
        : /^\/profile\//.test(target)
          ? ['application/alps+json', 'application/schema+json']
          : /^\/siteLogs\/\d+$/.test(target)
            ? ['application/xml', 'text/plain']
            : /^\/\w*$|^\/sites\/\w+$/.test(target)
              ? [PAGE]
              : [];
      for (const accept of accepts) this.asks.set(`${target} ${accept}`, { target, accept });
    }
  }

  private async json(target: string): Promise<Json> {
    const { status, body } = await this.client.get({ target });
    return status === 200 && body.startsWith('{') ? (JSON.parse(body) as Json) : {};
  }

  /** The ids of the elements of a collection, and some that it has not. */
  private async idsIn(collection: string): Promise<string[]> {
    const isOgc = collection.startsWith('/ogc/');
    const text = JSON.stringify(await this.json(`${collection}?${isOgc ? 'limit' : 'size'}=${LARGEST}`));
    const found = [
      ...text.matchAll(isOgc ? /"type":"Feature","id":"?(\d+)/g : new RegExp(`"self":{"href":"[^"]*${collection}/(\\d+)"`, 'g')),
    ];
    const ids = new Set(found.map(([, id]) => Number(id)));
    const last = Math.max(0, ...ids);
    const missing = Array.from({ length: last }, (_, index) => index + 1).filter((id) => !ids.has(id));
    return [...spread([...ids], this.most), ...spread(missing, 8), last + 1].map(String);
  }

  /** Values that suit a parameter. */
  private valuesOf({ name, schema, isTime, example }: Parameter, { path }: Operation): string[] {
    const item = itemOf(schema);
    if (typeof item.pattern === 'string' && name === 'sort')
      return /\(([^()]+)\)/
        .exec(item.pattern)![1]!
        .replaceAll('\\', '')
        .split('|')
        .flatMap((each) => [each, `${each},desc`]);
    const constants = [item, ...(Array.isArray(item.anyOf) ? (item.anyOf as (typeof item)[]) : [])].flatMap((each) => each.const ?? []);
    if (constants.length > 0) return constants.map(String);
    if (name in VALUES) return VALUES[name]!;
    if (typeof item.pattern === 'string' && item.pattern.includes('{4}')) return spread(this.siteIds(), 6);
    if (item.type === 'boolean') return ['true', 'false'];
    if (name === 'file') return this.siteIds().map((id) => `${id}.skl`);
    if (name === 'name' && path.startsWith('/schemas')) return [...this.contract.schemaFiles.keys()];
    if (isTime) return INSTANTS;
    if (item.type === 'integer') return ['1', '5', '999999'];
    const values = spread(this.known.of(name), 2);
    return [...values, ...(example === undefined ? [] : [String(example)]), ...(name === 'type' ? ['LEI*', 'TRM*', '*'] : [])];
  }

  private siteIds(): string[] {
    const ids = [...this.known.of('fourCharacterId'), ...this.known.of('nineCharacterId')];
    return [...spread(ids, this.most), 'NONE', 'alic', 'DDDD', 'DDDD00AUS', 'CCCC', 'CCCC00CAN', 'SAME', 'O003', 'O005'];
  }

  /** Each parameter with each value, pages, and combinations; and all elements or Sites that an operation is about. */
  private async addOperation(operation: Operation): Promise<void> {
    const { path, parameters, paged } = operation;
    const template = /\{(\w+)\}/.exec(path)?.[1];
    const values = (parameter: Parameter): string[] => this.valuesOf(parameter, operation);
    const optional = parameters.filter((each) => !each.required);
    const required = parameters.filter((each) => each.required && each.name !== template);
    const elements =
      template === undefined ? [''] : template === 'id' ? await this.idsIn(path.slice(0, path.indexOf('/{'))) : values(parameters[0]!);
    const about = required.find(({ name, schema }) => name === 'id' && schema.type === 'string');
    const subjects = about === undefined ? elements : this.siteIds();
    const others = required.filter((each) => each !== about);
    const bases = subjects.flatMap((subject, index) => {
      const filled = path.replace(/\{\w+\}/, encodeURIComponent(subject));
      const rounds = Math.max(1, ...others.map((each) => Math.min(2, values(each).length)));
      return Array.from({ length: template === undefined ? rounds : 1 }, (_, round) => {
        const fixed = others.map((each) => pair(each.name, values(each)[(index + round) % values(each).length]!));
        return `${filled}?${[...(about === undefined ? [] : [pair('id', subject)]), ...fixed].join('&')}`.replace(/\?$/, '');
      });
    });
    const extend = (base: string, ...more: string[]): string => base + (base.includes('?') ? '&' : '?') + more.join('&');
    this.add(...bases);
    // The same filters are in three formats.
    const few = spread(bases, path.startsWith('/exports/') ? 1 : 3);
    for (const base of few) this.add(...optional.flatMap((each) => values(each).map((value) => extend(base, pair(each.name, value)))));
    const forms = optional.filter(({ name }) => ['projection', 'asOf', 'format'].includes(name));
    const extras = forms.flatMap((each) => values(each).map((value) => pair(each.name, value)));
    // Two of them in turn.
    for (const [index, base] of bases.entries()) {
      const chosen = [0, 1].map((next) => extras[(2 * index + next) % extras.length] ?? '');
      if (extras.length > 0) this.add(...chosen.map((each) => extend(base, each)));
    }
    for (let number = 0; number < COMBINATIONS && optional.length > 1; number++) {
      const random = randomOf(1, path, number);
      const chosen = new Set([random.pick(optional), random.pick(optional), random.pick(optional)]);
      const usable = [...chosen].filter((each) => values(each).length > 0);
      this.add(extend(random.pick(few), ...usable.map((each) => pair(each.name, random.pick(values(each))))));
    }
    if (paged) for (const base of few.slice(0, 2)) await this.addPages(base, extend);
  }

  /** Pages at the beginning, in the middle, at the end and after it. */
  private async addPages(base: string, extend: (base: string, ...more: string[]) => string): Promise<void> {
    const body = (await this.json(extend(base, 'size=5'))) as { page?: { totalPages?: number } };
    const total = body.page?.totalPages ?? 0;
    for (const page of new Set([0, 1, Math.floor(total / 2), total - 1, total]))
      if (page >= 0) this.add(extend(base, 'size=5', `page=${page}`));
  }

  /** All pages of the feed. */
  private async addFeed(first: string): Promise<void> {
    for (let target: string | undefined = first, count = 0; target !== undefined && count < this.most; count++) {
      if (this.asks.has(target) && count > 0) return;
      this.add(target, target.replace('/feed', '/feed.atom'));
      const { _links } = (await this.json(target)) as { _links?: { next?: { href: string } } };
      target = _links?.next?.href.replace(BASE, '');
    }
  }

  /** Follows links, some of each kind. */
  private async addLinks(queue: string[]): Promise<void> {
    const counts = new Map<string, number>();
    const seen = new Set(queue);
    for (let next = 0; next < queue.length; next++) {
      const target = queue[next]!;
      if (target.includes('{')) continue;
      this.add(target);
      const { body } = await this.client.get({ target, accept: target.includes('?') ? '*/*' : PAGE });
      for (const [, href] of body.matchAll(/"?\bhref"?[=:]"([^"#{]+)"/g)) {
        const { origin, pathname, search } = new URL(href!.replaceAll('&amp;', '&'), BASE + target);
        const link = pathname + search;
        const count = counts.get(kindOf(link)) ?? 0;
        if (origin !== BASE || seen.has(link) || count >= this.most / 10) continue;
        counts.set(kindOf(link), count + 1);
        seen.add(link);
        queue.push(link);
      }
    }
  }
}
