import type { Static } from '@sinclair/typebox';
import {
  asOfFilter,
  isSiteId,
  projectionParameter,
  SETUPS,
  SetupList,
  type SetupResource,
  SetupTypeParameter,
  SiteIdParameter,
  SiteIdsParameter,
} from '../../../schemas/index.js';
import { asOfTime } from '../../exports/as-of.js';
import { AtParameter, instantOf, onlyParameters } from '../../exports/parameters.js';
import { href, searchPathOf } from '../../links.js';
import { parseSiteId, siteIdText } from '../../requests/site-id.js';
import type { Sendable } from '../../serializers/json-text.js';
import { after, type Soon } from '../../store/database.js';
import type { LookupProjection } from '../../store/read/setups/records.js';
import type { SetupAnswer, SetupSearch } from '../../store/read/setups/setups.js';
import type { Store } from '../../store/store.js';
import { setupResource } from '../contract/hal.js';
import type { App } from '../contract/operations.js';
import {
  notRecorded,
  ProblemError,
  type ProblemKind,
  problemType,
  siteProblem,
  type UrlOfSite,
} from '../wire/problems.js';

const CURRENT =
  'The Setup that has no end. Its equipmentInUse is empty if all equipment has been removed.';
const AT =
  'Periods are half-open: at an instant of change the newer Setup applies. ' +
  'From the first Setup on, exactly one applies at any instant. ' +
  'During a gap of at most a day without a receiver or an antenna, gaps lists it.';
const MANY =
  'Each Setup names its Site, as with projection=site. ' +
  'Ids without a Setup are listed in notFound. ' +
  'All Setups are read from one state of the database.';

/** The problems of a lookup of the Setup of one Site, besides those of its id. */
const NO_SETUP: ProblemKind[] = ['no-current-setup', 'not-recorded'];

const lookupParameters = {
  ...asOfFilter,
  type: SetupTypeParameter,
  ...projectionParameter(SETUPS),
};
const OneQuery = onlyParameters({ id: SiteIdParameter, ...lookupParameters });
const OneAtQuery = onlyParameters({ id: SiteIdParameter, at: AtParameter, ...lookupParameters });
const ManyQuery = onlyParameters({ id: SiteIdsParameter, ...lookupParameters });
const ManyAtQuery = onlyParameters({ id: SiteIdsParameter, at: AtParameter, ...lookupParameters });

/**
 * What a query looks up: the Setups at an instant, or the current ones if it has none.
 * @param clock the current time
 */
function searchOf(
  store: Store,
  query: { at?: string; asOf?: string; projection?: LookupProjection & string },
  clock: () => Date,
): Soon<SetupSearch> {
  const at = query.at === undefined ? null : instantOf('at', query.at);
  // With asOf, an answer has the same members, however long ago that is.
  const showsGaps = at !== null && query.asOf === undefined;
  const projection: LookupProjection = query.projection ?? (showsGaps ? 'gaps-if-any' : null);
  if (query.asOf === undefined) return { at, asOf: null, projection };
  return after(asOfTime(store, query.asOf, clock()), (asOf) => ({ at, asOf, projection }));
}

/** Why a Site has no Setup, as a sentence. @param isWithdrawn null if that is not known */
function whyNoSetup(site: string, isWithdrawn: boolean | null): string {
  if (isWithdrawn === null) return `${site} had no Setup on record then.`;
  const why = isWithdrawn ? 'was withdrawn' : 'has no equipment with a date';
  return `${site} has no Setup: its site log ${why}.`;
}

/** The answer to a lookup that finds no Setup. */
type NoSetup = Exclude<SetupAnswer, { kind: 'found' }>;

/** The problem that says why there is no Setup. @param id as asked for, in upper case */
function problemWithoutSetup(answer: NoSetup, id: string, urlOf: UrlOfSite): ProblemError {
  switch (answer.kind) {
    case 'no-current-setup':
      return new ProblemError('no-current-setup', whyNoSetup(id, answer.isWithdrawn));
    case 'before-first-setup':
      return new ProblemError(
        'before-first-setup',
        `The first Setup of ${id} starts at ${answer.first}.`,
        { firstSetupFrom: answer.first },
      );
    case 'not-recorded':
      return notRecorded(id, answer.asOf);
    case 'unknown-site':
    case 'ambiguous-site':
    case 'retired-site':
    case 'renamed-site':
      return siteProblem(answer, id, urlOf);
  }
}

/** Why a batch has no Setup for an id: the reason is the kind of its problem. */
function reasonOf(answer: NoSetup): Omit<Static<typeof SetupList>['notFound'][number], 'id'> {
  switch (answer.kind) {
    case 'ambiguous-site':
      return {
        reason: answer.kind,
        problem: problemType(answer.kind),
        candidates: answer.candidates,
      };
    case 'retired-site':
    case 'renamed-site':
      return { reason: answer.kind, problem: problemType(answer.kind) };
    case 'unknown-site':
    case 'no-current-setup':
    case 'before-first-setup':
    case 'not-recorded':
      return { reason: answer.kind };
  }
}

/**
 * Only lookups by one four-character id, without other parameters, are cached: there are no more of
 * these than Sites.
 */
function currentKey(query: Readonly<Record<string, unknown>>): string | null {
  const { id } = query;
  return Object.keys(query).length === 1 &&
    typeof id === 'string' &&
    id.length === 4 &&
    isSiteId(id)
    ? id.toUpperCase()
    : null;
}

/**
 * Adds the lookups of one Setup for one Site or for each of many Sites: the current one, or the one
 * at an instant.
 * @param clock the current time
 */
export function addSetupLookups(
  app: App,
  store: Store,
  clock: () => Date,
  publishContacts: boolean,
): void {
  const findOne = (
    base: string,
    path: string,
    query: Static<typeof OneQuery> & { at?: string },
  ): Soon<Sendable<SetupResource>> => {
    const site = parseSiteId(query.id);
    const search = searchOf(store, query, clock);
    const answer = after(search, (what) => store.setups.findOne(site, what));
    return after(answer, (found) => {
      if (found.kind === 'found') return setupResource(base, found.setup, publishContacts);
      const urlOf = (id: string): string => href(base, path, { query: { ...query, id } });
      throw problemWithoutSetup(found, siteIdText(site), urlOf);
    });
  };

  /** Each Setup is listed once, even if several ids name its Site. */
  const findMany = async (
    base: string,
    path: string,
    query: Static<typeof ManyQuery> & { at?: string },
  ) => {
    const ids = [...new Set(query.id)];
    const search = await searchOf(store, query, clock);
    const answers = await store.setups.findMany(ids.map(parseSiteId), search);
    const setups = new Map<number, Sendable<SetupResource>>();
    const notFound: Static<typeof SetupList>['notFound'] = [];
    answers.forEach((answer, index) => {
      if (answer.kind === 'found')
        setups.set(answer.setup.id, setupResource(base, answer.setup, publishContacts));
      else notFound.push({ id: ids[index]!, ...reasonOf(answer) });
    });
    return {
      _embedded: { setups: [...setups.values()] },
      notFound,
      _links: { self: { href: href(base, path, { query }) } },
    };
  };

  const currentPath = searchPathOf(SETUPS, 'findCurrentByFourCharacterId');
  app.get(currentPath, {
    schema: { querystring: OneQuery, response: { 200: SETUPS.element } },
    config: {
      cacheKey: currentKey,
      operationId: 'findCurrentSetupByFourCharacterId',
      summary: 'The current Setup of a Site.',
      description: CURRENT,
      problems: NO_SETUP,
      example: { query: { id: 'ALIC' } },
    },
    handler: ({ query, baseUrl }) => findOne(baseUrl, currentPath, query),
  });

  const atPath = searchPathOf(SETUPS, 'findAtByFourCharacterId');
  app.get(atPath, {
    schema: { querystring: OneAtQuery, response: { 200: SETUPS.element } },
    config: {
      operationId: 'findSetupAtByFourCharacterId',
      summary: 'The Setup of a Site at an instant.',
      description: AT,
      problems: [...NO_SETUP, 'before-first-setup'],
      example: { query: { id: 'ALIC', at: '2013-07-08T00:45:00Z' } },
    },
    handler: ({ query, baseUrl }) => findOne(baseUrl, atPath, query),
  });

  const currentOfManyPath = searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn');
  app.get(currentOfManyPath, {
    schema: { querystring: ManyQuery, response: { 200: SetupList } },
    config: {
      operationId: 'findCurrentSetupsByFourCharacterIdIn',
      summary: 'The current Setups of many Sites.',
      description: `${CURRENT} ${MANY}`,
      example: { query: { id: 'NAMA' } },
    },
    handler: ({ query, baseUrl }) => findMany(baseUrl, currentOfManyPath, query),
  });

  const atOfManyPath = searchPathOf(SETUPS, 'findAtByFourCharacterIdIn');
  app.get(atOfManyPath, {
    schema: { querystring: ManyAtQuery, response: { 200: SetupList } },
    config: {
      operationId: 'findSetupsAtByFourCharacterIdIn',
      summary: 'The Setups of many Sites at an instant.',
      description: `${AT} ${MANY}`,
      example: { query: { id: 'NAMA', at: '2008:001' } },
    },
    handler: ({ query, baseUrl }) => findMany(baseUrl, atOfManyPath, query),
  });
}
