import { type KnownPersons, personsIn } from '../../site-log/known-persons.js';
import { PersonalTexts } from '../../site-log/personal-texts.js';
import { readPersonalData } from '../../site-log/read.js';
import type { Finding } from '../../site-log/site-log.js';
import { withholdInFindings } from '../../site-log/withhold-record.js';
import { writeEquipmentInUse } from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import { writtenAnew } from '../written-text.js';
import { checksumOfRow, isIntact, type Row } from './checksums.js';

/**
 * Withholds contacts in rows that were saved before these contacts were known, or by earlier versions, just as this version
 * does when it reads a log. Rows are changed in place, including superseded ones: what is published must not depend on when a log was imported.
 */

/** The columns in JSON with remarks, by table. Each table has an id and the number of the Site. */
export const REMARKS = { setup: 'equipment_in_use', installation: 'configuration', change: 'document', feed: 'document' } as const;
type RemarksTable = keyof typeof REMARKS;
/** The tables of {@link REMARKS}. */
export const REMARKS_TABLES = Object.keys(REMARKS) as RemarksTable[];

/** A log of a Site, to read its contacts. */
export interface LogWithContacts {
  id: number;
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

/** What a finding says. */
export interface RecordedFinding {
  site_log_id: number;
  position: number;
  message: string;
  text: string;
}

/** The contacts of the logs of a Site, and those of other logs. */
export class RecordedContacts {
  /** The persons whom the logs of the Site name as contacts. */
  readonly persons: string[];
  private readonly byLog: ReadonlyMap<number, PersonalTexts>;
  private readonly current: PersonalTexts[];
  private readonly all: PersonalTexts[];

  /** @param known persons whom other logs name as contacts */
  constructor(logs: LogWithContacts[], known: KnownPersons) {
    const read = logs.flatMap(({ id, original, current }) => {
      const data = readPersonalData(original);
      return data === null ? [] : [{ id, data, texts: new PersonalTexts(data, known), current }];
    });
    this.persons = read.flatMap(({ data }) => personsIn(data));
    this.byLog = new Map(read.map(({ id, texts }) => [id, texts]));
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

  /** Withholds personal data in findings. @returns those that change */
  withheldFindings(findings: RecordedFinding[]): RecordedFinding[] {
    return findings.flatMap((finding) => {
      const texts = this.byLog.get(finding.site_log_id);
      if (texts === undefined) return [];
      const left: Finding = { file: '', line: 1, level: 'info', message: finding.message, text: finding.text };
      withholdInFindings([left], () => texts);
      const { message, text } = left;
      return message === finding.message && text === finding.text ? [] : [{ ...finding, message, text }];
    });
  }
}
