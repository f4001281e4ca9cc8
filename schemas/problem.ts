import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { closed } from './values.js';

/** An invalid query or path parameter. */
export const InvalidParameter = closed('An invalid query or path parameter.', {
  name: Type.String({ description: 'The name of the parameter.' }),
  value: Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], {
    description:
      'The value sent, shortened if it is long; ' +
      'a list if the parameter was repeated; null if it is missing.',
  }),
  reason: Type.String({
    description: 'Why it is refused, as a phrase that follows its name: `is missing`.',
  }),
  allowed: Type.String({ description: 'What the parameter accepts.' }),
});
export type InvalidParameter = Static<typeof InvalidParameter>;

const NineCharacterSite = closed('A Site that has or had the requested four characters.', {
  nineCharacterId: Type.String({ description: 'The id of the Site.' }),
  href: Type.String({ description: 'The URL of the same request for this Site.' }),
});

const RenamedSite = closed('The id that the Site has now.', {
  id: Type.String({
    description: 'The nine-character id of the Site, or its four-character id if it has no other.',
  }),
  href: Type.String({ description: 'The URL of the same request for this id.' }),
});

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

/** An error, as a problem document (RFC 9457). */
export const Problem = closed('An error, as a problem document (RFC 9457).', {
  type: Type.String({
    description:
      'Identifies the problem type: a URN defined by this service, or about:blank (RFC ' +
      '9457, section 3.1.1).',
  }),
  title: Type.String({
    description: 'A short summary of the problem type, the same for every occurrence.',
  }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status code.' }),
  detail: optionalText('What is wrong with this request, and what is allowed, in one sentence.'),
  instance: optionalText('Identifies this occurrence: the request id in the service log.'),
  firstSetupFrom: optionalText(
    'The start of the first Setup of the Site, in UTC. ' +
      'Present if the requested instant is before it.',
  ),
  candidates: Type.Optional(
    Type.Array(NineCharacterSite, {
      description:
        'The Sites that have or had the requested four characters, if there are several.',
    }),
  ),
  retiredAt: optionalText('When the Site was retired, in UTC, with milliseconds.'),
  renamedTo: Type.Optional(RenamedSite),
  links: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ href: Type.String() }, { additionalProperties: false }),
      {
        description:
          'Links to what answers the request: the same log without its contacts, by form; ' +
          'or the request that was probably meant.',
      },
    ),
  ),
  invalidParameters: Type.Optional(
    Type.Array(InvalidParameter, { description: 'The invalid parameters.' }),
  ),
});
export type Problem = Static<typeof Problem>;
