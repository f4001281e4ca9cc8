import type { TObject, TProperties } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Link } from './hal.js';
import {
  closed,
  FoundBy,
  Id,
  idsOfSite,
  NullableString,
  type Period,
  type PeriodOfUse,
} from './values.js';

/**
 * The schema of the period of an installation: with a known start, or with one that may be unknown.
 */
export type InstallationPeriod = typeof Period | typeof PeriodOfUse;

/** The use of a device at a Site in one configuration, as added by `projection=installations`. */
const installation = <C extends TObject>(
  configuration: C,
  title: string,
  period: InstallationPeriod,
) =>
  closed(`The use of a ${title} at a Site in one configuration.`, {
    siteId: Id('the Site'),
    ...idsOfSite,
    siteName: NullableString('Site Name (site log section 1).'),
    period: period(`the use of the ${title} at the Site in this configuration`),
    configuration,
    conflictsWith: Type.Array(Type.String(), {
      description:
        'The shortest ids of other Sites whose logs list the device in this period; at most 10.',
    }),
    conflicts: Type.Integer({ minimum: 0, description: 'How many such Sites there are.' }),
    _links: closed('Link to the Site.', { corsSite: Link }),
  });

/**
 * The schema of a device in the catalogue: its identity, its links and, on request, its
 * installations.
 * @param title what such a device is called
 * @param period the schema of the periods of its installations
 * @param links its links other than `self`
 */
export const device = <I extends TObject, C extends TObject, L extends TProperties>(
  id: I,
  configuration: C,
  title: string,
  period: InstallationPeriod,
  links: L,
) =>
  closed(
    `A ${title} in the catalogue: ${(id.description ?? '').replace(/^Identity of .*?: /, '')}`,
    {
      ...(id.properties as I['properties']),
      foundBy: FoundBy('current if it is in use, former if it no longer is.'),
      installations: Type.Optional(
        Type.Array(installation(configuration, title, period), {
          description:
            'The uses of the device according to current logs, in chronological order: ' +
            'at most 100 on a page of devices, 1000 for one. Only with projection=installations.',
        }),
      ),
      totalInstallations: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'How many there are. Only with projection=installations.',
        }),
      ),
      _links: closed('Links of the device.', { self: Link, ...links }),
    },
  );
