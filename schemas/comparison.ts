import { type Static, Type } from '@sinclair/typebox';
import { SETUP_EQUIPMENT_TYPES } from './equipment.js';
import { Link } from './hal.js';
import { NullableInstant, NullableString } from './values.js';

/** What differs between the equipment of several Sites. */
export const Comparison = Type.Object(
  {
    at: NullableInstant({ description: 'The instant of the Setups; null for the current ones.' }),
    sites: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'The four-character id; the nine-character id if other Sites have the same four.' }),
          name: NullableString({ description: 'Site Name (section 1 of the site log).' }),
          effectiveFrom: NullableInstant({ description: 'The start of the Setup; null if the Site has none at that time.' }),
        },
        { additionalProperties: false, description: 'A Site.' },
      ),
      { description: 'The Sites, in the order of the request.' },
    ),
    equipment: Type.Array(
      Type.Object(
        {
          equipmentType: Type.Union(
            SETUP_EQUIPMENT_TYPES.map((type) => Type.Literal(type)),
            { description: 'The kind of equipment.' },
          ),
          since: Type.Array(NullableInstant({ description: 'At one Site.' }), {
            description: 'Since when it has had this configuration, at each Site; null where the Site has no such item.',
          }),
          properties: Type.Array(
            Type.Object(
              {
                property: Type.String({ description: 'The name of the member in a Setup.' }),
                values: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]), {
                  description: 'Its value at each Site; null if it is unknown, or if the Site has no such item.',
                }),
                differs: Type.Boolean({
                  description:
                    'Whether the values differ. Always false for serial numbers and notes. An unknown value equals none. If a Site has no such item, only `type` can differ.',
                }),
              },
              { additionalProperties: false, description: 'A member of the identity or the configuration.' },
            ),
            { description: 'The members of the identity and the configuration.' },
          ),
        },
        { additionalProperties: false, description: 'The first item of a kind at each Site, or the second, and so on.' },
      ),
      { description: 'The items of equipment, by kind.' },
    ),
    _links: Type.Object({ self: Link }, { additionalProperties: false, description: 'Links.' }),
  },
  { additionalProperties: false, description: 'The equipment of several Sites side by side.' },
);
export type Comparison = Static<typeof Comparison>;
