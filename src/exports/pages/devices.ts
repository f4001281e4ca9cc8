import { type Static, type TObject, Type } from '@sinclair/typebox';
import { PageParameter } from '../parameters.js';
import { invalidParameter } from '../refusals.js';

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
  page: PageParameter,
};

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
 * @throws {RequestRefused} if a page of all types is asked for: there is only one
 */
export function askedDevicesOf(
  query: Static<TObject<typeof devicesPageParameters>>,
): AskedDevices | null {
  const serialNumber = query.serialNumber?.trim() || undefined;
  const inConflict = query.conflicts !== undefined;
  // The form sends both fields. An empty type means "unknown type" only in links, which send no
  // serial number with it.
  const isEmptyField = query.type === '' && query.serialNumber !== undefined;
  const type = isEmptyField ? undefined : query.type;
  if (type !== undefined || serialNumber !== undefined || inConflict)
    return { type, serialNumber, inConflict };
  if (query.page === undefined) return null;
  throw invalidParameter({
    name: 'page',
    value: String(query.page),
    reason: 'is given without type, serialNumber or conflicts (all types are on one page)',
    allowed: 'a number together with type, serialNumber or conflicts.',
  });
}
