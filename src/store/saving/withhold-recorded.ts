import type { PersonalTexts } from '../../site-log/personal-texts.js';
import { readPersonalTexts } from '../../site-log/read.js';
import { writeEquipmentInUse } from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import { writtenAnew } from '../written-text.js';
import { checksumOfRow, isIntact, type Row } from './checksums.js';

/**
 * Withholds contacts in rows that earlier versions saved, as this version does when it reads a log. Rows are changed in place,
 * including superseded ones: what is published must not depend on when a log was imported.
 */

/** The columns in JSON with remarks, by table. Each table has an id and the number of the Site. */
export const REMARKS = { setup: 'equipment_in_use', installation: 'configuration', change: 'document', feed: 'document' } as const;
type RemarksTable = keyof typeof REMARKS;
/** The tables of {@link REMARKS}. */
export const REMARKS_TABLES = Object.keys(REMARKS) as RemarksTable[];

/** A log of a Site, to read its contacts. */
export interface LogWithContacts {
  original: Uint8Array;
  current: boolean;
}

/** A value without personal data in its texts, except those that identify devices. */
function withheldIn(value: unknown, texts: PersonalTexts[]): unknown {
  if (typeof value === 'string') return texts.reduce((text, each) => each.withoutCut(text), value);
  if (Array.isArray(value)) return value.map((each) => withheldIn(each, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === 'id' ? each : withheldIn(each, texts)]));
}

/** A row in which personal data was withheld. */
export interface WithheldRow extends Row {
  id: number;
  checksum: number;
}

/** The contacts of the logs of a Site. */
export class RecordedContacts {
  private readonly current: PersonalTexts[];
  private readonly all: PersonalTexts[];

  constructor(logs: LogWithContacts[]) {
    const read = logs.flatMap(({ original, current }) => {
      const texts = readPersonalTexts(original);
      return texts === null ? [] : [{ texts, current }];
    });
    this.all = read.map(({ texts }) => texts);
    this.current = read.filter(({ current }) => current).map(({ texts }) => texts);
  }

  /** Withholds personal data in rows of a Site. @param rows all columns of the rows of a table @returns the rows that change */
  withheldRows(table: RemarksTable, rows: (Row & { id: number })[]): WithheldRow[] {
    return rows.flatMap((row) => {
      const column = REMARKS[table];
      const text = row[column] as string;
      // Valid rows are compared with what is read of the current log, in which only its own contacts are withheld.
      const texts = row.superseded_at === null ? this.current : this.all;
      if (!texts.some((each) => each.canBeIn(text))) return [];
      const rest = JSON.stringify(withheldIn(JSON.parse(text), texts));
      if (rest === JSON.stringify(JSON.parse(text))) return [];
      const written = table === 'setup' ? (writtenAnew(rest, writeEquipmentInUse as Serialize) ?? rest) : rest;
      // A wrong checksum stays wrong.
      const checksum = isIntact(table, row) ? checksumOfRow(table, { ...row, [column]: written }) : (row.checksum as number);
      return [{ id: row.id, [column]: written, checksum }];
    });
  }
}
