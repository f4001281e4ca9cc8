import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openUpToDate, readAsImported } from '../../src/import-site-logs.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { BEFORE_2, oldDatabase } from '../migrations/old-database.js';
import { SAMPLE } from '../project-files.js';
import { rawDatabase } from '../raw-database.js';
import { appOver } from '../same-answers.js';
import { openService } from '../service.js';

/** Requests whose answers are made of what is stored of logs. */
const URLS = [
  '/siteLogs?size=1000',
  '/siteLogs?size=1000&projection=written',
  '/siteLogs?size=1000&projection=datePrepared',
  '/siteLogs/1',
  '/siteLogs/2?format=text',
  '/siteLogs/3?format=geodesyml',
  '/sites/ALIC/log',
  '/sites/ALIC/findings',
];

/** The answers of a service that begins now. */
async function answersOf(t: Test, database: string, publishContacts = false): Promise<string[]> {
  const store = await openReader(database);
  const app = await appOver(store, publishContacts);
  t.teardown(async () => {
    await app.close();
    await store.close();
  });
  const answers = await Promise.all(URLS.map((url) => app.inject(url)));
  return answers.map(({ statusCode, body }) => `${statusCode} ${body}`);
}

/** Lets an import begin and end, without files. */
async function renew(database: string, dryRun = false): Promise<void> {
  await (await openUpToDate(database, { dryRun })).close();
}

const versionsIn = async (database: string): Promise<number[]> => {
  const rows = await rawDatabase(database).all<{ version: number }>(
    'SELECT DISTINCT version FROM published_log',
  );
  return rows.map(({ version }) => Number(version));
};

t.test('GET /siteLogs sends what was stored when the log was imported', async (t) => {
  const { database, get, importText } = await openService(t);
  await importText({ name: 'Old name', place: { 'City or Town': 'Town' } });
  await rawDatabase(database).exec(
    `UPDATE published_log SET content = replace(content, 'Old name', 'Stored')`,
  );
  const { body } = await get('/siteLogs');
  t.match(body, '"siteName":"Stored"');
});

for (const publishContacts of [false, true]) {
  t.test(
    `what another version stored is published until the next import renews it, contacts ${publishContacts ? 'published' : 'withheld'}`,
    async (t) => {
      const { database } = await openService(t, [SAMPLE]);
      const raw = rawDatabase(database);
      const before = await answersOf(t, database, publishContacts);
      t.ok(before.every((answer) => answer.startsWith('200 ')));
      const version = await versionsIn(database);
      t.equal(version.length, 1);
      // As one that wrote members in another order, some more, and other spaces.
      await raw.exec(
        `UPDATE published_log SET version = 1,
          content = replace(content, '{"contactsWithheld":', '{ "foreign":1, "contactsWithheld":')`,
      );
      t.same(await answersOf(t, database, publishContacts), before);
      await renew(database, true);
      t.same(await versionsIn(database), [1], 'a dry run changes nothing');
      await renew(database);
      t.same(await versionsIn(database), version);
      t.same(await answersOf(t, database, publishContacts), before);
      t.same((await verifyDatabase(database, readAsImported)).problems, []);

      // As one that lacked a member, and one that stored nothing.
      await raw.exec(
        `UPDATE published_log SET version = 1, content = '{"contactsWithheld":true}' WHERE site_log_id < 4`,
      );
      await raw.exec(
        `UPDATE published_log SET version = 0, content = '', sections = substr(sections, 1, 9) WHERE site_log_id >= 4`,
      );
      t.same(await answersOf(t, database, publishContacts), before);
      await renew(database);
      await renew(database);
      t.same(await answersOf(t, database, publishContacts), before);
    },
  );
}

t.test('a database of before answers the same until and after the next import', async (t) => {
  const database = await oldDatabase(t, join(t.testdir(), 'old.sqlite'), BEFORE_2);
  // As if the process had ended between the migration and the first log.
  await (await openWriter(database)).close();
  t.same(await versionsIn(database), [0]);
  const before = await answersOf(t, database);
  await renew(database);
  t.notSame(await versionsIn(database), [0]);
  t.same(await answersOf(t, database), before);
});

t.test('verify finds what does not follow from a log', async (t) => {
  const { database } = await openService(t, [SAMPLE]);
  const raw = rawDatabase(database);
  await raw.exec(`UPDATE published_log SET bytes = bytes + 1 WHERE site_log_id = 2`);
  await raw.exec(`UPDATE published_log SET content = content || ' ' WHERE site_log_id = 3`);
  await raw.exec(`UPDATE published_log SET version = 1, content = '' WHERE site_log_id = 4`);
  const { problems } = await verifyDatabase(database, readAsImported);
  t.match(
    problems.map(({ text }) => text),
    [/site_log 2 /, /site_log 3 /],
  );
  t.equal(problems.length, 2);
});

t.test('the ids and the country are those of the Site, whatever the log contains', async (t) => {
  const { get, importText } = await openService(t);
  const name = '"fourCharacterId":"","nineCharacterId":null,"countryCode":"XXX",\\"';
  await importText({ id: 'ABCD', name, country: 'Nowhere' }, 'a.log');
  await importText({ id: 'ABCD00AUS', prepared: '2019-01-01', country: '' }, 'b.log');
  await importText({ id: 'WXYZ00NZL', name, country: 'AUS' }, 'c.log');
  const { _embedded } = (await get('/siteLogs')).json<{
    _embedded: {
      siteLogs: {
        siteIdentification: Record<string, string | null>;
        siteLocation: Record<string, string | null>;
      }[];
    };
  }>();
  const shown = _embedded.siteLogs.map(({ siteIdentification, siteLocation }) => [
    siteIdentification.siteName,
    siteIdentification.fourCharacterId,
    siteIdentification.nineCharacterId,
    siteLocation.countryCode,
  ]);
  t.same(shown, [
    [name, 'ABCD', 'ABCD00AUS', 'AUS'],
    [name, 'WXYZ', 'WXYZ00NZL', 'AUS'],
  ]);
});
