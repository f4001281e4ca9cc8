import { type TObject, Type } from '@sinclair/typebox';
import {
  type Instant,
  pagingParameters,
  projectionParameter,
  SETUPS,
  SetupTypeParameter,
  SiteIdParameter,
  SiteIdsParameter,
} from '../../../schemas/index.js';
import { searchPathOf } from '../../links.js';
import { DEFAULT_PATTERN, PATTERN_FORMS } from '../../requests/date-pattern.js';
import { INSTANT_FORMS } from '../../requests/instant.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { SetupAnswer, SetupPageSearch } from '../../store/setups.js';
import { type PagedQuery, pageBody, toSearch } from '../paging.js';
import { query } from '../parameters.js';
import { findKnownSite, unknownSite } from '../known-site.js';
import { ProblemError, type ProblemKind } from '../problems.js';
import type { Reading, Resource } from '../resources.js';
import { AsOfParameter, asOfOf, AtParameter, instantOf, periodOf, readerOf } from '../time-parameters.js';
import { toResource } from './collections.js';

const projectionOf = (given: Record<string, unknown>): 'provenance' | null => (given.projection as 'provenance' | undefined) ?? null;

const CURRENT = 'The Setup that is in effect and has no end, even when all that was in it has been removed.';
const AT = 'Periods are half-open: at an instant of change the newer Setup holds, and from the first on exactly one holds at any instant.';

/** What the searches for the Setup of a Site at an instant, or the current one, have in common. */
const setupQuery = (own: TObject['properties']): TObject =>
  query({ ...own, asOf: Type.Optional(AsOfParameter), type: SetupTypeParameter, ...projectionParameter(SETUPS) });

/** The one Setup, or the problem that says why there is none. */
function oneSetup(base: string, id: string, answer: SetupAnswer): object {
  const site = id.toUpperCase();
  switch (answer.kind) {
    case 'found':
      return toResource(base, SETUPS, answer.setup);
    case 'unknown-site':
      throw unknownSite(id);
    case 'no-current-setup':
      throw new ProblemError('no-current-setup', `The Site ${site} is known, and its site log gives no Setup.`);
    case 'before-first-setup':
      throw new ProblemError('before-first-setup', `The first Setup of ${site} begins at ${answer.first}.`, {
        firstSetupFrom: answer.first,
      });
    case 'not-recorded':
      throw new ProblemError('not-recorded', `The Site ${site} is on record since ${answer.since}.`);
  }
}

/** The Setups of several Sites; those that have none are named. */
async function manySetups({ reader, base, query: given, request }: Reading, at: Instant | null): Promise<object> {
  /** By its id: a Site that is named in several ways is answered once. */
  const setups = new Map<number, object>();
  const notFound: { id: string; reason: string }[] = [];
  const ids = [...new Set(given.id as string[])];
  const answers = await reader.setups.findMany(ids.map(parseSiteId), { at, asOf: asOfOf(given), projection: projectionOf(given) });
  for (const [index, id] of ids.entries()) {
    const answer = answers[index]!;
    if (answer.kind === 'found') setups.set(answer.setup.id, toResource(base, SETUPS, answer.setup));
    else notFound.push({ id, reason: answer.kind });
  }
  return { _embedded: { setups: [...setups.values()] }, notFound, _links: { self: { href: `${base}${request.url}` } } };
}

const NONE: ProblemKind[] = ['unknown-site', 'no-current-setup', 'not-recorded'];

const findCurrentByFourCharacterId: Resource = {
  path: searchPathOf(SETUPS, 'findCurrentByFourCharacterId'),
  operationId: 'findCurrentSetupByFourCharacterId',
  tag: SETUPS.name,
  summary: 'The current Setup of a Site.',
  description: CURRENT,
  query: setupQuery({ id: SiteIdParameter }),
  response: SETUPS.typeName,
  problems: NONE,
  example: { query: { id: 'ALIC' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const answer = await reader.setups.findOne({ site: parseSiteId(id), at: null, asOf: asOfOf(given), projection: projectionOf(given) });
    return oneSetup(base, id, answer);
  },
};

const findAtByFourCharacterId: Resource = {
  path: searchPathOf(SETUPS, 'findAtByFourCharacterId'),
  operationId: 'findSetupAtByFourCharacterId',
  tag: SETUPS.name,
  summary: 'The Setup of a Site at an instant.',
  description: AT,
  query: setupQuery({ id: SiteIdParameter, at: AtParameter }),
  response: SETUPS.typeName,
  problems: [...NONE, 'before-first-setup'],
  example: { query: { id: 'ALIC', at: '2013-07-08T00:45:00Z' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const answer = await reader.setups.findOne({
      site: parseSiteId(id),
      at: instantOf(given, 'at'),
      asOf: asOfOf(given),
      projection: projectionOf(given),
    });
    return oneSetup(base, id, answer);
  },
};

const findCurrentByFourCharacterIdIn: Resource = {
  path: searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn'),
  operationId: 'findCurrentSetupsByFourCharacterIdIn',
  tag: SETUPS.name,
  summary: 'The current Setups of many Sites.',
  description: `${CURRENT} The ids without one are named in the answer.`,
  query: setupQuery({ id: SiteIdsParameter }),
  response: 'SetupList',
  example: { query: { id: 'NAMA' } },
  read: (reading) => manySetups(reading, null),
};

const findAtByFourCharacterIdIn: Resource = {
  path: searchPathOf(SETUPS, 'findAtByFourCharacterIdIn'),
  operationId: 'findSetupsAtByFourCharacterIdIn',
  tag: SETUPS.name,
  summary: 'The Setups of many Sites at an instant.',
  description: `${AT} The ids without one are named in the answer.`,
  query: setupQuery({ id: SiteIdsParameter, at: AtParameter }),
  response: 'SetupList',
  example: { query: { id: 'NAMA', at: '2008:001' } },
  read: (reading) => manySetups(reading, instantOf(reading.query, 'at')),
};

const findByFourCharacterId: Resource = {
  path: searchPathOf(SETUPS, 'findByFourCharacterId'),
  operationId: 'findSetupsByFourCharacterId',
  tag: SETUPS.name,
  summary: 'The Setups of a Site that meet a period, in order of time.',
  description:
    'The period is half-open like those of the Setups; either bound may be left out, and an open Setup reaches on without end. Equal bounds are an instant.',
  query: query({
    id: SiteIdParameter,
    effectiveFrom: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: `The beginning of the period, in timeFormat; without that also ${INSTANT_FORMS}.`,
      }),
    ),
    effectiveTo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: `The end of the period, in timeFormat; without that also ${INSTANT_FORMS}.`,
      }),
    ),
    timeFormat: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: `How the bounds are written, ${DEFAULT_PATTERN} when left out: ${PATTERN_FORMS}.`,
      }),
    ),
    type: SetupTypeParameter,
    ...pagingParameters(SETUPS),
    ...projectionParameter(SETUPS),
  }),
  response: `${SETUPS.typeName}Collection`,
  problems: ['unknown-site'],
  example: { query: { id: 'ALIC', effectiveFrom: '2011-12-12', effectiveTo: '2014-12-12', size: '2' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const meets = periodOf(given, 'effectiveFrom', 'effectiveTo', readerOf(given.timeFormat as string | undefined));
    const site = await findKnownSite(reader, id);
    return setupsOf(findByFourCharacterId.path, { reader, base, query: given }, site.id, meets);
  },
};

export const findBySiteId: Resource = {
  path: searchPathOf(SETUPS, 'findBySiteId'),
  operationId: 'findSetupsBySiteId',
  tag: SETUPS.name,
  summary: 'The Setups of a Site, in order of time.',
  description: 'Those that hold; /setups?siteId= has the invalidated ones too.',
  query: query({
    siteId: Type.Integer({ minimum: 1, description: 'The id of the Site.' }),
    ...pagingParameters(SETUPS),
    ...projectionParameter(SETUPS),
  }),
  response: `${SETUPS.typeName}Collection`,
  example: { query: { siteId: '1', size: '2' } },
  read: ({ reader, base, query: given }) => setupsOf(findBySiteId.path, { reader, base, query: given }, given.siteId as number),
};

/** A page of the Setups of a Site that hold, in order of time if no other is asked for. */
async function setupsOf(
  path: string,
  { reader, base, query: given }: Pick<Reading, 'reader' | 'base' | 'query'>,
  siteId: number,
  meets: NonNullable<SetupPageSearch['meets']> = { from: null, to: null },
): Promise<object> {
  const { page, size, sort = ['effectivePeriod.from'], projection } = given as PagedQuery;
  const filters = [
    { property: 'siteId', values: [siteId] },
    { property: 'invalidated', values: [false] },
  ];
  const paging: PagedQuery = {
    sort,
    ...(page !== undefined && { page }),
    ...(size !== undefined && { size }),
    ...(projection !== undefined && { projection }),
  };
  const search = { ...toSearch(SETUPS, paging, filters), meets };
  const found = await reader.setups.findPage({ ...search, projection: projectionOf(given) });
  const elements = found.elements.map((setup) => toResource(base, SETUPS, setup));
  return pageBody(base, SETUPS, path, given as PagedQuery, search, { ...found, elements });
}

/** The searches over the Setups, but for that of changes. */
export const setupSearches: Resource[] = [
  findCurrentByFourCharacterId,
  findAtByFourCharacterId,
  findByFourCharacterId,
  findCurrentByFourCharacterIdIn,
  findAtByFourCharacterIdIn,
];
