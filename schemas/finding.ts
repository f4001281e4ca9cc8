import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Link, ListLinks, pageOf } from './hal.js';
import {
  closed,
  enumOf,
  Id,
  idsOfSite,
  NullableInteger,
  NullableString,
  RecordTime,
} from './values.js';

/** The levels of findings in logs that were not rejected. */
export const FINDING_LEVELS = ['info', 'warning'] as const;

/** Something that was found in the current site log of a Site. */
export const SiteFinding = closed('Something that was found in the current site log of a Site.', {
  siteId: Id('the Site'),
  ...idsOfSite,
  siteLogId: Id('the site log'),
  code: Type.String({ description: 'The code of the finding, which never changes.' }),
  level: enumOf(
    FINDING_LEVELS,
    'info: the log deviates from the form. warning: a value was lost, or is probably wrong.',
  ),
  line: Type.Integer({
    minimum: 1,
    description:
      'The line of the imported file, counted from 1; the first line, if there are several.',
  }),
  lastLine: NullableInteger('The last of several lines; null if the finding is about one line.', {
    minimum: 1,
  }),
  section: NullableString('The section or item of the text form, such as 3.2. Null: none.'),
  message: Type.String({ description: 'What was found.' }),
  text: Type.String({
    description:
      'The text that it was found in; empty if there is none, or if it is about a contact.',
  }),
  advice: Type.String({ description: 'What to do.' }),
  others: Type.Array(
    closed('A further place.', {
      line: Type.Integer({ minimum: 1, description: 'The line of the file.' }),
      lastLine: NullableInteger('The last of several lines; null for one.', { minimum: 1 }),
      section: NullableString('The section or item of the text form. Null: none.'),
      text: Type.String({ description: 'The text that it was found in there; empty without one.' }),
    }),
    { description: 'Where the log has the same again.' },
  ),
  recordedAt: RecordTime('When this service imported the log, in UTC.'),
  _links: closed('Links to the finding, to the Site and to the site log.', {
    self: Link,
    corsSite: Link,
    siteLog: Link,
  }),
});
export type SiteFinding = Static<typeof SiteFinding>;

/** The properties by which findings are sorted; `site` is the four-character id. */
export const FINDING_ORDERS = ['site', 'code', 'level', 'recordedAt', 'line'] as const;

/** One page of findings, by Site and line unless `sort` is given. */
export const SiteFindingCollection = pageOf('findings', 'findings', SiteFinding, ListLinks);
