import type { Static } from '@sinclair/typebox';
import {
  CORS_SITES,
  SITE_LOGS,
  SiteFinding,
  SiteFindingCollection,
} from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { renderFindingsPage } from '../../web/findings-page.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { requestTo, siteFilterOf } from '../filters.js';
import { itemLink, pageOf, pagingOf, writeInTurns } from '../hal.js';
import { type App, sendText } from '../operations.js';
import { findingsParameters, only, recordTimeOf } from '../parameters.js';
import { prefersPage } from '../wire/accept.js';

const FindingsQuery = only(findingsParameters);

type Query = Static<typeof FindingsQuery>;

/** How many findings, and how many Sites, a page for people shows. */
const [ROWS, MOST_SITES] = [100, 20];

/** The findings that a query asks for. @throws {ProblemError} if a parameter is malformed, or an id identifies no Site */
const find = async (store: Store, base: string, query: Query) =>
  store.findings.findPage({
    sites: await siteFilterOf(store, requestTo(base, PATHS.findings), query),
    codes: query.code ?? null,
    levels: query.level ?? null,
    recordedSince: recordTimeOf('recordedSince', query.recordedSince),
    ...pagingOf(query),
  });

/** The page for people. */
async function findingsPage(
  store: Store,
  base: string,
  { size: rows = ROWS, ...query }: Query,
  isFileShown: boolean,
): Promise<string> {
  const { page, size } = pagingOf({ ...query, size: rows });
  const found = await find(store, base, { ...query, size });
  const [codes, sites] = [
    await store.findings.countByCode(),
    await store.findings.countBySite(MOST_SITES),
  ];
  return renderFindingsPage({ query, page, size, found, codes, sites, isFileShown });
}

/** Adds what was found in the current site logs. @param publishContacts whether pages show files as they were imported */
export function addFindings(app: App, store: Store, publishContacts: boolean): void {
  app.get(PATHS.findings, {
    schema: { querystring: FindingsQuery, response: { 200: SiteFindingCollection } },
    config: {
      page: 'if-preferred',
      operationId: 'listFindings',
      tag: 'siteLogs',
      summary: 'The findings in the current site logs, by Site and line.',
      description: 'Values about contacts are never quoted.',
      example: { query: { site: 'ALIC', size: '1' } },
    },
    handler: async ({ query, baseUrl: base, headers }, reply) => {
      if (prefersPage(headers.accept)) {
        return sendText(
          reply,
          HTML_MEDIA_TYPE,
          await findingsPage(store, base, query, publishContacts),
        );
      }
      const { elements, totalElements } = await find(store, base, query);
      const { links, page } = pageOf(
        base,
        PATHS.findings,
        query,
        totalElements,
        href(base, PATHS.findings, { query }),
      );
      const findings = await writeInTurns(SiteFinding, elements, (finding) => ({
        ...finding,
        _links: {
          corsSite: itemLink(base, CORS_SITES, finding.siteId),
          siteLog: itemLink(base, SITE_LOGS, finding.siteLogId),
        },
      }));
      return { _embedded: { findings }, _links: links, page };
    },
  });
}
