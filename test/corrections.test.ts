import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import type { Finding } from '../src/findings/findings.js';
import { readAsImported, readStoredLog } from '../src/import-site-logs.js';
import { parseSiteId } from '../src/requests/site-id.js';
import type { Correction } from '../src/store/save/corrections.js';
import { openWriter } from '../src/store/open.js';
import { verifyDatabase } from '../src/store/upkeep/maintenance.js';
import { openService, type Service } from './service.js';
import { violations } from './violations.js';

const CURRENT = '/setups/search/findCurrentByFourCharacterId?id=';
const right = {
  prepared: '2020-01-01',
  receivers: [{ type: 'RIGHT', serial: '1', from: '2001-01-01' }],
};
const wrong = {
  prepared: '2021-01-01',
  receivers: [{ type: 'WRONG', serial: '2', from: '2001-01-01' }],
};

async function correct(
  { database }: Service,
  site: string,
  correction: Correction,
  dryRun = false,
) {
  const store = await openWriter(database, { dryRun, create: false });
  // The service reads the version of the database once per turn of the event loop, because other
  // processes commit.
  await setImmediate();
  return store
    .correct(parseSiteId(site), correction, () => new Date(), readStoredLog)
    .finally(() => store.close());
}

const typeOf = async ({ get }: Service, id = 'TEST') =>
  (await get(CURRENT + id)).json<{ equipmentInUse?: { content: { id: { type: string } } }[] }>()
    .equipmentInUse?.[0]?.content.id.type;

t.test(
  'the log with a later date can be withdrawn and restored, while the service runs',
  async (t) => {
    const service = await openService(t);
    const { store, importText, get } = service;
    await importText(wrong, 'wrong.log');
    t.match(await importText(right, 'right.log'), { older: 1 });
    t.equal(await typeOf(service), 'WRONG');

    t.match(await correct(service, 'TEST', { kind: 'withdraw', log: 1 }, true), {
      kind: 'corrected',
      current: { name: 'right.log' },
    });
    t.equal(await typeOf(service), 'WRONG', 'a dry run changes nothing');
    t.match(await correct(service, 'TEST', { kind: 'withdraw', log: 1 }), {
      kind: 'corrected',
      added: 1,
      invalidated: 1,
    });
    t.equal(await typeOf(service), 'RIGHT', 'at the next request');
    t.match((await get('/setups/1?projection=provenance')).json(), {
      invalidated: true,
      provenance: { siteLog: { name: 'wrong.log', withdrawnAt: /^2/ } },
    });
    t.match(await store.logs.findOfSite(parseSiteId('TEST')), {
      found: {
        logs: [
          { id: 1, name: 'wrong.log', current: false, withdrawnAt: /^2/ },
          { id: 2, name: 'right.log', current: true, withdrawnAt: null },
        ],
      },
    });
    t.match(await importText(wrong, 'wrong.log'), {
      older: 1,
      files: [{ findings: [{ code: 'withdrawn-log' }] }],
    });
    t.equal(await typeOf(service), 'RIGHT', 'importing it again does not bring it back');

    t.match(await correct(service, 'TEST', { kind: 'withdraw', log: 2 }), {
      kind: 'corrected',
      current: null,
      invalidated: 1,
    });
    t.match(await correct(service, 'TEST', { kind: 'restore', log: 2 }), {
      kind: 'corrected',
      isCurrent: true,
      added: 1,
    });
    t.match(await correct(service, 'TEST', { kind: 'withdraw', log: 1 }), {
      kind: 'refused',
      reason: /already/,
    });
    t.match(await correct(service, 'TEST', { kind: 'withdraw', log: 9 }), {
      kind: 'refused',
      reason: /no log 9/,
    });
    t.equal(await typeOf(service), 'RIGHT');
    t.match(await correct(service, 'TEST', { kind: 'restore', log: 1 }), {
      kind: 'corrected',
      current: { name: 'wrong.log' },
    });
    t.equal(await typeOf(service), 'WRONG');
  },
);

t.test(
  'a log whose date is more than a day from now loses against any log without such a ' +
    'date, in any order',
  async (t) => {
    const now = new Date('2021-03-01T12:00Z');
    for (const [prepared, type] of [
      ['2021-03-02', 'WRONG'],
      ['2021-03-03', 'RIGHT'],
    ] as const) {
      const future = { ...wrong, prepared };
      for (const order of [
        [right, future],
        [future, right],
      ]) {
        const service = await openService(t);
        for (const [index, log] of order.entries())
          await service.importText(log, `${index}.log`, now);
        t.equal(await typeOf(service), type, prepared);
      }
    }
  },
);

t.test(
  'a retired Site leaves the collections and lookups, stays on record, and can come back',
  async (t) => {
    const service = await openService(t);
    const { get, importText } = service;
    await importText(right, 'right.log', new Date('2020-01-02'));
    await correct(service, 'TEST', { kind: 'retire' });
    const gone = await get(`${CURRENT}TEST`);
    t.equal(gone.statusCode, 404);
    t.match(gone.json(), { type: /retired-site$/, retiredAt: /^2/ });
    t.equal((await get('/sites/TEST')).statusCode, 404);
    t.match((await get('/corsSites/1')).json(), { type: /retired-site$/ });
    for (const path of ['/corsSites', '/gnssReceivers', '/changes', '/setups?current=true']) {
      t.match((await get(path)).json(), { page: { totalElements: 0 } }, path);
    }
    t.match((await get('/ready')).json(), { sites: 0 });
    t.match((await get(`${CURRENT}TEST&asOf=2020-01-03`)).json(), { id: 1 });
    t.match((await get('/setups/1')).json(), { invalidated: true });
    t.match(await correct(service, 'TEST', { kind: 'retire' }), { kind: 'refused' });
    t.match(await importText(wrong, 'wrong.log'), {
      older: 1,
      files: [{ findings: [{ code: 'retired-site' }] }],
    });
    t.equal((await get(`${CURRENT}TEST`)).statusCode, 404);

    await correct(service, 'TEST', { kind: 'unretire' });
    t.equal(await typeOf(service), 'WRONG', 'with the log that came meanwhile');
    t.match((await get('/corsSites')).json(), { page: { totalElements: 1 } });
  },
);

t.test(
  'a lookup of many Sites gives the reason that the problem for one of them has',
  async (t) => {
    const service = await openService(t);
    const { get, importText } = service;
    for (const id of ['CCCC00CHL', 'CCCC00NZL', 'OLDE', 'GONE'])
      await importText({ ...right, id }, `${id.toLowerCase()}_20200101.log`);
    await importText({ id: 'NODT', receivers: [{ type: 'R3' }] }, 'nodt_20200101.log');
    await correct(service, 'OLDE', { kind: 'rename', to: parseSiteId('NEWE') });
    await correct(service, 'GONE', { kind: 'retire' });
    const expected: [id: string, reason: string][] = [
      ['CCCC', 'ambiguous-site'],
      ['OLDE', 'renamed-site'],
      ['GONE', 'retired-site'],
      ['NODT', 'no-current-setup'],
      ['XXXX', 'unknown-site'],
    ];
    for (const [id, reason] of expected) {
      const { type } = (await get(CURRENT + id)).json<{ type: string }>();
      t.equal(type, `urn:gnss-site-setups:problem:${reason}`, id);
    }
    const ids = expected.map(([id]) => `id=${id}`).join('&');
    const many = (await get(`/setups/search/findCurrentByFourCharacterIdIn?${ids}`)).json<{
      notFound: { id: string; reason: string }[];
    }>();
    t.same(violations('SetupList', many), []);
    t.same(
      many.notFound.map(({ id, reason }) => [id, reason]),
      expected,
    );
  },
);

t.test('a retired Site follows its best log, so that verify finds nothing', async (t) => {
  const service = await openService(t);
  const nine = { ...right, id: 'TEST00AUS', place: { 'City or Town': 'Alpha' } };
  await service.importText(nine, 'nine.log');
  await service.importText({ ...right, place: { 'City or Town': 'Beta' } }, 'four.log');
  const verify = async () => {
    const { problems } = await verifyDatabase(service.database, readAsImported);
    return problems;
  };
  await correct(service, 'TEST', { kind: 'retire' });
  for (const log of [2, 1]) {
    await correct(service, 'TEST', { kind: 'withdraw', log });
    t.strictSame(await verify(), [], `without log ${log}`);
  }
  for (const log of [1, 2]) {
    await correct(service, 'TEST', { kind: 'restore', log });
    t.strictSame(await verify(), [], `with log ${log}`);
  }
  await correct(service, 'TEST', { kind: 'withdraw', log: 2 });
  await correct(service, 'TEST', { kind: 'unretire' });
  t.strictSame(await verify(), [], 'after it came back');
  const site = (await service.get('/corsSites/1')).json<{ location: { city: string } }>();
  t.equal(site.location.city, 'Alpha');
});

t.test(
  'a Site whose logs were withdrawn while it was retired comes back without equipment',
  async (t) => {
    const service = await openService(t);
    await service.importText(right);
    for (const kind of ['retire', 'withdraw', 'unretire'] as const)
      await correct(service, 'TEST', kind === 'withdraw' ? { kind, log: 1 } : { kind });
    t.match((await service.get(CURRENT + 'TEST')).json(), { type: /no-current-setup$/ });
    const sites = async (query: string) =>
      (await service.get(`/corsSites?${query}`)).json<{ page: { totalElements: number } }>().page;
    t.match(await sites('q=test'), { totalElements: 1 });
    t.match(await sites('q=right'), { totalElements: 0 });
    if (process.env.TEST_DATABASE === undefined)
      t.same((await verifyDatabase(service.database, readAsImported)).problems, []);
    await correct(service, 'TEST', { kind: 'restore', log: 1 });
    t.equal(await typeOf(service), 'RIGHT');
    t.match(await sites('q=right'), { totalElements: 1 });
  },
);

t.test(
  'after a rename, the command names the other Sites with the same four characters',
  async (t) => {
    const service = await openService(t);
    for (const id of ['SAME00DEU', 'SAME00AUS', 'SAME00CAN', 'ELSE00NZL'])
      await service.importText({ ...right, id }, `${id}.log`);
    await correct(service, 'SAME00CAN', { kind: 'retire' });
    const renamed = await correct(service, 'ELSE', {
      kind: 'rename',
      to: parseSiteId('SAME00NZL'),
    });
    t.match(renamed, { kind: 'corrected' });
    t.same(
      (renamed as { sharedWith: string[] }).sharedWith,
      ['SAME00AUS', 'SAME00DEU'],
      'the retired one is none of them',
    );
  },
);

t.test(
  'a renamed Site keeps its Setups, the old id leads to the new one, and logs of the old ' +
    'id are saved for it',
  async (t) => {
    const service = await openService(t);
    const { get, importText } = service;
    await importText({ ...right, id: 'TEST00AUS' }, 'right.log');
    await importText({ ...right, id: 'OTHE00AUS' }, 'other.log');
    t.match(await correct(service, 'TEST00AUS', { kind: 'rename', to: parseSiteId('OTHE00AUS') }), {
      kind: 'refused',
      reason: /taken/,
    });
    t.match(await correct(service, 'TEST00AUS', { kind: 'rename', to: parseSiteId('TSET') }), {
      kind: 'refused',
      reason: /give nine/,
    });
    await correct(service, 'TEST', { kind: 'rename', to: parseSiteId('TSET00AUS') });
    t.match((await get(`${CURRENT}TSET`)).json(), { id: 1 });
    for (const old of ['TEST', 'TEST00AUS']) {
      const response = await get(CURRENT + old);
      t.equal(response.statusCode, 404);
      const { renamedTo } = response.json<{ renamedTo: { id: string; href: string } }>();
      t.equal(renamedTo.id, 'TSET00AUS');
      t.match((await get(renamedTo.href)).json(), { id: 1 });
    }
    t.match(await importText({ ...wrong, id: 'TEST00AUS' }, 'wrong.log'), {
      saved: 1,
      files: [{ findings: [{ code: 'renamed-site', values: { site: 'TSET00AUS' } }] }],
    });
    t.equal(await typeOf(service, 'TSET'), 'WRONG');
    await correct(service, 'TSET', { kind: 'rename', to: parseSiteId('TEST00AUS') });
    t.equal(await typeOf(service, 'TEST00AUS'), 'WRONG', 'and back');
    t.match((await get(`${CURRENT}TSET`)).json(), { renamedTo: { id: 'TEST00AUS' } });
  },
);

t.test('a correction keeps the findings of the import', async (t) => {
  const service = await openService(t);
  const future = { ...right, prepared: '2099-01-01' };
  const finding = {
    level: 'warning',
    code: 'future-date',
    text: '2099-01-01',
  };
  t.match(await service.importText(future), { saved: 1, files: [{ findings: [finding] }] });
  await correct(service, 'TEST', { kind: 'retire' });
  await correct(service, 'TEST', { kind: 'unretire' });
  t.match(await service.importText(future), {
    saved: 0,
    unchanged: 1,
    files: [{ findings: [finding] }],
  });
});

t.test('a log that a rename left to another Site does not become current', async (t) => {
  const service = await openService(t);
  const { importText, store } = service;
  await importText({ ...right, id: 'TEST00AUS' }, 'right.log');
  await importText({ ...right, id: 'OTHE00AUS' }, 'other.log');
  await correct(service, 'TEST', { kind: 'rename', to: parseSiteId('TSET00AUS') });
  await importText({ ...wrong, id: 'TSET00AUS' }, 'wrong.log');
  t.equal(await typeOf(service, 'TSET'), 'WRONG');
  t.match(await correct(service, 'OTHE', { kind: 'rename', to: parseSiteId('TEST00AUS') }), {
    kind: 'corrected',
  });

  t.match(await correct(service, 'TSET', { kind: 'withdraw', log: 3 }), {
    kind: 'refused',
    reason:
      /^log 1 \(right\.log\) would become current, but is of TEST00AUS, not of TSET00AUS; withdraw it, or leave it withdrawn$/,
  });
  t.equal(await typeOf(service, 'TSET'), 'WRONG', 'nothing has changed');
  t.match(await store.logs.findOfSite(parseSiteId('TSET')), {
    found: {
      logs: [
        { id: 3, current: true, withdrawnAt: null },
        { id: 1, current: false, withdrawnAt: null },
      ],
    },
  });
  t.match(await correct(service, 'TSET', { kind: 'withdraw', log: 1 }), { kind: 'corrected' });
  t.match(await correct(service, 'TSET', { kind: 'withdraw', log: 3 }), {
    kind: 'corrected',
    current: null,
  });
});

t.test(
  'a log says for which Site it is saved if that has other ids, as far as both are known',
  async (t) => {
    const service = await openService(t);
    const { importText } = service;
    let year = 2010;
    /** What the import of a later log finds. */
    const found = async (id: string): Promise<Finding[]> => {
      year++;
      const log = { ...right, id, prepared: `${year}-01-01` };
      const { saved, files } = await importText(log, `${id}_${year}.log`);
      t.equal(saved, 1, id);
      return files[0]!.findings;
    };
    for (const id of ['TEST', 'TEST', 'TEST00AUS', 'TEST00AUS', 'TEST'])
      t.same(await found(id), [], id);
    await correct(service, 'TEST', { kind: 'rename', to: parseSiteId('TEST00NZL') });
    t.match(await found('TEST00AUS'), [{ code: 'renamed-site', values: { site: 'TEST00NZL' } }]);
    t.same(await found('TEST'), []);
  },
);

t.test('a device is spelled as in the newest log that is left', async (t) => {
  const service = await openService(t);
  const log = (id: string, prepared: string, serial: string) => ({
    id,
    prepared,
    receivers: [{ type: 'R1', serial, from: '2001-01-01' }],
  });
  await service.importText(log('AAAA', '2020-01-01', 'k1'), 'a1.log');
  await service.importText(log('AAAA', '2022-01-01', 'k1'), 'a2.log');
  await service.importText(log('BBBB', '2021-01-01', 'K1'), 'b1.log');
  const spelling = async () =>
    (await service.get('/gnssReceivers/1')).json<{ serialNumber: string }>().serialNumber;
  t.equal(await spelling(), 'k1');
  t.match(await correct(service, 'AAAA', { kind: 'withdraw', log: 2 }), {
    kind: 'corrected',
    added: 0,
    invalidated: 0,
  });
  t.equal(await spelling(), 'K1', 'the log of BBBB is now the newest');
});
