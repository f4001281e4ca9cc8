import { type Static, Type } from '@sinclair/typebox';
import { Link, Page } from './hal.js';
import { NullableString } from './values.js';
import { RecordTime } from './setup.js';

/** The levels of findings in logs that were not rejected. */
export const FINDING_LEVELS = ['info', 'warning'] as const;

/** Something that was found in the current site log of a Site. */
export const SiteFinding = Type.Object(
  {
    siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
    fourCharacterId: Type.String({ description: 'The four-character id of the Site.' }),
    nineCharacterId: NullableString({ description: 'The nine-character id of the Site.' }),
    siteLogId: Type.Integer({ minimum: 1, description: 'Identifies the site log.' }),
    code: Type.String({ description: 'The code of the finding, which never changes.' }),
    level: Type.Union(
      FINDING_LEVELS.map((level) => Type.Literal(level)),
      { description: 'info: the log deviates from the form. warning: a value was lost, or is probably wrong.' },
    ),
    line: Type.Integer({ minimum: 1, description: 'The line of the imported file, counted from 1.' }),
    section: NullableString({ description: 'The section or item of the text form, such as 3.2. Null: none.' }),
    message: Type.String({ description: 'What was found.' }),
    text: Type.String({ description: 'The text that it was found in; empty if there is none, or if it is about a contact.' }),
    advice: Type.String({ description: 'What to do.' }),
    recordedAt: RecordTime('When this service imported the log, in UTC.'),
    _links: Type.Object(
      { corsSite: Link, siteLog: Link },
      { additionalProperties: false, description: 'Links to the Site and to the site log.' },
    ),
  },
  { additionalProperties: false, description: 'Something that was found in the current site log of a Site.' },
);
export type SiteFinding = Static<typeof SiteFinding>;

const pageLinks = Type.Object(
  { first: Type.Optional(Link), prev: Type.Optional(Link), self: Link, next: Type.Optional(Link), last: Type.Optional(Link) },
  { additionalProperties: false, description: 'Links from this page. Links to other pages repeat the query parameters of the request.' },
);

/** One page of findings, by Site and line. */
export const SiteFindingCollection = Type.Object(
  {
    _embedded: Type.Object(
      { findings: Type.Array(SiteFinding, { description: 'The findings on this page.' }) },
      { additionalProperties: false, description: 'The elements of the page.' },
    ),
    _links: pageLinks,
    page: Page,
  },
  { additionalProperties: false, description: 'One page of findings.' },
);
