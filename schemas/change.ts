import { type Static, Type } from '@sinclair/typebox';
import { EQUIPMENT_TYPES, EquipmentInUse } from './equipment.js';
import { Link, Page } from './hal.js';
import { Instant } from './values.js';

/** What can happen to a piece of equipment at a Site. */
export const CHANGE_KINDS = ['installed', 'removed', 'replaced', 'reconfigured'] as const;

/** A change of the equipment at a Site. */
export const Change = Type.Object(
  {
    at: Instant({ description: 'The instant of the change, in UTC; from then on the newer Setup holds.' }),
    siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
    fourCharacterId: Type.String({ description: 'The four-character id of the Site.' }),
    equipmentType: Type.Union(
      EQUIPMENT_TYPES.map((type) => Type.Literal(type)),
      { description: 'The kind of equipment.' },
    ),
    kind: Type.Union(
      CHANGE_KINDS.map((kind) => Type.Literal(kind)),
      {
        description:
          'installed, removed, replaced by another device, or reconfigured: the same device, otherwise configured (a firmware update).',
      },
    ),
    before: Type.Union([EquipmentInUse, Type.Null()], { description: 'What was in use until then; null where it is installed.' }),
    after: Type.Union([EquipmentInUse, Type.Null()], { description: 'What is in use from then on; null where it is removed.' }),
    differingMembers: Type.Array(Type.String(), { description: 'The members of identity and configuration that differ between the two.' }),
    _links: Type.Object({ corsSite: Link }, { additionalProperties: false, description: 'The Site.' }),
  },
  { additionalProperties: false, description: 'A change of the equipment at a Site.' },
);
export type Change = Static<typeof Change>;

const pageLinks = Type.Object(
  { first: Type.Optional(Link), prev: Type.Optional(Link), self: Link, next: Type.Optional(Link), last: Type.Optional(Link) },
  { additionalProperties: false, description: 'Links of the page; those to other pages keep what was asked.' },
);

/** One page of changes, in order of time. */
export const ChangeCollection = Type.Object(
  {
    _embedded: Type.Object(
      { changes: Type.Array(Change, { description: 'The changes on this page.' }) },
      { additionalProperties: false, description: 'The elements of the page.' },
    ),
    _links: pageLinks,
    page: Page,
  },
  { additionalProperties: false, description: 'One page of changes, in order of time.' },
);
