import t from 'tap';
import { findSiteLogFiles, importSiteLogs } from '../../../src/import-site-logs.js';
import { openReader, openWriter } from '../../../src/store/open.js';
import { importInto } from '../../databases.js';
import { SAMPLE } from '../../project-files.js';
import { createDatabase } from '../../postgres/database.js';

const database = await createDatabase(t);
await importInto(database, [SAMPLE]);

t.test('ten thousand rejected files are remembered, without the oldest', async (t) => {
  const store = await openWriter(database);
  const files = Array.from({ length: 10_010 }, (_, index) => ({
    path: `/logs/${index}`,
    sha256: String(index).padStart(64, '0'),
    code: 'no-site-id',
    reason: 'why',
  }));
  const none = (): boolean => false;
  await store.saveRejectedFiles(
    [...files.slice(0, 20), ...files.slice(0, 3)],
    none,
    new Date('2026-01-01'),
  );
  await store.saveRejectedFiles(files.slice(10), none, new Date('2026-01-02'));
  const known = await Promise.all(
    [0, 9, 10, 11, 10_009].map((index) => store.wasRejected(files[index]!.sha256)),
  );
  t.same(known, [false, false, true, true, true]);
  await store.close();
});

t.test('an import that changes nothing leaves the revision, so that caches stay', async (t) => {
  const reader = await openReader(database);
  const version = await reader.database.version();
  const store = await openWriter(database);
  await importSiteLogs(
    await findSiteLogFiles([SAMPLE]),
    store,
    () => new Date(),
    () => undefined,
    { recordImport: false },
  );
  t.equal(await reader.database.version(), version);
  await store.saveLastImport({
    finishedAt: '2026-01-01T00:00:00Z',
    saved: 0,
    unchanged: 8,
    outdated: 0,
    rejected: 0,
    skipped: 0,
  });
  t.not(await reader.database.version(), version);
  await store.close();
  await reader.close();
});
