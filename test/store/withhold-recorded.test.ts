import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { withChecksum } from '../../src/store/save/checksums.js';
import { importInto, newDatabase } from '../helper.js';
import { rawDatabase } from '../raw-database.js';

const logText = (prepared: string, contact: string, receivers: string): string => `     TEST Site Information Form
0.   Form
     Prepared by (full name)  : ${contact}
     Date Prepared            : ${prepared}
1.   Site Identification
     Four Character ID        : TEST
     Additional Information   : ask ${contact}
${receivers}`;
const receiver = (number: number, remark: string): string => `3.${number}  Receiver Type            : R${number}
     Serial Number            : ${number}
     Date Installed           : 20${10 + number}-01-01T00:00Z
     Additional Information   : ${remark}
`;

const WITHHELD = '(withheld)';
/** The columns in JSON with remarks, by table. */
const REMARKS = { setup: 'equipment_in_use', installation: 'configuration', change: 'document', event: 'document' } as const;
const REMARKS_TABLES = Object.keys(REMARKS) as (keyof typeof REMARKS)[];

t.test('the next import withholds contacts in what an earlier version stored', async (t) => {
  const folder = t.testdir({});
  const file = await newDatabase(t, join(folder, 'test.sqlite'));
  const raw = rawDatabase(file);
  const save = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const first = save('test_20200101.log', logText('2020-01-01', 'Erika Muster', receiver(1, 'Erika Muster knows')));
  const second = save('test_20210101.log', logText('2021-01-01', 'Otto Normal', receiver(1, 'as is') + receiver(2, 'Otto Normal knows')));
  await importInto(file, [first]);
  await importInto(file, [second]);
  const content = (): Promise<unknown[]> =>
    Promise.all([...REMARKS_TABLES, 'site', 'finding'].map((table) => raw.all<object>(`SELECT * FROM ${table} ORDER BY 1`)));
  const texts = async (): Promise<string> => JSON.stringify(await content());
  t.notMatch(await texts(), /Muster|Normal/);
  const before = await content();

  // As earlier versions stored it.
  let changed = 0;
  for (const table of REMARKS_TABLES) {
    for (const row of await raw.all<Record<string, string> & { id: number }>(`SELECT * FROM ${table}`)) {
      const column = REMARKS[table];
      const name = String(row[column]).includes('R2') || table === 'installation' ? 'Otto Normal' : 'Erika Muster';
      const text = String(row[column]).replaceAll(WITHHELD, name);
      if (text === row[column]) continue;
      changed++;
      const { checksum } = withChecksum(table, { ...row, [column]: text } as never);
      await raw.exec(`UPDATE ${table} SET ${column} = '${text}', checksum = ${checksum} WHERE id = ${row.id}`);
    }
  }
  t.ok(changed >= 6, `${changed} rows`);
  await raw.exec(`UPDATE site SET notes = 'ask Otto Normal'; INSERT INTO site_to_read SELECT id FROM site`);
  t.match(await texts(), /Muster/);

  const { saved, unchanged } = await importInto(file, [second]);
  t.strictSame([saved, unchanged], [0, 1]);
  t.notMatch(await texts(), /Muster|Normal/);
  t.strictSame(await content(), before, 'the same rows as if this version had stored them');
  t.strictSame((await verifyDatabase(file, { readAgain: readStoredLog, importAgain: readAsImported })).problems, []);
});
