import { Type } from '@sinclair/typebox';
import { Link } from './hal.js';
import { SetupResource } from './setup.js';

/** Why a Site of a list has no Setup in the answer. */
export const NOT_FOUND_REASONS = ['unknown-site', 'no-current-setup', 'before-first-setup', 'not-recorded'] as const;

/** The Setups of several Sites, and the Sites that have none. */
export const SetupList = Type.Object(
  {
    _embedded: Type.Object(
      { setups: Type.Array(SetupResource, { description: 'One Setup for each Site that has one, in the order of the ids.' }) },
      { additionalProperties: false, description: 'What was found.' },
    ),
    notFound: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'The id as it was given.' }),
          reason: Type.Union(
            NOT_FOUND_REASONS.map((reason) => Type.Literal(reason)),
            { description: 'As the type of problem of the search for one Site.' },
          ),
        },
        { additionalProperties: false, description: 'An id without a Setup.' },
      ),
      { description: 'The ids for which there is no Setup, and why.' },
    ),
    _links: Type.Object({ self: Link }, { additionalProperties: false, description: 'Links of the answer.' }),
  },
  { additionalProperties: false, description: 'The Setups of several Sites, and the ids that have none.' },
);
