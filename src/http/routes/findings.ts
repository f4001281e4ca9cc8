import { CORS_SITES, SITE_LOGS, SiteFinding, SiteFindingCollection } from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { requestTo, siteFilterOf } from '../filters.js';
import { itemLink, pageOf, pagingOf, writeInTurns } from '../hal.js';
import { SITE_PROBLEMS } from '../known-site.js';
import type { App } from '../operations.js';
import { findingsParameters, only, recordTimeOf } from '../parameters.js';

const FindingsQuery = only(findingsParameters);

/** Adds what was found in the current site logs. */
export function addFindings(app: App, store: Store): void {
  app.get(
    PATHS.findings,
    {
      schema: { querystring: FindingsQuery, response: { 200: SiteFindingCollection } },
      config: {
        operation: {
          operationId: 'listFindings',
          tag: 'siteLogs',
          summary: 'What was found in the current site logs, by Site and line.',
          description: 'Values about contacts are never quoted.',
          problems: [...SITE_PROBLEMS],
          example: { query: { site: 'ALIC', size: '1' } },
        },
      },
    },
    async ({ query, baseUrl: base }) => {
      const { elements, totalElements } = await store.findings.findPage({
        sites: await siteFilterOf(store, requestTo(base, PATHS.findings), query),
        codes: query.code ?? null,
        levels: query.level ?? null,
        recordedSince: recordTimeOf('recordedSince', query.recordedSince),
        ...pagingOf(query),
      });
      const { links, page } = pageOf(base, PATHS.findings, query, totalElements, href(base, PATHS.findings, { query }));
      const findings = await writeInTurns(SiteFinding, elements, (finding) => ({
        ...finding,
        _links: { corsSite: itemLink(base, CORS_SITES, finding.siteId), siteLog: itemLink(base, SITE_LOGS, finding.siteLogId) },
      }));
      return { _embedded: { findings }, _links: links, page };
    },
  );
}
