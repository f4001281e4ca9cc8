import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Link, ListLinks, Page } from './hal.js';
import { closed, enumOf, NullableDay, NullableInteger, NullableString } from './values.js';

/** One of two site logs that were compared. */
export const ComparedLog = closed('A site log.', {
  id: NullableInteger('Its number; null for a file.'),
  name: Type.String({ description: 'The name of its file.' }),
  datePrepared: NullableDay('Date Prepared; null: unknown.'),
});
export type ComparedLog = Static<typeof ComparedLog>;

/** What can have happened to an item or a value. */
const CHANGES_OF_LOGS = ['changed', 'added', 'removed'] as const;

/** One value that changed, or one item that was added or removed. */
const LogChange = closed('A value that changed, or an item that was added or removed.', {
  section: Type.String({ description: 'The section, as in a site log: gnssAntennas.' }),
  number: NullableString(
    'Its number in the newer log (if removed, in the older): 4.2; ' +
      'null if the text form has none.',
  ),
  item: Type.String({ description: 'The kind of item: Antenna.' }),
  change: enumOf(CHANGES_OF_LOGS, 'What happened.'),
  member: NullableString('The value: antennaRadomeType; null for an item.'),
  value: NullableString('The name in words: radome; null for an item.'),
  before: NullableString(
    'The value as written in the older log, or the item in words; null if missing or blank.',
  ),
  after: NullableString('The same in the newer log.'),
  beforeLine: NullableInteger('The line in the older file.'),
  afterLine: NullableInteger('The line in the newer file.'),
});
export type LogChange = Static<typeof LogChange>;

/** What changed between two versions of a site log. */
export const LogComparison = closed('What changed between two versions of a site log.', {
  older: ComparedLog,
  newer: ComparedLog,
  contactsCompared: Type.Boolean({
    description: 'Whether contacts were compared.',
  }),
  changes: Type.Array(LogChange, { description: 'Those of this page, in the order of the form.' }),
  page: Page,
  _links: closed('Links.', {
    ...ListLinks.properties,
    older: Link,
    newer: Link,
  }),
});
export type LogComparison = Static<typeof LogComparison>;
