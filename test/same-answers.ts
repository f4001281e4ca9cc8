import type { FastifyInstance } from 'fastify';
import { Contract } from './campaigns/contract.js';
import { randomOf } from './campaigns/random.js';
import { RequestGenerator } from './campaigns/requests.js';
import { KnownValues } from './campaigns/values.js';
import { buildApp } from '../src/http/app.js';
import { openReader } from '../src/store/open.js';
import type { Store } from '../src/store/store.js';
import { CONTRACT, PATIENCE } from './project-files.js';

/** Both apps believe that it is this time, since pages show how much has passed. */
const NOW = new Date('2026-01-01T00:00:00Z');
/** Where the links of both apps lead. */
const BASE = 'http://gnss.example';

/** What is asked of both. */
export interface Effort {
  /** The most links that are followed. */
  links: number;
  /** How many requests are generated from the OpenAPI document. */
  requests: number;
}

/** An app over a store, without a cache. */
export const appOver = (store: Store, publishContacts = false): Promise<FastifyInstance> =>
  buildApp({
    store,
    contractFolder: CONTRACT,
    patience: PATIENCE,
    baseUrl: BASE,
    clock: () => NOW,
    cacheMegabytes: 0,
    publishContacts,
  });

/** An answer without the state of the engine, which differs. */
const comparable = (target: string, body: string): string =>
  target === '/ready'
    ? body.replace(/"migration":\d+/, '').replace(/,"servers":\[[^\]]*\]/, '')
    : body;

async function answerOf(
  app: FastifyInstance,
  target: string,
): Promise<{ text: string; body: string; status: number }> {
  const { statusCode, headers, body } = await app.inject({ url: target });
  const { date: _, ...fields } = headers;
  if (target === '/ready') delete fields['content-length'];
  return {
    text: `${statusCode} ${JSON.stringify(fields)} ${comparable(target, body)}`,
    body,
    status: statusCode,
  };
}

/** The links in a body: of the HAL members and of the HTML. */
function linksIn(target: string, body: string): string[] {
  const hrefs = [
    ...body.matchAll(/"href":"([^"{]+)["{]/g),
    ...body.matchAll(/href="([^"#]+)"/g),
  ].map(([, href]) => href!.replaceAll('&amp;', '&'));
  return hrefs
    .map((href) => new URL(href, BASE + target))
    .filter(({ origin }) => origin === BASE)
    .map(({ pathname, search }) => pathname + search);
}

/** Two services that should give the same answers. */
export class SameAnswers {
  /** The targets whose answers differed, each with both. */
  readonly differences: string[] = [];
  /** How many answers there were, by status. */
  readonly statuses = new Map<number, number>();
  private readonly known = new KnownValues();

  constructor(
    private readonly one: FastifyInstance,
    private readonly other: FastifyInstance,
  ) {}

  /** How many answers were compared. */
  get compared(): number {
    return [...this.statuses.values()].reduce((sum, number) => sum + number, 0);
  }

  /**
   * Asks both for everything: what the OpenAPI document describes, what is linked, and generated
   * requests.
   */
  async compareAll({ links, requests }: Effort): Promise<void> {
    const contract = new Contract();
    await this.followLinks(links, contract);
    const generator = new RequestGenerator(contract, this.known);
    for (let number = 0; number < requests; number++) {
      // The HTTP client of the tests cannot send everything that a socket can.
      const { pathname, search } = new URL(
        generator.target(randomOf(1, 'same-answers', number)),
        BASE,
      );
      await this.compare(pathname + search);
    }
  }

  /** Asks both for one target. @returns the body */
  async compare(target: string): Promise<string> {
    const one = await answerOf(this.one, target);
    const other = await answerOf(this.other, target);
    this.statuses.set(one.status, (this.statuses.get(one.status) ?? 0) + 1);
    if (one.text !== other.text)
      this.differences.push(`${target}\n${firstDifference(one.text, other.text)}`);
    return one.body;
  }

  /** Follows links from the paths of the OpenAPI document and the pages, each once. */
  private async followLinks(most: number, { operations }: Contract): Promise<void> {
    const paths = operations.map(({ path }) => path).filter((path) => !path.includes('{'));
    const queue = [
      '/',
      '/sites',
      ...paths,
      ...paths.flatMap((path) => [`${path}?size=1000`, `${path}?size=7&page=3`]),
    ];
    const seen = new Set(queue);
    for (let next = 0; next < queue.length && next < most; next++) {
      const target = queue[next]!;
      const body = await this.compare(target);
      // Not the lines of NDJSON.
      if (body.startsWith('{') && !target.includes('.ndjson')) this.known.collect(JSON.parse(body));
      for (const link of linksIn(target, body)) {
        if (!seen.has(link)) queue.push(link);
        seen.add(link);
      }
    }
  }
}

/** Where two texts begin to differ. */
function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 120);
  return `  ${around(one)}\n  ${around(other)}`;
}

/** The targets at which the answers of two databases differ, and how many answers were compared. */
export async function compareDatabases(
  databases: [one: string, other: string],
  effort: Effort,
): Promise<Pick<SameAnswers, 'differences' | 'compared'>> {
  const stores = await Promise.all(databases.map((database) => openReader(database)));
  const [one, other] = await Promise.all(stores.map((store) => appOver(store)));
  const same = new SameAnswers(one!, other!);
  await same.compareAll(effort);
  for (const opened of [one!, other!, ...stores]) await opened.close();
  return same;
}
