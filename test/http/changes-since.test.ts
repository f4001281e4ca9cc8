import t, { type Test } from 'tap';
import type { Change, ExportedChange } from '../../schemas/index.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openWriter } from '../../src/store/open.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openService, type Service } from '../service.js';
import type { SyntheticLog } from '../synthetic-log.js';
import { type Paged, read } from './answers.js';

/** What has changed in the record since a time: `recordedSince` of changes, and the feed in rows. */

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

const OLD = {
  type: 'LEICA GR10',
  serial: '17',
  from: '2001-01-01T00:00Z',
  to: '2010-01-01T00:00Z',
};
const NEW = { type: 'LEICA GR50', serial: '18', from: '2010-01-01T00:00Z' };
const FIRST: SyntheticLog = { id: 'CAST', prepared: '2011-01-01', receivers: [OLD, NEW] };

/** A change as `2010 replaced 17/18`, with `withdrawn` if it was. */
const shown = ({ at, kind, before, after, gap, withdrawn }: Change | ExportedChange): string => {
  const serial = (item: Change['before']): string => item?.content.id.serialNumber ?? '';
  const words = [at.slice(0, 4), kind, `${serial(before)}/${serial(after)}`];
  if (gap !== null) words.push('merged');
  if (typeof withdrawn === 'string') words.push(`withdrawn ${withdrawn.slice(8, 10)}`);
  return words.join(' ');
};

/** The changes since the beginning of a day, which collection and export agree about. */
async function since(t: Test, service: Service, number: number, more = ''): Promise<string[]> {
  const query = `recordedSince=${day(number).toISOString()}${more}`;
  const page = await read<Paged<Change>>(t, service, 'ChangeCollection', `/changes?${query}`);
  const { changes } = page._embedded as unknown as { changes: Change[] };
  for (const change of changes) {
    t.ok('withdrawn' in change);
    const alone = await read<Change>(t, service, 'Change', change._links.self.href);
    t.equal(shown(alone), shown(change), 'its own URL answers the same, also if it is withdrawn');
  }
  const { body } = await service.get(`/exports/changes.ndjson?${query}`);
  const lines = body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedChange);
  const listed = changes.map(shown).sort();
  t.same(lines.map(shown).sort(), listed);
  return listed;
}

async function correct(service: Service, id: string, correction: Correction, now: Date) {
  const writer = await openWriter(service.database);
  const { kind } = await writer
    .correct(parseSiteId(id), correction, () => now, readStoredLog)
    .finally(() => writer.close());
  if (kind !== 'corrected') throw new Error(`${correction.kind} is ${kind}`);
}

t.test('changes that only end later, or are spelt differently, have not changed', async (t) => {
  const service = await openService(t);
  await service.importText(FIRST, 'first.log', day(1));
  const ended = { ...NEW, to: '2019-05-01T00:00Z' };
  const third = { type: 'LEICA GR50', serial: '19', from: '2019-05-01T00:00Z' };
  const second = { ...FIRST, prepared: '2019-06-01', receivers: [OLD, ended, third] };
  await service.importText(second, 'second.log', day(2));
  t.same(await since(t, service, 1), [
    '2001 installed /17',
    '2010 replaced 17/18',
    '2019 replaced 18/19',
  ]);
  t.same(await since(t, service, 2), ['2019 replaced 18/19']);
  const respelt = { ...OLD, type: 'leica  gr10' };
  await service.importText(
    { ...second, prepared: '2019-07-01', receivers: [respelt, ended, third] },
    'third.log',
    day(3),
  );
  t.same(await since(t, service, 3), []);
  t.same(await since(t, service, 2), ['2019 replaced 18/19']);
  const other = { ...OLD, more: { 'Firmware Version': '1.10' } };
  await service.importText(
    { ...second, prepared: '2019-08-01', receivers: [other, ended, third] },
    'fourth.log',
    day(4),
  );
  t.same(await since(t, service, 4), [
    '2001 installed /17',
    '2001 installed /17 withdrawn 04',
    '2010 replaced 17/18',
    '2010 replaced 17/18 withdrawn 04',
  ]);
});

t.test('changes that were on record then and no longer are have "withdrawn"', async (t) => {
  const service = await openService(t);
  await service.importText(FIRST, 'first.log', day(1));
  const before = await service.get('/exports/changes.csv');
  const moved = [
    { ...OLD, to: '2011-01-01T00:00Z' },
    { ...NEW, from: '2011-01-01T00:00Z' },
  ];
  await service.importText({ ...FIRST, prepared: '2012-01-01', receivers: moved }, 'b.log', day(2));
  t.same(await since(t, service, 2), ['2010 replaced 17/18 withdrawn 02', '2011 replaced 17/18']);
  t.same(await since(t, service, 2, '&from=2011-01-01'), ['2011 replaced 17/18']);
  t.same(await since(t, service, 2, '&kind=installed'), []);
  t.same(await since(t, service, 2, '&site=CAST'), await since(t, service, 2));
  t.same(await since(t, service, 1), ['2001 installed /17', '2011 replaced 17/18']);
  const page = await service.get('/changes?recordedSince=2026-01-02', { accept: 'text/html' });
  t.match(page.body, /[Ww]ithdrawn from the record/);

  const csv = await service.get('/exports/changes.csv?recordedSince=2026-01-02');
  t.match(csv.body.split('\r\n')[0], /,withdrawn$/);
  const plain = await service.get('/exports/changes.csv');
  t.equal(plain.body.split('\r\n')[0], before.body.split('\r\n')[0]);
  t.notMatch((await service.get('/changes')).body, /withdrawn/);

  await correct(service, 'CAST', { kind: 'withdraw', log: 2 }, day(3));
  t.same(await since(t, service, 3), ['2010 replaced 17/18', '2011 replaced 17/18 withdrawn 03']);
  t.same(await since(t, service, 2), [], 'the record says the same as on the first day');
  t.same(await since(t, service, 1), ['2001 installed /17', '2010 replaced 17/18']);
  await correct(service, 'CAST', { kind: 'retire' }, day(4));
  t.same(await since(t, service, 4), [
    '2001 installed /17 withdrawn 04',
    '2010 replaced 17/18 withdrawn 04',
  ]);
  t.same(await since(t, service, 5), []);
});

t.test(
  'a merged change counts if one of its parts changed; withdrawn ones are apart',
  async (t) => {
    const service = await openService(t);
    const gone = { ...OLD, to: '2010-01-01T00:00Z' };
    await service.importText({ ...FIRST, receivers: [gone] }, 'a.log', day(1));
    const back = { ...NEW, from: '2010-01-01T06:00Z' };
    await service.importText(
      { ...FIRST, prepared: '2012-01-01', receivers: [gone, back] },
      'b.log',
      day(2),
    );
    t.same(await since(t, service, 2), ['2010 replaced 17/18 merged']);
    t.same(await since(t, service, 2, '&mergeGaps=PT0S'), ['2010 installed /18']);
    await correct(service, 'CAST', { kind: 'withdraw', log: 2 }, day(3));
    t.same(await since(t, service, 3), ['2010 installed /18 withdrawn 03']);
  },
);

t.test('of two equal changes, one can be withdrawn', async (t) => {
  const service = await openService(t);
  const sensor = { type: 'HMP45', serial: '', from: '2001-01-01', to: '(CCYY-MM-DD)' };
  const log = { id: 'TWIN', prepared: '2011-01-01', sensors: [sensor, sensor] };
  await service.importText(log, 'a.log', day(1));
  t.equal((await since(t, service, 1)).length, 2);
  await service.importText({ ...log, prepared: '2012-01-01', sensors: [sensor] }, 'b.log', day(2));
  t.same(await since(t, service, 2), ['2001 installed / withdrawn 02']);
  await service.importText({ ...log, prepared: '2013-01-01' }, 'c.log', day(3));
  t.same(await since(t, service, 3), ['2001 installed /']);
  t.same(await since(t, service, 2), []);
});

t.test('/exports/feed.csv has the feed in rows', async (t) => {
  const service = await openService(t);
  await service.importText(FIRST, 'first.log', day(1));
  const other = { ...NEW, serial: '81' };
  await service.importText(
    { ...FIRST, prepared: '2012-01-01', receivers: [OLD, other] },
    'b.log',
    day(2),
  );
  await correct(service, 'CAST', { kind: 'retire' }, day(3));
  const csv = (await service.get('/exports/feed.csv')).body.trimEnd().split('\r\n');
  const names = csv[0]!.split(',');
  const rows = csv.slice(1).map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
  t.match(rows, [
    { event: 'import', isNew: 'true', outcome: '', setupsAdded: '2', logName: 'first.log' },
    {
      event: 'import',
      outcome: 'corrected',
      at: '2010-01-01T00:00:00Z',
      kind: 'replaced',
      serialNumberAfter: '81',
      differences: 'serialNumber: 18 -> 81',
      datePrepared: '2012-01-01',
    },
    { event: 'retire', outcome: 'superseded', kind: 'installed' },
    { event: 'retire', outcome: 'superseded', kind: 'replaced' },
  ]);
  t.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  const { _embedded } = (await service.get('/feed')).json<{
    _embedded: { entries: { id: string }[] };
  }>();
  t.same(
    [...new Set(rows.map(({ entry }) => entry))],
    _embedded.entries.map(({ id }) => id),
  );
  const late = (await service.get('/exports/feed.csv?recordedSince=2026-01-03')).body;
  t.equal(late.trimEnd().split('\r\n').length, 3);
  const line = (await service.get('/exports/feed.ndjson')).body.split('\n')[1]!;
  t.match(JSON.parse(line), { outcome: 'corrected', change: { differences: [{ after: '81' }] } });
});
