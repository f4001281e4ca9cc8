import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { closed, DAY, Instant, orNull, RecordTime } from './values.js';

/** `GET /health`: the process is up. */
export const Health = closed('The process is up.', {
  status: Type.Literal('up', { description: 'The process is up and responding.' }),
});
export type Health = Static<typeof Health>;

const files = (outcome: string) =>
  Type.Integer({ minimum: 0, description: `How many files ${outcome}.` });

/** The last completed import. An interrupted one is not recorded. */
const LastImport = closed('The last completed import.', {
  finishedAt: Instant('When the import ended, in UTC.'),
  saved: files('were saved'),
  unchanged: files('were unchanged'),
  outdated: files('were saved, but another log of the Site wins'),
  rejected: files('were rejected'),
  skipped: files('were skipped, because they are not site logs'),
});
export type LastImport = Static<typeof LastImport>;

/** The newest of the current site logs. */
const NewestLog = closed('The newest of the current site logs, by Date Prepared.', {
  datePrepared: Type.String({ pattern: DAY, description: 'Date Prepared, `YYYY-MM-DD`.' }),
  ageInDays: Type.Integer({ minimum: 0, description: 'The number of days since then, in UTC.' }),
});
export type NewestLog = Static<typeof NewestLog>;

/** `GET /ready`: the database is readable. */
export const Readiness = closed('The database is readable.', {
  status: Type.Literal('ready', { description: 'The database is readable.' }),
  version: orNull(Type.String(), 'The version of the service; null if unknown.'),
  revision: orNull(Type.String(), 'The commit that it was built from; null if unknown.'),
  migration: Type.Integer({
    minimum: 1,
    description: 'The schema version of the database: the number of its last migration.',
  }),
  sites: Type.Integer({ minimum: 0, description: 'The number of Sites in the database.' }),
  lastImport: orNull(LastImport, 'The last completed import; null if there is none.'),
  newestLog: orNull(
    NewestLog,
    'The newest of the current site logs; null if none has a Date Prepared.',
  ),
  rejectedFiles: Type.Integer({
    minimum: 0,
    description: 'The number of files that the last import of their path rejected.',
  }),
  recordTimeInFuture: Type.Optional(
    RecordTime(
      'The last record time; only if it lies in the future. An import had a wrong clock, or this ' +
        'clock is wrong: until then, asOf does not find what was saved since.',
    ),
  ),
});
export type Readiness = Static<typeof Readiness>;
