import type { Static } from '@sinclair/typebox';
import { CORS_SITES, DEFAULT_PAGE_SIZE, Feed, type FeedEntry, MOST_ENTRIES, SETUPS } from '../../../schemas/index.js';
import { ATOM_MEDIA_TYPE, renderAtom } from '../../formats/atom.js';
import { href, PATHS } from '../../links.js';
import type { FeedPage, FeedRecord } from '../../store/read/feed.js';
import type { FeedSetup } from '../../store/read/feed.js';
import type { Store } from '../../store/store.js';
import { itemLink } from '../hal.js';
import { type App, sendText } from '../operations.js';
import { feedParameters, only } from '../parameters.js';
import { ProblemError } from '../wire/problems.js';

const FeedQuery = only(feedParameters);
type Query = Static<typeof FeedQuery>;

const ORDER =
  'Entries are in the order of recording. Each import or correction that changed what is published has one; the others have none. ' +
  'To follow the feed, ask for next again and again: no entry is left out, and none comes twice. ' +
  'A client that reads every entry once, drops the superseded Setups and adds the others has exactly the Setups that are on record.';

const sizeOf = ({ size = DEFAULT_PAGE_SIZE }: Query): number => Math.min(size, MOST_ENTRIES);

/** Returns the entries after the cursor of a query. @throws {ProblemError} if it is not one of this database */
async function pageAfter(store: Store, query: Query): Promise<FeedPage> {
  const found = await store.feed.findAfter(query.after ?? null, sizeOf(query));
  if (found !== undefined) return found;
  const detail = `No entry of this feed has the cursor ${query.after}; the database may have been replaced. Read the Sites and Setups again, and follow the feed from its link "last".`;
  throw new ProblemError('unknown-cursor', detail);
}

/** The URL of what comes after a cursor; of everything, if there is none. */
const urlAfter = (base: string, path: string, cursor: string | null, { size }: Query): string =>
  href(base, path, { query: { after: cursor ?? undefined, size } });

function entryResource(base: string, { cursor, kind, recordedAt, effectiveFrom, site, siteLog, ...content }: FeedRecord): FeedEntry {
  const linked = ({ id, effectivePeriod }: FeedSetup) => ({ id, effectivePeriod, _links: { setup: itemLink(base, SETUPS, id) } });
  const { isNew, siteChanged, setups, changes } = content;
  return {
    ...{ id: cursor, kind, recordedAt, effectiveFrom, site, siteLog, isNew, siteChanged },
    setups: { added: setups.added.map(linked), superseded: setups.superseded.map(linked) },
    changes,
    _links: { corsSite: itemLink(base, CORS_SITES, site.id) },
  };
}

/** Adds the feed of what imports and corrections changed, as JSON and as Atom. */
export function addFeed(app: App, store: Store): void {
  app.get(
    PATHS.feed,
    {
      schema: { querystring: FeedQuery, response: { 200: Feed } },
      config: {
        operation: {
          operationId: 'getFeed',
          tag: 'feed',
          summary: 'What imports and corrections changed, in the order of recording.',
          description: ORDER,
          problems: ['unknown-cursor'],
          example: { query: { size: '1' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { entries, next, last } = await pageAfter(store, query);
      return {
        _embedded: { entries: entries.map((entry) => entryResource(baseUrl, entry)) },
        _links: {
          self: { href: href(baseUrl, PATHS.feed, { query }) },
          next: { href: urlAfter(baseUrl, PATHS.feed, next, query) },
          last: { href: urlAfter(baseUrl, PATHS.feed, last, query) },
        },
      };
    },
  );
  app.get(
    PATHS.atomFeed,
    {
      schema: { querystring: FeedQuery },
      config: {
        mediaType: ATOM_MEDIA_TYPE,
        operation: {
          operationId: 'getAtomFeed',
          tag: 'feed',
          summary: 'The feed as Atom (RFC 4287).',
          description:
            'Without after, the newest entries, the newest first. With after, the same entries as /feed, and a link to the next ones.',
          problems: ['unknown-cursor'],
          example: { query: { size: '1' } },
        },
      },
    },
    async ({ query, baseUrl }, reply) => {
      const isNewest = query.after === undefined;
      const { entries, next } = isNewest ? await store.feed.findNewest(sizeOf(query)) : await pageAfter(store, query);
      const atom = {
        self: href(baseUrl, PATHS.atomFeed, { query }),
        next: isNewest ? null : urlAfter(baseUrl, PATHS.atomFeed, next, query),
        alternate: href(baseUrl, PATHS.feed, { query }),
        entries: entries.map((entry) => ({ ...entry, href: itemLink(baseUrl, CORS_SITES, entry.site.id).href })),
      };
      return sendText(reply, ATOM_MEDIA_TYPE, renderAtom(atom));
    },
  );
}
