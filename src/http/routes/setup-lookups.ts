import { type Static, type TProperties, Type } from '@sinclair/typebox';
import {
  type Instant,
  isSiteId,
  projectionParameter,
  SETUPS,
  SetupList,
  type SetupResource,
  SetupTypeParameter,
  SiteIdParameter,
  SiteIdsParameter,
} from '../../../schemas/index.js';
import { href, searchPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { Sendable } from '../../serializers/json-text.js';
import type { LookupProjection } from '../../store/read/setup-records.js';
import type { SetupAnswer, SetupSearch } from '../../store/read/setups.js';
import type { Store } from '../../store/store.js';
import { setupResource } from '../hal.js';
import { SITE_PROBLEMS, siteProblem, type UrlOfSite } from '../known-site.js';
import type { App } from '../operations.js';
import { AsOfParameter, AtParameter, instantOf, only, recordTimeOf } from '../parameters.js';
import { ProblemError, type ProblemKind, problemType } from '../wire/problems.js';

const CURRENT = 'The Setup that has no end. Its equipmentInUse is empty if all equipment has been removed.';
const AT =
  'Periods are half-open: at an instant of change the newer Setup applies. From the first Setup on, exactly one applies at any instant. In a gap of at most a day without the receiver or antenna, gaps says so.';
const MANY =
  'Each Setup says which Site it is of, as with projection=site. Ids without a Setup are listed in notFound. All Setups are read from one state of the database.';

/** The problems of a lookup of the Setup of one Site. */
const NO_SETUP: ProblemKind[] = [...SITE_PROBLEMS, 'no-current-setup', 'not-recorded'];

const setupQuery = <P extends TProperties>(own: P) =>
  only({ ...own, asOf: Type.Optional(AsOfParameter), type: SetupTypeParameter, ...projectionParameter(SETUPS) });

const OfManyQuery = setupQuery({ id: SiteIdsParameter });

/** Returns the Setup that was found, with its links. @throws {ProblemError} if there is none; it says why */
function foundSetup(base: string, id: string, answer: SetupAnswer, urlOf: UrlOfSite, publishContacts: boolean): Sendable<SetupResource> {
  const site = id.toUpperCase();
  switch (answer.kind) {
    case 'found':
      return setupResource(base, answer.setup, publishContacts);
    case 'no-current-setup':
      throw new ProblemError(
        'no-current-setup',
        `${site} has no Setup: its site log ${answer.isWithdrawn ? 'was withdrawn' : 'has no equipment with a date'}.`,
      );
    case 'before-first-setup':
      throw new ProblemError('before-first-setup', `The first Setup of ${site} starts at ${answer.first}.`, {
        firstSetupFrom: answer.first,
      });
    case 'not-recorded':
      throw new ProblemError('not-recorded', `${site} was first recorded at ${answer.since}.`);
    case 'unknown-site':
    case 'ambiguous-site':
    case 'retired-site':
    case 'renamed-site':
      throw siteProblem(answer, site, urlOf);
  }
}

/** Why a batch has no Setup for an id. The contract closed the list of reasons before there were shared, retired and renamed ids. */
function reasonOf(answer: Exclude<SetupAnswer, { kind: 'found' }>): Omit<Static<typeof SetupList>['notFound'][number], 'id'> {
  switch (answer.kind) {
    case 'ambiguous-site':
      return { reason: 'unknown-site', problem: problemType(answer.kind), candidates: answer.candidates };
    case 'retired-site':
    case 'renamed-site':
      return { reason: 'unknown-site', problem: problemType(answer.kind) };
    case 'unknown-site':
    case 'no-current-setup':
    case 'before-first-setup':
    case 'not-recorded':
      return { reason: answer.kind };
  }
}

/** Looks up the Setups of many Sites. Each Setup is listed once, even if several ids name its Site. */
async function manySetups(
  store: Store,
  base: string,
  path: string,
  query: Static<typeof OfManyQuery> & { at?: string },
  at: Instant | null,
  publishContacts: boolean,
): Promise<Sendable<Static<typeof SetupList>>> {
  const ids = [...new Set(query.id)];
  const projection: LookupProjection = query.projection ?? (at === null ? null : 'gaps-if-any');
  const search = { at, asOf: recordTimeOf('asOf', query.asOf), projection };
  const answers = await store.setups.findMany(ids.map(parseSiteId), search);
  const setups = new Map<number, Sendable<SetupResource>>();
  const notFound: Static<typeof SetupList>['notFound'] = [];
  answers.forEach((answer, index) => {
    if (answer.kind === 'found') setups.set(answer.setup.id, setupResource(base, answer.setup, publishContacts));
    else notFound.push({ id: ids[index]!, ...reasonOf(answer) });
  });
  return { _embedded: { setups: [...setups.values()] }, notFound, _links: { self: { href: href(base, path, { query }) } } };
}

/** Only lookups by one four-character id, without other parameters, are cached: there are no more of these than Sites. */
function currentKey(query: Readonly<Record<string, unknown>>): string | null {
  const { id } = query;
  return Object.keys(query).length === 1 && typeof id === 'string' && id.length === 4 && isSiteId(id) ? id.toUpperCase() : null;
}

/** Adds the lookups of the Setup of one Site. */
function addSingleLookups(app: App, store: Store, publishContacts: boolean): void {
  const currentPath = searchPathOf(SETUPS, 'findCurrentByFourCharacterId');
  app.get(
    currentPath,
    {
      schema: { querystring: setupQuery({ id: SiteIdParameter }), response: { 200: SETUPS.element } },
      config: {
        cacheKey: currentKey,
        operation: {
          tag: SETUPS.name,
          operationId: 'findCurrentSetupByFourCharacterId',
          summary: 'The current Setup of a Site.',
          description: CURRENT,
          problems: NO_SETUP,
          example: { query: { id: 'ALIC' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { id, asOf, projection = null } = query;
      const answer = await store.setups.findOne({ site: parseSiteId(id), at: null, asOf: recordTimeOf('asOf', asOf), projection });
      return foundSetup(baseUrl, id, answer, (other) => href(baseUrl, currentPath, { query: { ...query, id: other } }), publishContacts);
    },
  );
  const atPath = searchPathOf(SETUPS, 'findAtByFourCharacterId');
  app.get(
    atPath,
    {
      schema: { querystring: setupQuery({ id: SiteIdParameter, at: AtParameter }), response: { 200: SETUPS.element } },
      config: {
        operation: {
          tag: SETUPS.name,
          operationId: 'findSetupAtByFourCharacterId',
          summary: 'The Setup of a Site at an instant.',
          description: AT,
          problems: [...NO_SETUP, 'before-first-setup'],
          example: { query: { id: 'ALIC', at: '2013-07-08T00:45:00Z' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { id, at, asOf, projection = 'gaps-if-any' } = query;
      const search: SetupSearch = { site: parseSiteId(id), at: instantOf('at', at), asOf: recordTimeOf('asOf', asOf), projection };
      const urlOf: UrlOfSite = (other) => href(baseUrl, atPath, { query: { ...query, id: other } });
      return foundSetup(baseUrl, id, await store.setups.findOne(search), urlOf, publishContacts);
    },
  );
}

/** Adds the lookups of the Setups of many Sites, one of each. */
function addBatchLookups(app: App, store: Store, publishContacts: boolean): void {
  const currentPath = searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn');
  app.get(
    currentPath,
    {
      schema: { querystring: OfManyQuery, response: { 200: SetupList } },
      config: {
        operation: {
          tag: SETUPS.name,
          operationId: 'findCurrentSetupsByFourCharacterIdIn',
          summary: 'The current Setups of many Sites.',
          description: `${CURRENT} ${MANY}`,
          example: { query: { id: 'NAMA' } },
        },
      },
    },
    ({ query, baseUrl }) => manySetups(store, baseUrl, currentPath, query, null, publishContacts),
  );
  const atPath = searchPathOf(SETUPS, 'findAtByFourCharacterIdIn');
  app.get(
    atPath,
    {
      schema: { querystring: setupQuery({ id: SiteIdsParameter, at: AtParameter }), response: { 200: SetupList } },
      config: {
        operation: {
          tag: SETUPS.name,
          operationId: 'findSetupsAtByFourCharacterIdIn',
          summary: 'The Setups of many Sites at an instant.',
          description: `${AT} ${MANY}`,
          example: { query: { id: 'NAMA', at: '2008:001' } },
        },
      },
    },
    async ({ query, baseUrl }) => manySetups(store, baseUrl, atPath, query, instantOf('at', query.at), publishContacts),
  );
}

/** Adds the lookups of one Setup for one Site or for each of many Sites: the current one, or the one at an instant. */
export function addSetupLookups(app: App, store: Store, publishContacts: boolean): void {
  addSingleLookups(app, store, publishContacts);
  addBatchLookups(app, store, publishContacts);
}
