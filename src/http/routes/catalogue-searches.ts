import { Type } from '@sinclair/typebox';
import { CORS_SITES, EQUIPMENT, pageAndSize, SiteIdParameter } from '../../../schemas/index.js';
import { searchPathOf } from '../../links.js';
import { type PagedQuery, pageBody, toSearch } from '../paging.js';
import { query } from '../parameters.js';
import { findKnownSite } from '../known-site.js';
import type { Resource } from '../resources.js';
import { AtParameter, instantOf } from '../time-parameters.js';
import { toResource } from './collections.js';

const findSiteByFourCharacterId: Resource = {
  path: searchPathOf(CORS_SITES, 'findByFourCharacterId'),
  operationId: 'findCorsSiteByFourCharacterId',
  tag: CORS_SITES.name,
  summary: 'A Site by its four-character id.',
  query: query({ id: SiteIdParameter }),
  response: CORS_SITES.typeName,
  problems: ['unknown-site'],
  example: { query: { id: 'ALIC' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const site = await findKnownSite(reader, id);
    return toResource(base, CORS_SITES, site);
  },
};

const findByEquipmentTypeAt: Resource = {
  path: searchPathOf(CORS_SITES, 'findByEquipmentTypeAt'),
  operationId: 'findCorsSitesByEquipmentTypeAt',
  tag: CORS_SITES.name,
  summary: 'The Sites at which a type of receiver, antenna or other equipment was in use at an instant, by their ids.',
  query: query({
    type: Type.String({ minLength: 1, maxLength: 200, description: 'The type of the equipment, exact and case-sensitive.' }),
    at: AtParameter,
    ...pageAndSize,
  }),
  response: `${CORS_SITES.typeName}Collection`,
  example: { query: { type: 'TRIMBLE NETRS', at: '2012-01-01', size: '2' } },
  read: async ({ reader, base, query: given }) => {
    const paging = toSearch(CORS_SITES, given as PagedQuery);
    const found = await reader.sites.findByEquipmentType({ ...paging, type: given.type as string, at: instantOf(given, 'at') });
    const elements = found.elements.map((site) => toResource(base, CORS_SITES, site));
    return pageBody(base, CORS_SITES, findByEquipmentTypeAt.path, given as PagedQuery, paging, { ...found, elements });
  },
};

const findBySerialNumber: Resource = {
  path: searchPathOf(EQUIPMENT, 'findBySerialNumber'),
  operationId: 'findEquipmentBySerialNumber',
  tag: EQUIPMENT.name,
  summary: 'The devices of any kind that have a serial number, and where each has been.',
  description: 'Installations of one device that overlap at two Sites name each other in conflictsWith.',
  query: query({
    serialNumber: Type.String({ minLength: 1, maxLength: 200, description: 'The serial number, exact and case-sensitive.' }),
    ...pageAndSize,
  }),
  response: `${EQUIPMENT.typeName}Collection`,
  example: { query: { serialNumber: '1830439' } },
  read: async ({ reader, base, query: given }) => {
    const { serialNumber, ...paging } = given as PagedQuery & { serialNumber: string };
    const search = toSearch(EQUIPMENT, { ...paging, projection: 'installations' }, [{ property: 'serialNumber', values: [serialNumber] }]);
    const found = await reader.devices.findPage({ ...search, projection: 'installations' });
    const elements = found.elements.map((device) => toResource(base, EQUIPMENT, device));
    return pageBody(base, EQUIPMENT, findBySerialNumber.path, given as PagedQuery, search, { ...found, elements });
  },
};

/** The searches over the Sites. */
export const siteSearches: Resource[] = [findSiteByFourCharacterId, findByEquipmentTypeAt];
/** The searches over the devices of all kinds. */
export const equipmentSearches: Resource[] = [findBySerialNumber];
