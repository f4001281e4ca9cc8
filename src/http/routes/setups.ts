import * as Type from '@sinclair/typebox';
import {
  asOfFilter,
  pagingParameters,
  projectionParameter,
  SETUPS,
  SetupTypeParameter,
  SiteIdParameter,
} from '../../../schemas/index.js';
import { storeFor } from '../../exports/as-of.js';
import { siteFilterOf } from '../../exports/filters.js';
import { onlyParameters, periodOf, recordTimeOf } from '../../exports/parameters.js';
import { sortOf } from '../../exports/sorting.js';
import { href, searchPathOf } from '../../links.js';
import { DEFAULT_PATTERN, PATTERN_FORMS } from '../../requests/date-pattern.js';
import { INSTANT_FORMS } from '../../requests/instant.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { Found } from '../../store/page.js';
import type { SetupRecord } from '../../store/read/setups/records.js';
import type { Store } from '../../store/store.js';
import { addCollection } from '../contract/collection-routes.js';
import { type ListQuery, pageBody, setupResource } from '../contract/hal.js';
import { ofKnownSite } from '../contract/known-site.js';
import type { App } from '../contract/operations.js';
import { pagingOf, type RequestedPage } from '../contract/paging.js';

const boundParameter = (bound: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        `The ${bound}, in the pattern of timeFormat. ` + `Without timeFormat: ${INSTANT_FORMS}.`,
    }),
  );

const PeriodQuery = onlyParameters({
  id: SiteIdParameter,
  effectiveFrom: boundParameter('start of the period, inclusive'),
  effectiveTo: boundParameter('end of the period, exclusive'),
  timeFormat: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        `The form of effectiveFrom and effectiveTo: ${PATTERN_FORMS}. ` +
        `Default: ${DEFAULT_PATTERN}.`,
    }),
  ),
  type: SetupTypeParameter,
  ...asOfFilter,
  ...pagingParameters(SETUPS),
  ...projectionParameter(SETUPS),
});

const SiteNumberQuery = onlyParameters({
  siteId: Type.Integer({ minimum: 1, description: 'The number that identifies the Site.' }),
  ...asOfFilter,
  ...pagingParameters(SETUPS),
  ...projectionParameter(SETUPS),
});

/** Leaves out superseded Setups. */
const VALID = { property: 'invalidated', values: [false] };
const CHRONOLOGICAL = ['effectivePeriod.from'];

/**
 * Adds the collection of all Setups, and the searches for the Setups of one Site.
 * @param clock the current time
 * @param publishContacts as of `setupResource`
 */
export function addSetups(
  app: App,
  store: Store,
  clock: () => Date,
  publishContacts: boolean,
): void {
  const toResources = (base: string) => (setup: SetupRecord) =>
    setupResource(base, setup, publishContacts);
  const pageOf = (
    base: string,
    path: string,
    query: ListQuery,
    paging: RequestedPage,
    found: Found<SetupRecord>,
  ) => {
    const elements = found.elements.map(toResources(base));
    return pageBody(base, SETUPS, path, query, { paging, found, elements });
  };

  const ofPeriod = searchPathOf(SETUPS, 'findByFourCharacterId');
  app.get(ofPeriod, {
    schema: { querystring: PeriodQuery, response: { 200: SETUPS.page } },
    config: {
      operationId: 'findSetupsByFourCharacterId',
      summary: 'The Setups of a Site that overlap a period, in chronological order.',
      description:
        'The period is half-open, like those of the Setups. ' +
        'Either bound may be left out. Equal bounds stand for that instant.',
      problems: ['not-recorded'],
      example: {
        query: { id: 'ALIC', effectiveFrom: '2011-12-12', effectiveTo: '2014-12-12', size: '1' },
      },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const {
        id,
        effectiveFrom: from,
        effectiveTo: to,
        timeFormat: pattern,
        sort = CHRONOLOGICAL,
        projection = null,
      } = query;
      const overlaps = periodOf({ names: ['effectiveFrom', 'effectiveTo'], from, to, pattern });
      const paging = pagingOf(request);
      const search = { filters: [VALID], sort: sortOf(sort), ...paging, overlaps, projection };
      const urlOf = (other: string) => href(baseUrl, ofPeriod, { query: { ...query, id: other } });
      const asked = await storeFor(store, query, clock());
      const found = await asked.setups.findPageOfSite(parseSiteId(id), search);
      return pageOf(baseUrl, ofPeriod, query, paging, ofKnownSite(found, id, urlOf, asked.asOf));
    },
  });
  const ofNumber = searchPathOf(SETUPS, 'findBySiteId');
  app.get(ofNumber, {
    schema: { querystring: SiteNumberQuery, response: { 200: SETUPS.page } },
    config: {
      operationId: 'findSetupsBySiteId',
      summary: 'The Setups of a Site, in chronological order.',
      description: 'Superseded Setups are left out; /setups?siteId= includes them.',
      problems: ['not-recorded'],
      example: { query: { siteId: '1', size: '1' } },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const { siteId, sort = CHRONOLOGICAL, projection = null } = query;
      const filters = [{ property: 'siteId', values: [siteId] }, VALID];
      const paging = pagingOf(request);
      const search = { filters, sort: sortOf(sort), ...paging, projection };
      const asked = await storeFor(store, query, clock());
      const found = await asked.setups.findPage(search);
      return pageOf(baseUrl, ofNumber, query, paging, found);
    },
  });
  addCollection(app, SETUPS, {
    findPage: async (search, { recordedSince, ...query }) => {
      const asked = await storeFor(store, query, clock());
      const sites = await siteFilterOf(asked, query);
      return asked.setups.findPage({
        ...search,
        sites,
        recordedSince: recordTimeOf('recordedSince', recordedSince),
      });
    },
    findById: (id, projection) => store.setups.findById(id, projection),
    toResources,
    listProblems: ['not-recorded'],
    exampleSort: 'effectivePeriod.from,desc',
  });
}
