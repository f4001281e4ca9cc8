import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { CHANGE_KINDS, GapOfChange } from './change.js';
import { SETUP_EQUIPMENT_TYPES } from './equipment.js';
import { HtmlLink, Link } from './hal.js';
import {
  closed,
  enumOf,
  Id,
  Instant,
  NullableDay,
  NullableInstant,
  NullableString,
  orNull,
  Period,
  RecordTime,
  Sha256,
} from './values.js';

/** The most entries on a page of the feed. */
export const MOST_ENTRIES = 100;

const reference = closed('A Setup.', {
  id: Id('the Setup'),
  effectivePeriod: Period('the Setup'),
  _links: closed('Link to the Setup.', { setup: Link }),
});

const device = closed('A device.', {
  type: NullableString('The type of the device.'),
  serialNumber: NullableString('Its serial number.'),
});

const value = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Null()], { description });

const difference = closed('A member, with its values before and after.', {
  member: Type.String({ description: 'The name of a member of the identity or configuration.' }),
  before: value('Its value before; null if unknown.'),
  after: value('Its value after; null if unknown.'),
});

/** An equipment change, in short. */
export const FeedChange = closed('An equipment change, in short.', {
  at: Instant('The time of the change, in UTC.'),
  equipmentType: enumOf(SETUP_EQUIPMENT_TYPES, 'The kind of equipment.'),
  kind: enumOf(CHANGE_KINDS, 'installed, removed, replaced or reconfigured, as in a Change.'),
  before: orNull(
    device,
    'The device in use before the change; null if the change is an installation.',
  ),
  after: orNull(device, 'The device in use after the change; null if the change is a removal.'),
  gap: GapOfChange,
  differences: Type.Array(difference, {
    description:
      'The differing members of the equipment before and after the change. ' +
      'Of a corrected change: before and after the correction.',
  }),
});
export type FeedChange = Static<typeof FeedChange>;

/**
 * What one import or correction changed in the record of a Site. `baseline` is what a database had
 * before it recorded this.
 */
export const FeedEntry = closed('What one import or correction changed in the record of a Site.', {
  id: Type.String({
    description: 'Identifies the entry; also the cursor for the entries after it.',
  }),
  kind: enumOf(
    ['import', 'withdraw', 'restore', 'retire', 'unretire', 'rename', 'baseline'],
    'What changed the record: import, or the kind of a correction. ' +
      'baseline: what was on record before there was a feed.',
  ),
  recordedAt: RecordTime('When this service recorded it, in UTC.'),
  effectiveFrom: NullableInstant(
    'The earliest time from which the equipment at the Site differs from what was on record ' +
      'before, in UTC; null if none does.',
  ),
  site: closed('The Site.', {
    id: Id('the Site'),
    fourCharacterId: Type.String({
      description: 'The four-character id of the Site, as it is now.',
    }),
    nineCharacterId: NullableString('The nine-character id of the Site, as it is now.'),
    name: NullableString('Site Name (site log section 1), as it is now.'),
  }),
  siteLog: closed('The site log that the record followed from then on.', {
    name: Type.String({ description: 'The file name.' }),
    sha256: Sha256,
    datePrepared: NullableDay('Date Prepared (site log section 0), or the date in the file name.'),
  }),
  isNew: Type.Boolean({
    description:
      'True if the Site was never on record before. `changes` is then empty: everything is new.',
  }),
  siteChanged: Type.Boolean({
    description:
      'True if members of the Site changed (such as its name, id or place), or if the Site was ' +
      'retired or is on record again.',
  }),
  setups: closed('Which Setups were added and superseded.', {
    added: Type.Array(reference, {
      description: 'The Setups that have been on record since then.',
    }),
    superseded: Type.Array(reference, { description: 'The Setups that were superseded then.' }),
  }),
  changes: closed(
    'Which equipment changes were added, corrected and superseded. ' +
      'Gaps of at most a day are merged, as in /changes.',
    {
      added: Type.Array(FeedChange, {
        description: 'The changes that have been on record since then, in chronological order.',
      }),
      corrected: Type.Array(FeedChange, {
        description:
          'The changes in which only members of the equipment were corrected, as they are now.',
      }),
      superseded: Type.Array(FeedChange, {
        description: 'The changes that are no longer on record, in chronological order.',
      }),
    },
  ),
  _links: closed('Links to the entry, to the Site and to the page of the Site.', {
    self: Link,
    corsSite: Link,
    alternate: HtmlLink,
  }),
});
export type FeedEntry = Static<typeof FeedEntry>;

/** Entries of the feed, in the order of recording. */
export const Feed = closed('What imports and corrections changed, in the order of recording.', {
  _embedded: closed('The entries of the page.', {
    entries: Type.Array(FeedEntry, {
      description: 'The entries, the oldest first; empty if there is nothing after the cursor.',
    }),
  }),
  _links: closed(
    'next is always there: what comes after these entries, now or later. ' +
      'last has nothing yet; it has what is recorded from now on.',
    { self: Link, next: Link, last: Link },
  ),
});
