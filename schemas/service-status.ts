import { Type, type Static } from '@sinclair/typebox';

/** `GET /health`: the process lives. */
export const Health = Type.Object(
  { status: Type.Literal('up', { description: 'The process lives and answers.' }) },
  { additionalProperties: false, description: 'The process lives.' },
);
export type Health = Static<typeof Health>;

/** `GET /ready`: the store answers. */
export const Readiness = Type.Object(
  {
    status: Type.Literal('ready', { description: 'The store answers.' }),
    migration: Type.Integer({ minimum: 1, description: 'The number of the last migration of the database.' }),
    sites: Type.Integer({ minimum: 0, description: 'How many Sites the database holds.' }),
  },
  { additionalProperties: false, description: 'The store answers.' },
);
export type Readiness = Static<typeof Readiness>;
