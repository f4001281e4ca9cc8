import { Type, type Static } from '@sinclair/typebox';

/** `GET /health`: the process is up. */
export const Health = Type.Object(
  { status: Type.Literal('up', { description: 'The process is up and responding.' }) },
  { additionalProperties: false, description: 'The process is up.' },
);
export type Health = Static<typeof Health>;

/** `GET /ready`: the database is readable. */
export const Readiness = Type.Object(
  {
    status: Type.Literal('ready', { description: 'The database is readable.' }),
    migration: Type.Integer({ minimum: 1, description: 'The schema version of the database: the number of its last migration.' }),
    sites: Type.Integer({ minimum: 0, description: 'The number of Sites in the database.' }),
  },
  { additionalProperties: false, description: 'The database is readable.' },
);
export type Readiness = Static<typeof Readiness>;
