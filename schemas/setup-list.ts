import { Type } from '@sinclair/typebox';
import { Link } from './hal.js';
import { SetupResource } from './setup.js';

/** Why the response contains no Setup for a requested Site. */
export const NOT_FOUND_REASONS = ['unknown-site', 'no-current-setup', 'before-first-setup', 'not-recorded'] as const;

/** The Setups of several Sites, and the requested ids without one. */
export const SetupList = Type.Object(
  {
    _embedded: Type.Object(
      { setups: Type.Array(SetupResource, { description: 'One Setup for each Site that has one, in the order of the requested ids.' }) },
      { additionalProperties: false, description: 'The results.' },
    ),
    notFound: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'The id as requested.' }),
          reason: Type.Union(
            NOT_FOUND_REASONS.map((reason) => Type.Literal(reason)),
            { description: 'The reason in short; unknown-site whenever the id identifies no Site.' },
          ),
          problem: Type.Optional(
            Type.String({ description: 'The `type` of the problem document for this id alone, if the reason does not say it.' }),
          ),
          candidates: Type.Optional(
            Type.Array(Type.String(), { description: 'The nine-character ids of the Sites that share the id, if several do.' }),
          ),
        },
        { additionalProperties: false, description: 'A requested id without a Setup.' },
      ),
      { description: 'The requested ids without a Setup, with the reason.' },
    ),
    _links: Type.Object({ self: Link }, { additionalProperties: false, description: 'Links of the response.' }),
  },
  { additionalProperties: false, description: 'The Setups of several Sites, and the requested ids without one.' },
);
