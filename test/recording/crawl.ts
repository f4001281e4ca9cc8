import { createHash } from 'node:crypto';
import { Client, type Request } from './http.js';
import { kindOf, requestsIn } from './links.js';
import type { Recorder } from './recording.js';

/** How a request is named in a recording. */
function keyOf({ url, as, method = 'GET', headers = {} }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
  return `${method} ${url}${as === 'page' ? ' (page)' : ''}${fields.join('')}`;
}

const groupOf = ({ url, as, method = 'GET' }: Request): string =>
  `${method === 'GET' ? '' : `${method} `}${kindOf(url)}${as === 'page' ? ' (page)' : ''}`;

/** Orders requests without regard to where they were found. */
const rankOf = (request: Request): string =>
  createHash('sha256').update(keyOf(request)).digest('hex');

export interface Limits {
  /** How many links of one kind are followed. */
  ofKind: number;
  /** How many answers are recorded in all, besides those to the seeds. */
  links: number;
}

/**
 * Records the answers to requests, and to the links in them, breadth first. Of the links of a kind
 * that one step finds, those with the smallest hash are followed, so a link more or less changes
 * little about which others are.
 * @param seeds requests that are recorded in any case
 */
export async function crawl(
  client: Client,
  recorder: Recorder,
  seeds: readonly Request[],
  { ofKind, links }: Limits,
): Promise<void> {
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const isNew = (request: Request): boolean => {
    const size = known.size;
    return known.add(keyOf(request)).size > size;
  };
  let followed = 0;
  let step = seeds.filter(isNew);
  while (step.length > 0) {
    const found: Request[] = [];
    for (const request of step) {
      const answer = await client.ask(request);
      await recorder.add({
        key: keyOf(request),
        kind: groupOf(request),
        status: answer.status,
        headers: answer.headers,
        parts: { body: recorder.part(answer.body) },
      });
      if (request.method === undefined && answer.status < 400)
        found.push(...requestsIn(request, answer));
    }
    const ranked = found
      .filter(isNew)
      .map((request) => ({ request, rank: rankOf(request) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    step = [];
    for (const { request } of ranked) {
      const group = groupOf(request);
      const count = counts.get(group) ?? 0;
      if (count >= ofKind || followed >= links) continue;
      counts.set(group, count + 1);
      followed++;
      step.push(request);
    }
  }
}
