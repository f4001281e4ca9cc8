import { type Static, Type } from '@sinclair/typebox';
import { EquipmentInUse, SETUP_EQUIPMENT_TYPES } from './equipment.js';
import { Link, Page } from './hal.js';
import { Instant, NullableString } from './values.js';

/** The ways in which the equipment at a Site can change. */
export const CHANGE_KINDS = ['installed', 'removed', 'replaced', 'reconfigured'] as const;

/** The time between a removal and the installation that ends it. */
export const Gap = Type.Object(
  {
    from: Instant({ description: 'When the equipment was removed, in UTC.' }),
    to: Instant({ description: 'When equipment of this kind was installed again, in UTC.' }),
  },
  { additionalProperties: false, description: 'Half-open period [from, to) without the equipment.' },
);

/** A change to the equipment at a Site. */
export const Change = Type.Object(
  {
    at: Instant({
      description: 'The time of the change, in UTC. A newer Setup is in effect from this instant. If the change has a gap, its start.',
    }),
    siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
    fourCharacterId: Type.String({ description: 'The four-character id of the Site.' }),
    nineCharacterId: NullableString({ description: 'The nine-character id of the Site.' }),
    equipmentType: Type.Union(
      SETUP_EQUIPMENT_TYPES.map((type) => Type.Literal(type)),
      { description: 'The kind of equipment.' },
    ),
    kind: Type.Union(
      CHANGE_KINDS.map((kind) => Type.Literal(kind)),
      {
        description:
          'installed, removed, replaced (by another device) or reconfigured (same device, new configuration, such as a firmware update or another radome; with a gap and no differing members, reinstalled as it was).',
      },
    ),
    before: Type.Union([EquipmentInUse, Type.Null()], {
      description: 'The equipment in use before the change; null if the change is an installation.',
    }),
    after: Type.Union([EquipmentInUse, Type.Null()], {
      description: 'The equipment in use after the change; null if the change is a removal.',
    }),
    differingMembers: Type.Array(Type.String(), {
      description:
        'The members of the identity and configuration that differ between `before` and `after`, other than in the spelling of a type or serial number.',
    }),
    gap: Type.Union([Gap, Type.Null()], {
      description: 'The time between the removal and the installation, if these are one change; otherwise null.',
    }),
    _links: Type.Object({ corsSite: Link }, { additionalProperties: false, description: 'Link to the Site.' }),
  },
  { additionalProperties: false, description: 'A change to the equipment at a Site.' },
);
export type Change = Static<typeof Change>;

const pageLinks = Type.Object(
  { first: Type.Optional(Link), prev: Type.Optional(Link), self: Link, next: Type.Optional(Link), last: Type.Optional(Link) },
  { additionalProperties: false, description: 'Links from this page. Links to other pages repeat the query parameters of the request.' },
);

/** One page of changes, in chronological order. */
export const ChangeCollection = Type.Object(
  {
    _embedded: Type.Object(
      { changes: Type.Array(Change, { description: 'The changes on this page.' }) },
      { additionalProperties: false, description: 'The elements of the page.' },
    ),
    _links: pageLinks,
    page: Page,
  },
  { additionalProperties: false, description: 'One page of changes, in chronological order.' },
);
