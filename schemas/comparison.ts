import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { SETUP_EQUIPMENT_TYPES } from './equipment.js';
import { Link } from './hal.js';
import { closed, enumOf, NullableInstant, NullableString } from './values.js';

const ComparedSite = closed('A Site.', {
  id: Type.String({
    description: 'The four-character id; the nine-character id if other Sites have the same four.',
  }),
  name: NullableString('Site Name (section 1 of the site log).'),
  effectiveFrom: NullableInstant('The start of the Setup; null if the Site has none at that time.'),
});

const ComparedProperty = closed('A member of the identity or the configuration.', {
  property: Type.String({ description: 'The name of the member in a Setup.' }),
  values: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]), {
    description: 'Its value at each Site; null if it is unknown, or if the Site has no such item.',
  }),
  differs: Type.Boolean({
    description:
      'Whether the values differ. Always false for serial numbers and notes. ' +
      'An unknown value equals none. ' +
      'If a Site has no such item, only `type` can differ.',
  }),
});

const ComparedItem = closed('The first item of a kind at each Site, or the second, and so on.', {
  equipmentType: enumOf(SETUP_EQUIPMENT_TYPES, 'The kind of equipment.'),
  since: Type.Array(NullableInstant('At one Site.'), {
    description:
      'Since when it has had this configuration, at each Site; ' +
      'null where the Site has no such item.',
  }),
  properties: Type.Array(ComparedProperty, {
    description: 'The members of the identity and the configuration.',
  }),
});

/** What differs between the equipment of several Sites. */
export const Comparison = closed('The equipment of several Sites side by side.', {
  at: NullableInstant('The instant of the Setups; null for the current ones.'),
  sites: Type.Array(ComparedSite, { description: 'The Sites, in the order of the request.' }),
  equipment: Type.Array(ComparedItem, { description: 'The items of equipment, by kind.' }),
  _links: closed('Links.', { self: Link }),
});
export type Comparison = Static<typeof Comparison>;
