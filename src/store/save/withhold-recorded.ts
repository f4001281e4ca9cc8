import sql, { raw } from 'sql-template-tag';
import { writeEquipmentInUse } from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import { type KnownPersons, personsIn } from '../../site-log/known-persons.js';
import { PersonalTexts } from '../../site-log/personal-texts.js';
import { readPersonalData } from '../../site-log/read.js';
import type { Finding } from '../../site-log/site-log.js';
import { withholdInFindings } from '../../site-log/withhold-record.js';
import type { Transaction } from '../database.js';
import { type CheckedTable, coveredBy, isIntact, withChecksum } from './checksums.js';
import { writtenAnew } from './texts.js';

/**
 * Withholds contacts in rows that were saved before these contacts were known, or by earlier versions, just as this version
 * does when it reads a log. Rows are changed in place, including superseded ones: what is published must not depend on when a log was imported.
 */

/** The columns in JSON with remarks, by table. Each table has an id and the number of the Site. */
const REMARKS = { setup: 'equipment_in_use', installation: 'configuration', change: 'document', event: 'document' } as const;
type RemarksTable = keyof typeof REMARKS;
const REMARKS_TABLES = Object.keys(REMARKS) as RemarksTable[];

/** A row as this file reads it. */
type Row = Record<string, string | number | null> & { checksum: number };

/** A value without personal data in its texts, except those that identify devices. */
function withheldIn(value: unknown, texts: PersonalTexts[]): unknown {
  if (typeof value === 'string') return texts.reduce((text, each) => each.withoutCut(text), value);
  if (Array.isArray(value)) return value.map((each) => withheldIn(each, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === 'id' ? each : withheldIn(each, texts)]));
}

/** A row after a change of some columns. A wrong checksum stays wrong. */
const changed = <Table extends CheckedTable>(table: Table, row: Row, values: Partial<Row>): Row => {
  const after = { ...row, ...values };
  return isIntact(table, row) ? (withChecksum(table, after as never) as unknown as Row) : (after as Row);
};

/** The contacts of a log. */
interface Contacts {
  log: number;
  current: boolean;
  texts: PersonalTexts;
}

/**
 * Withholds contacts in the rows of a Site.
 * @param known persons whom other logs name as contacts
 * @returns the persons whom the logs of the Site name
 */
export async function withholdRecorded(transaction: Transaction, site: number, known: KnownPersons): Promise<string[]> {
  const logs = await transaction.all<{ id: number; original: Uint8Array; superseded_at: string | null }>(
    sql`SELECT id, original, superseded_at FROM site_log WHERE site_id = ${site}`,
  );
  const persons: string[] = [];
  const contacts = logs.flatMap(({ id, original, superseded_at }): Contacts[] => {
    const data = readPersonalData(original);
    if (data === null) return [];
    persons.push(...personsIn(data));
    return [{ log: id, current: superseded_at === null, texts: new PersonalTexts(data, known) }];
  });
  for (const table of REMARKS_TABLES) await withholdInRows(transaction, table, site, contacts);
  await withholdInRecordedFindings(transaction, contacts);
  return persons;
}

async function withholdInRows(transaction: Transaction, table: RemarksTable, site: number, contacts: Contacts[]): Promise<void> {
  const column = REMARKS[table];
  const columns = raw([...coveredBy(table), 'checksum'].join(', '));
  const rows = await transaction.all<Row>(sql`SELECT ${columns} FROM ${raw(table)} WHERE site_id = ${site} AND ${raw(column)} IS NOT NULL`);
  const found = rows.flatMap((row) => {
    const text = row[column] as string;
    // Valid rows are compared with what is read of the current log, in which only its own contacts are withheld.
    const texts = contacts.filter(({ current }) => current || row.superseded_at !== null).map((each) => each.texts);
    if (!texts.some((each) => each.canBeIn(text))) return [];
    const rest = JSON.stringify(withheldIn(JSON.parse(text), texts));
    if (rest === JSON.stringify(JSON.parse(text))) return [];
    const written = table === 'setup' ? (writtenAnew(rest, writeEquipmentInUse as Serialize) ?? rest) : rest;
    return [changed(table, row, { [column]: written })];
  });
  await transaction.update(table, [column, 'checksum'] as never, found);
}

async function withholdInRecordedFindings(transaction: Transaction, contacts: Contacts[]): Promise<void> {
  for (const { log, texts } of contacts) {
    const rows = await transaction.all<Row & { message: string; text: string }>(sql`SELECT * FROM finding WHERE site_log_id = ${log}`);
    const found = rows.flatMap((row) => {
      const left: Finding = { file: '', line: 1, level: 'info', message: row.message, text: row.text };
      withholdInFindings([left], () => texts);
      const { message, text } = left;
      return message === row.message && text === row.text ? [] : [changed('finding', row, { message, text })];
    });
    await transaction.update('finding', ['message', 'text', 'checksum'], found);
  }
}
