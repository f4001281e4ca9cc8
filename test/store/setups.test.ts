import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { parseSiteId } from '../../src/requests/site-id.js';
import { readable } from '../../src/store/read/setups/records.js';
import type { SetupAnswer } from '../../src/store/read/setups/setups.js';
import { aboutFiles } from '../databases.js';
import { correct } from '../http/answers.js';
import { openService } from '../service.js';
import type { SyntheticLog } from '../synthetic-log.js';

const log = (id: string, version = 1): SyntheticLog => ({
  id,
  prepared: `200${version}-02-01`,
  receivers: [{ type: `R${version}`, serial: id, from: '2001-01-01' }],
});
const CURRENT = { at: null, asOf: null, projection: null } as const;

const typeOf = (answer: SetupAnswer): string | null =>
  answer.kind === 'found' ? readable(answer.setup).equipmentInUse[0]!.content.id.type : answer.kind;

t.test(
  'findMany reads one committed state, even if there are commits meanwhile',
  aboutFiles,
  async (t) => {
    const { database, store, importText } = await openService(t);
    for (const id of ['AAAA', 'BBBB']) await importText(log(id), `${id}.log`);
    // Repeatedly writes the same number into the Setups of both Sites, in one transaction.
    const writer = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
     const db = new (require('better-sqlite3'))(workerData);
     const update = db.prepare("UPDATE setup SET equipment_in_use = json_set(equipment_in_use, '$[0].content.id.type', ?)");
     for (let number = 0; ; number++) {
       update.run(String(number));
       if (number === 0) parentPort.postMessage('writing');
     }`,
      { eval: true, workerData: database },
    );
    t.teardown(() => writer.terminate());
    await once(writer, 'message');
    const sites = Array.from({ length: 1000 }, (_, index) =>
      parseSiteId(index % 2 === 0 ? 'AAAA' : 'BBBB'),
    );
    const states = new Set<string | null>();
    // On a busy machine, several reads can see the same state.
    while (states.size <= 10) {
      const types = new Set((await store.setups.findMany(sites, CURRENT)).map(typeOf));
      t.equal(types.size, 1, `one state, not ${types.size}`);
      for (const type of types) states.add(type);
    }
  },
);

t.test('a Site gets its current Setup while a lookup asks why it has none', async (t) => {
  const service = await openService(t);
  const { store, importText } = service;
  const receivers = [
    { type: 'OLD', serial: '1', from: '2001-01-01', to: '2002-01-01' },
    { type: 'NEW', serial: '2', from: '2002-01-01' },
  ];
  await importText({ ...log('TEST'), receivers });
  const site = parseSiteId('TEST');
  await correct(service, 'TEST', { kind: 'withdraw', log: 1 });
  t.equal(typeOf(await store.setups.findOne(site, CURRENT)), 'no-current-setup');
  const { database } = store;
  const get = database.get.bind(database);
  let asked = 0;
  database.get = async (statement) => {
    asked++;
    if (asked === 2) await correct(service, 'TEST', { kind: 'restore', log: 1 });
    return get(statement);
  };
  t.equal(typeOf(await store.setups.findOne(site, CURRENT)), 'NEW');
  t.equal(asked, 2);
});

t.test('provenance as of a day does not reveal that the Setup was superseded later', async (t) => {
  const { store, importText } = await openService(t);
  await importText(log('TEST', 1), 'a.log', new Date('2020-01-01T00:00:00Z'));
  await importText(log('TEST', 2), 'b.log', new Date('2020-03-01T00:00:00Z'));
  const site = parseSiteId('TEST');
  const search = { at: null, projection: 'provenance' } as const;
  for (const at of [null, '2010-01-01T00:00:00Z']) {
    const then = await store.setups.findOne(site, {
      ...search,
      at,
      asOf: '2020-02-01T00:00:00.000Z',
    });
    t.match(then, {
      setup: { invalidated: false, provenance: { siteLog: { name: 'a.log' }, supersededAt: null } },
    });
  }
  t.match(await store.setups.findMany([site], { ...search, asOf: '2020-02-01T00:00:00.000Z' }), [
    { setup: { provenance: { supersededAt: null } } },
  ]);
  t.match(await store.setups.findById(1, 'provenance'), {
    provenance: { supersededAt: '2020-03-01T00:00:00.000Z' },
  });
});
