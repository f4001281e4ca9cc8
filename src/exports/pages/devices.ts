import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { PageParameter } from '../parameters.js';
import { invalidParameter } from '../refusals.js';

/** What the list of the types can be sorted by. */
const TYPE_ORDERS = ['type', 'devices', 'inUse', 'sites', 'conflicts'] as const;

/** The order of the list of types: by default, those of most devices come first. */
export interface TypeSort {
  by: (typeof TYPE_ORDERS)[number];
  descending: boolean;
}

/** The longest type or serial number, in characters. Site logs set no limit. */
const LONGEST = 4000;

/**
 * The parameters of a page of devices. They are what identifies a device, of any length and with an
 * unknown type, and so not the filters of the API.
 */
export const devicesPageParameters = {
  type: Type.Optional(
    Type.String({
      maxLength: LONGEST,
      description:
        'The type, as in the API; empty for devices of unknown type. ' +
        'With serialNumber, the radome does not count.',
    }),
  ),
  serialNumber: Type.Optional(
    Type.String({
      maxLength: LONGEST,
      description: 'The serial number; empty for all. Case, blanks and hyphens do not count.',
    }),
  ),
  conflicts: Type.Optional(
    Type.Literal('true', {
      description: 'true: only devices that the logs of several Sites list at the same time.',
    }),
  ),
  sort: Type.Optional(
    Type.String({
      pattern: `^(${TYPE_ORDERS.join('|')})(,(asc|desc))?$`,
      description:
        `The order of the types: one of ${TYPE_ORDERS.join(', ')}; ` +
        'append ",desc" for descending order.',
    }),
  ),
  page: PageParameter,
};

type DevicesQuery = Static<TObject<typeof devicesPageParameters>>;

/** The order of the types that a query asks for. */
export function typeSortOf({ sort = 'devices,desc' }: DevicesQuery): TypeSort {
  const [by, direction] = sort.split(',') as [TypeSort['by'], string | undefined];
  return { by, descending: direction === 'desc' };
}

/** Which devices a page is about. */
export interface AskedDevices {
  /** Empty for an unknown type; undefined for any. */
  type: string | undefined;
  /** Undefined for any. */
  serialNumber: string | undefined;
  /** Whether only devices in conflict are asked for. */
  inConflict: boolean;
}

/**
 * The devices that a query asks for; null if it asks for the types of all of them.
 * @throws {RequestRefused} if a page of all types is asked for, of which there is only one, or an
 *   order of devices
 */
export function askedDevicesOf(query: DevicesQuery): AskedDevices | null {
  const serialNumber = query.serialNumber?.trim() || undefined;
  const inConflict = query.conflicts !== undefined;
  // The form sends both fields. An empty type means "unknown type" only in links, which send no
  // serial number with it.
  const isEmptyField = query.type === '' && query.serialNumber !== undefined;
  const type = isEmptyField ? undefined : query.type;
  if (type !== undefined || serialNumber !== undefined || inConflict) {
    if (query.sort === undefined) return { type, serialNumber, inConflict };
    throw invalidParameter({
      name: 'sort',
      value: query.sort,
      reason: 'is given with type, serialNumber or conflicts (only types have an order)',
      allowed: 'an order without type, serialNumber and conflicts.',
    });
  }
  if (query.page === undefined) return null;
  throw invalidParameter({
    name: 'page',
    value: String(query.page),
    reason: 'is given without type, serialNumber or conflicts (all types are on one page)',
    allowed: 'a number together with type, serialNumber or conflicts.',
  });
}
