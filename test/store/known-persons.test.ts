import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { copyDatabase } from '../../src/store/upkeep/copy.js';
import { rebuild, verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { importInto, newDatabase, openService } from '../helper.js';
import { rawDatabase } from '../raw-database.js';

/** A contact in one log is withheld in the remarks of other logs, in whatever order they are imported. */

const NAME = 'Erika Quorvblax';
const rereading = { readAgain: readStoredLog, importAgain: readAsImported };
const TABLES = ['site', 'finding', 'setup', 'installation', 'change', 'event', 'equipment', 'person', 'site_to_read'];

/** A log whose contact is named in the remarks of another log. */
const withContact = (contact: string): string => `     AAAA Site Information Form
0.   Form
     Prepared by (full name)  : ${contact}
     Date Prepared            : 2020-01-01
1.   Site Identification
     Four Character ID        : AAAA
3.1  Receiver Type            : R1
     Serial Number            : 1
     Date Installed           : 2011-01-01T00:00Z
`;
const withRemarks = (prepared: string, remark: string): string => `     BBBB Site Information Form
0.   Form
     Date Prepared            : ${prepared}
1.   Site Identification
     Site Name                : Somewhere
     Four Character ID        : BBBB
     Additional Information   : ask ${remark}
3.1  Receiver Type            : R2
     Serial Number            : 2
     Date Installed           : 2011-01-01T00:00Z
     Date Removed             : 2012-01-01 (${remark})
     Additional Information   : updated by ${remark}
3.2  Receiver Type            : R3
     Serial Number            : 3
     Date Installed           : 2012-99-01 ${remark}
     Additional Information   : ${remark.toUpperCase()} knows
`;

const save = (folder: string, name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

for (const order of ['before', 'after', 'together with'] as const) {
  t.test(`a contact of a log that is imported ${order} another one`, async (t) => {
    const folder = t.testdir({});
    const file = await newDatabase(t, join(folder, 'test.sqlite'));
    const content = async (): Promise<string> =>
      JSON.stringify(await Promise.all(TABLES.map((table) => rawDatabase(file).all<object>(`SELECT * FROM ${table} ORDER BY 1`))));
    const contact = save(folder, 'aaaa_20200101.log', withContact(`Dr. ${NAME}, Example Agency`));
    const remarks = save(folder, 'bbbb_20200101.log', withRemarks('2020-01-01', NAME));
    if (order === 'after') {
      await importInto(file, [remarks]);
      t.match(await content(), NAME, 'not known yet');
    }
    if (order === 'before') await importInto(file, [contact]);
    await importInto(file, order === 'together with' ? [remarks, contact] : order === 'before' ? [remarks] : [contact]);
    t.notMatch(await content(), new RegExp(NAME));
    t.notMatch(await content(), new RegExp(NAME.toUpperCase()));
    t.match(await content(), '(withheld)');
    t.strictSame(await rawDatabase(file).all('SELECT name, searched FROM person'), [{ name: NAME.toLowerCase(), searched: 1 }]);

    const before = await content();
    const { saved, unchanged } = await importInto(file, [contact, remarks]);
    t.strictSame([saved, unchanged], [0, 2], 'the same logs change nothing');
    t.equal(await content(), before);
    const { problems, toDeriveAgain } = await verifyDatabase(file, rereading);
    t.strictSame([problems, toDeriveAgain], [[], []]);

    await importInto(file, [save(folder, 'bbbb_20210101.log', withRemarks('2021-01-01', NAME))]);
    t.notMatch(await content(), new RegExp(NAME));
    const setups = await rawDatabase(file).all<{ superseded_at: string | null }>('SELECT superseded_at FROM setup');
    t.ok(
      setups.every(({ superseded_at }) => superseded_at === null),
      'a new log with the same remarks supersedes nothing',
    );
    t.strictSame((await verifyDatabase(file, rereading)).problems, []);
  });
}

t.test('a copy knows the same persons', async (t) => {
  const folder = t.testdir({});
  const [file, copy] = await Promise.all(['a', 'b'].map((name) => newDatabase(t, join(folder, `${name}.sqlite`))));
  await importInto(file!, [save(folder, 'aaaa_20200101.log', withContact(NAME))]);
  await copyDatabase(file!, copy!, () => undefined);
  await importInto(copy!, [save(folder, 'bbbb_20200101.log', withRemarks('2020-01-01', NAME))]);
  t.notMatch(JSON.stringify(await rawDatabase(copy!).all('SELECT configuration FROM installation')), NAME);
});

t.test('a lost person is found again', async (t) => {
  const folder = t.testdir({});
  const file = await newDatabase(t, join(folder, 'test.sqlite'));
  await importInto(file, [save(folder, 'aaaa_20200101.log', withContact(NAME))]);
  await rawDatabase(file).exec('DELETE FROM person');
  t.match((await verifyDatabase(file, rereading)).problems, [{ text: 'person does not match the contacts in the logs', repairable: true }]);
  await rebuild(file, rereading);
  t.strictSame((await verifyDatabase(file, rereading)).problems, []);
});

t.test('an import that was killed before it searched the remarks is completed by the next one', async (t) => {
  const folder = t.testdir({});
  const file = await newDatabase(t, join(folder, 'test.sqlite'));
  await importInto(file, [save(folder, 'bbbb_20200101.log', withRemarks('2020-01-01', NAME))]);
  await rawDatabase(file).exec(`INSERT INTO person (name, searched) VALUES ('${NAME.toLowerCase()}', 0)`);
  await importInto(file, [save(folder, 'aaaa_20200101.log', withContact('Otto Normal'))]);
  t.notMatch(JSON.stringify(await rawDatabase(file).all('SELECT configuration FROM installation')), new RegExp(NAME, 'i'));
});

for (const publishContacts of [false, true]) {
  t.test(`the log in all its forms, publishContacts ${String(publishContacts)}`, async (t) => {
    const { get, importText } = await openService(t, [], { publishContacts });
    await importText(withRemarks('2020-01-01', NAME), 'bbbb_20200101.log');
    await importText(withContact(NAME), 'aaaa_20200101.log');
    const ofLogs = [
      '/siteLogs/1',
      '/siteLogs/1/original',
      '/siteLogs/1?format=text',
      '/siteLogs/1?format=geodesyml',
      '/sites/BBBB/log',
      '/siteLogs',
    ];
    const others = ['/setups?projection=provenance', '/changes', '/feed', '/sites/BBBB', '/exports/installations.csv', '/corsSites/1'];
    for (const path of [...ofLogs, ...others]) {
      const { statusCode, body } = await get(path);
      t.equal(statusCode, 200, path);
      t.equal(new RegExp(NAME, 'i').test(body), publishContacts && ofLogs.includes(path), path);
    }
  });
}
