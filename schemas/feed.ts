import { type Static, Type } from '@sinclair/typebox';
import { CHANGE_KINDS, Gap } from './change.js';
import { SETUP_EQUIPMENT_TYPES } from './equipment.js';
import { HtmlLink, Link } from './hal.js';
import { RecordTime } from './setup.js';
import { Instant, NullableInstant, NullableString, Period, Sha256 } from './values.js';

/** What can change the record of a Site. `baseline` is what a database had before it recorded this. */
export const FEED_KINDS = ['import', 'withdraw', 'restore', 'retire', 'unretire', 'rename', 'baseline'] as const;

/** The most entries on a page of the feed. */
export const MOST_ENTRIES = 100;

const reference = (description: string) =>
  Type.Object(
    {
      id: Type.Integer({ minimum: 1, description: 'Identifies the Setup.' }),
      effectivePeriod: Period('the Setup'),
      _links: Type.Object({ setup: Link }, { additionalProperties: false, description: 'Link to the Setup.' }),
    },
    { additionalProperties: false, description },
  );

const device = (description: string) =>
  Type.Union(
    [
      Type.Object(
        {
          type: NullableString({ description: 'The type of the device.' }),
          serialNumber: NullableString({ description: 'Its serial number.' }),
        },
        { additionalProperties: false, description: 'A device.' },
      ),
      Type.Null(),
    ],
    { description },
  );

const value = (description: string) => Type.Union([Type.String(), Type.Number(), Type.Null()], { description });

const difference = Type.Object(
  {
    member: Type.String({ description: 'The name of a member of the identity or configuration.' }),
    before: value('Its value before; null if unknown.'),
    after: value('Its value after; null if unknown.'),
  },
  { additionalProperties: false, description: 'A member, with its two values.' },
);

/** An equipment change, in short. */
export const FeedChange = Type.Object(
  {
    at: Instant({ description: 'The time of the change, in UTC.' }),
    equipmentType: Type.Union(
      SETUP_EQUIPMENT_TYPES.map((type) => Type.Literal(type)),
      { description: 'The kind of equipment.' },
    ),
    kind: Type.Union(
      CHANGE_KINDS.map((kind) => Type.Literal(kind)),
      { description: 'installed, removed, replaced or reconfigured, as in a Change.' },
    ),
    before: device('The device in use before the change; null if the change is an installation.'),
    after: device('The device in use after the change; null if the change is a removal.'),
    gap: Type.Union([Gap, Type.Null()], {
      description: 'The time between the removal and the installation, if these are one change; otherwise null.',
    }),
    differences: Type.Array(difference, {
      description:
        'The differing members of the equipment before and after the change. Of a corrected change: before and after the correction.',
    }),
  },
  { additionalProperties: false, description: 'An equipment change, in short.' },
);
export type FeedChange = Static<typeof FeedChange>;

/** What one import or correction changed in the record of a Site. */
export const FeedEntry = Type.Object(
  {
    id: Type.String({ description: 'Identifies the entry; the cursor of what comes after it.' }),
    kind: Type.Union(
      FEED_KINDS.map((kind) => Type.Literal(kind)),
      {
        description: 'What changed the record: import, or the kind of a correction. baseline: what was on record before there was a feed.',
      },
    ),
    recordedAt: RecordTime('When this service recorded it, in UTC.'),
    effectiveFrom: NullableInstant({
      description:
        'The earliest time from which the equipment at the Site differs from what was on record before, in UTC; null if none does.',
    }),
    site: Type.Object(
      {
        id: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
        fourCharacterId: Type.String({ description: 'The four-character id of the Site, as it is now.' }),
        nineCharacterId: NullableString({ description: 'The nine-character id of the Site, as it is now.' }),
        name: NullableString({ description: 'Site Name (site log section 1), as it is now.' }),
      },
      { additionalProperties: false, description: 'The Site.' },
    ),
    siteLog: Type.Object(
      {
        name: Type.String({ description: 'The file name.' }),
        sha256: Sha256,
        datePrepared: NullableString({
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
          description: 'Date Prepared (site log section 0), or the date in the file name.',
        }),
      },
      { additionalProperties: false, description: 'The site log that the record followed from then on.' },
    ),
    isNew: Type.Boolean({ description: 'True if the Site was never on record before. `changes` is then empty: everything is new.' }),
    siteChanged: Type.Boolean({
      description: 'True if members of the Site changed (such as its name, id or place), or if the Site was retired or is on record again.',
    }),
    setups: Type.Object(
      {
        added: Type.Array(reference('A Setup.'), { description: 'The Setups that are on record since then.' }),
        superseded: Type.Array(reference('A Setup.'), { description: 'The Setups that are superseded since then.' }),
      },
      { additionalProperties: false, description: 'Which Setups were added and superseded.' },
    ),
    changes: Type.Object(
      {
        added: Type.Array(FeedChange, { description: 'The changes that are on record since then, in chronological order.' }),
        corrected: Type.Array(FeedChange, {
          description: 'The changes of which only members of the equipment are on record differently since then, as they are now.',
        }),
        superseded: Type.Array(FeedChange, { description: 'The changes that no longer are, in chronological order.' }),
      },
      {
        additionalProperties: false,
        description: 'Which equipment changes were added, corrected and superseded. Gaps of at most a day are merged, as in /changes.',
      },
    ),
    _links: Type.Object(
      { corsSite: Link, alternate: HtmlLink },
      { additionalProperties: false, description: 'Links to the Site and to its page.' },
    ),
  },
  { additionalProperties: false, description: 'What one import or correction changed in the record of a Site.' },
);
export type FeedEntry = Static<typeof FeedEntry>;

/** Entries of the feed, in the order of recording. */
export const Feed = Type.Object(
  {
    _embedded: Type.Object(
      { entries: Type.Array(FeedEntry, { description: 'The entries, the oldest first; empty if there is nothing after the cursor.' }) },
      { additionalProperties: false, description: 'The entries of the page.' },
    ),
    _links: Type.Object(
      { self: Link, next: Link, last: Link },
      {
        additionalProperties: false,
        description:
          'next is always there: what comes after these entries, now or later. last has nothing yet; it has what is recorded from now on.',
      },
    ),
  },
  { additionalProperties: false, description: 'What imports and corrections changed, in the order of recording.' },
);
