import { Type, type Static } from '@sinclair/typebox';
import { GnssReceiverId } from './equipment.js';
import { Link, Page, PageLinks, TemplatedLink } from './hal.js';
import { PagingParameters } from './paging.js';

/** A GNSS receiver of the catalogue: one physical device, one (type, serialNumber). */
export const GnssReceiver = Type.Object(
  { ...GnssReceiverId.properties, _links: Type.Object({ self: Link, gnssReceiver: TemplatedLink }, { additionalProperties: false }) },
  { additionalProperties: false, description: 'A GNSS receiver: one physical device, one (type, serialNumber).' },
);
export type GnssReceiver = Static<typeof GnssReceiver>;

/** One page of GNSS receivers. */
export const GnssReceiverCollection = Type.Object(
  {
    _embedded: Type.Object(
      { gnssReceivers: Type.Array(GnssReceiver, { description: 'The receivers on this page.' }) },
      { additionalProperties: false },
    ),
    _links: PageLinks,
    page: Page,
  },
  { additionalProperties: false, description: 'One page of GNSS receivers.' },
);
export type GnssReceiverCollection = Static<typeof GnssReceiverCollection>;

/** The query of `GET /gnssReceivers`. */
export const GnssReceiversQuery = Type.Object(
  {
    type: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Receiver type, exact and case-sensitive; given more than once, either matches.',
      }),
    ),
    ...PagingParameters,
  },
  { additionalProperties: false },
);
export type GnssReceiversQuery = Static<typeof GnssReceiversQuery>;
