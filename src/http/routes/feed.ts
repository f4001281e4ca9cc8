import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { CORS_SITES, Feed, FeedEntry, SETUPS } from '../../../schemas/index.js';
import { changeFilterOf } from '../../exports/filters.js';
import { feedParameters, onlyParameters } from '../../exports/parameters.js';
import { href, PATHS } from '../../links.js';
import type { FeedPage, FeedRecord } from '../../store/read/feed.js';
import type { FeedSetup } from '../../derive/feed.js';
import type { Store } from '../../store/store.js';
import { itemLink, publishedHash } from '../contract/hal.js';
import { type App, Content } from '../contract/operations.js';
import { pageSizeOf } from '../contract/paging.js';
import { ProblemError } from '../wire/problems.js';

/** The media type of Atom (RFC 4287). */
const ATOM_MEDIA_TYPE = 'application/atom+xml;charset=UTF-8';

const FeedQuery = onlyParameters(feedParameters);
const EntryParameters = onlyParameters({
  cursor: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,60}$',
    description: 'The id of the entry, which is also the cursor for what comes after it.',
  }),
});
type Query = Static<typeof FeedQuery>;

const ORDER =
  'Entries are in the order of recording. Each import or correction that changed what is ' +
  'published has one; the others have none. To follow the feed, ask for next again and again: ' +
  'no entry is left out, and none comes twice. A client that reads every entry once, drops the ' +
  'superseded Setups and adds the others has exactly the Setups that are on record.';

/**
 * The entries that a query asks for.
 * @throws {RequestRefused} if a parameter is malformed, or an id identifies no Site
 * @throws {ProblemError} if its cursor is not one of this database
 */
async function pageOf(
  store: Store,
  query: Query,
  size: number,
  isNewest = false,
): Promise<FeedPage> {
  const { after } = query;
  const filter = await changeFilterOf(store, query);
  const search = { ...filter, cursor: after ?? null, size };
  const found = await (isNewest ? store.feed.findNewest(search) : store.feed.findAfter(search));
  if (found !== undefined) return found;
  const detail =
    `No entry of this feed has the cursor ${after}; the database may have been replaced. ` +
    'Read the Sites and Setups again, and follow the feed from its link "last".';
  throw new ProblemError('unknown-cursor', detail);
}

/** The URL of what comes after a cursor; of everything, if there is none. */
const urlAfter = (base: string, path: string, query: Query, cursor: string | null): string =>
  href(base, path, { query: { ...query, after: cursor ?? undefined } });

/** The URL of the page of the Site of an entry. */
const pageUrl = (base: string, { shortestId }: FeedRecord): string =>
  href(base, PATHS.site, { site: shortestId });

function entryResource(base: string, publishContacts: boolean, entry: FeedRecord): FeedEntry {
  const { cursor, site, siteLog, setups } = entry;
  const linked = (setup: FeedSetup) => ({
    ...setup,
    _links: { setup: itemLink(base, SETUPS, setup.id) },
  });
  return {
    ...entry,
    id: cursor,
    siteLog: { ...siteLog, sha256: publishedHash(siteLog.sha256, publishContacts) },
    setups: { added: setups.added.map(linked), superseded: setups.superseded.map(linked) },
    _links: {
      self: { href: href(base, PATHS.feedEntry, { cursor }) },
      corsSite: itemLink(base, CORS_SITES, site.id),
      alternate: { href: pageUrl(base, entry), type: 'text/html' },
    },
  };
}

/** Adds the feed of what imports and corrections changed, as JSON and as Atom. */
export function addFeed(app: App, store: Store, publishContacts: boolean): void {
  app.get(PATHS.feed, {
    schema: { querystring: FeedQuery, response: { 200: Feed } },
    config: {
      operationId: 'getFeed',
      summary: 'What imports and corrections changed, in the order of recording.',
      description: ORDER,
      problems: ['unknown-cursor'],
      example: { query: { site: 'NAMA', size: '1' } },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const size = pageSizeOf(request, 'size');
      const { entries, next, last } = await pageOf(store, query, size);
      return {
        _embedded: {
          entries: entries.map((entry) => entryResource(baseUrl, publishContacts, entry)),
        },
        _links: {
          self: { href: href(baseUrl, PATHS.feed, { query }) },
          next: { href: urlAfter(baseUrl, PATHS.feed, query, next) },
          last: { href: urlAfter(baseUrl, PATHS.feed, query, last) },
        },
      };
    },
  });
  app.get(PATHS.feedEntry, {
    schema: { params: EntryParameters, response: { 200: FeedEntry } },
    config: {
      operationId: 'getFeedEntry',
      summary: 'One entry of the feed, by its id.',
      example: { parameters: { cursor: 'Ni4xNzk3Njg0NTk4' } },
    },
    handler: async ({ params: { cursor }, baseUrl }) => {
      const entry = await store.feed.findOne(cursor);
      if (entry === undefined)
        throw new ProblemError('not-found', `No entry of this feed has the id ${cursor}.`);
      return entryResource(baseUrl, publishContacts, entry);
    },
  });
  app.get(PATHS.atomFeed, {
    schema: { querystring: FeedQuery },
    config: {
      mediaType: ATOM_MEDIA_TYPE,
      operationId: 'getAtomFeed',
      summary: 'The feed as Atom (RFC 4287).',
      description:
        'Without after and recordedSince, the newest entries, the newest first. ' +
        'With one of them, the same entries as /feed, and a link to the next ones.',
      problems: ['unknown-cursor'],
      example: { query: { site: 'NAMA', size: '1' } },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const isNewest = (query.after ?? query.recordedSince) === undefined;
      const size = pageSizeOf(request, 'size');
      const found = await pageOf(store, query, size, isNewest);
      const { entries, next } = found;
      const atom = {
        self: href(baseUrl, PATHS.atomFeed, { query }),
        next: isNewest ? null : urlAfter(baseUrl, PATHS.atomFeed, query, next),
        alternate: href(baseUrl, PATHS.feed, { query }),
        entries: entries.map((entry) => ({
          ...entry,
          page: pageUrl(baseUrl, entry),
          resource: itemLink(baseUrl, CORS_SITES, entry.site.id).href,
        })),
      };
      const { renderAtom } = await import('../../formats/atom.js');
      return new Content(ATOM_MEDIA_TYPE, renderAtom(atom));
    },
  });
}
