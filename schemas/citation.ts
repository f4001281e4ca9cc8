import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Link } from './hal.js';
import { ComparedLog } from './log-comparison.js';
import { SiteOfSetup } from './setup.js';
import { closed, NullableInstant, NullableString, orNull, RecordTime } from './values.js';

/** What to state about an answer, so that others can have it again. */
export const Citation = closed('What to state about an answer, so that others can have it again.', {
  service: Type.String({ description: 'The name of the service.' }),
  version: NullableString(
    'The version of the service; null if unknown. Another one may write the same values otherwise.',
  ),
  network: NullableString('The network; null if the operator has not named it.'),
  site: orNull(SiteOfSetup, 'The Site; null unless the request names exactly one.'),
  at: NullableInstant('The time at the station that the answer is about; null if none was given.'),
  asOf: RecordTime(
    'When what the answer says was on record: the record time of the newest import or correction.',
  ),
  siteLog: orNull(ComparedLog, 'The site log of the Site; null if there is no such Site or log.'),
  url: Type.String({ description: 'The URL that gives the same answer again.' }),
  _links: closed('Links of the citation.', {
    self: Link,
    changes: Link,
  }),
});
export type Citation = Static<typeof Citation>;
