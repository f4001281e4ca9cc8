import { Type, type Static } from '@sinclair/typebox';

/** What is wrong with one query parameter. */
export const InvalidParameter = Type.Object(
  {
    name: Type.String({ description: 'The name of the parameter.' }),
    value: Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], {
      description: 'The value as sent, shortened where it is long; a list where it was sent more than once; null where it is missing.',
    }),
    allowed: Type.String({ description: 'What is allowed.' }),
  },
  { additionalProperties: false, description: 'What is wrong with one query parameter.' },
);
export type InvalidParameter = Static<typeof InvalidParameter>;

/** An error, told as a problem document (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Identifies the kind of problem: a URN of this service, or about:blank (RFC 9457, 3.1.1).' }),
    title: Type.String({ description: 'The kind of problem in a few words; the same for each problem of a type.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status code.' }),
    detail: Type.Optional(Type.String({ description: 'What happened with this request.' })),
    instance: Type.Optional(Type.String({ description: 'Names this occurrence: the id of the request in the log of the service.' })),
    firstSetupFrom: Type.Optional(
      Type.String({ description: 'Where the Site has Setups, and none at the instant asked for: when the first begins, in UTC.' }),
    ),
    invalidParameters: Type.Optional(Type.Array(InvalidParameter, { description: 'The query parameters that were refused.' })),
  },
  { additionalProperties: false, description: 'An error, told as a problem document (RFC 9457).' },
);
export type Problem = Static<typeof Problem>;
