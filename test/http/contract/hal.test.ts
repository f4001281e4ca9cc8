import t from 'tap';
import { SETUP_NAME, SETUPS } from '../../../schemas/index.js';
import { setupResource } from '../../../src/http/contract/hal.js';
import { JsonText } from '../../../src/serializers/json-text.js';
import { serializerOf } from '../../../src/serializers/serializers.js';
import type { SetupRecord } from '../../../src/store/read/setups/records.js';

const SETUP: SetupRecord = {
  id: 7,
  siteId: 3,
  name: SETUP_NAME,
  effectivePeriod: { from: '2010-06-01T08:00:00Z', to: '2012-01-01T00:00:00Z' },
  invalidated: false,
  equipmentInUse: [],
  current: false,
};

t.test('a Setup with stored text is written as its schema writes it', async (t) => {
  const write = serializerOf(SETUPS.element);
  const setups: SetupRecord[] = [
    SETUP,
    { ...SETUP, invalidated: true },
    { ...SETUP, effectivePeriod: { ...SETUP.effectivePeriod, to: null }, current: true },
    { ...SETUP, gaps: null },
    { ...SETUP, site: { fourCharacterId: 'ALIC', nineCharacterId: null, name: null } },
  ];
  for (const setup of setups) {
    for (const base of ['http://localhost', 'https://example.org/a"b']) {
      const stored = { ...setup, equipmentInUse: new JsonText<never[]>('[]') };
      const expected = write(setupResource(base, setup, false));
      t.equal(write(setupResource(base, stored, false)), expected);
      t.match(JSON.parse(expected), { ...setup, _links: { self: { href: `${base}/setups/7` } } });
    }
  }
});
