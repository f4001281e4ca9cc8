import t from 'tap';
import { parseSiteId } from '../../src/requests/site-id.js';

t.test('an id of four or nine characters, in either case', async (t) => {
  t.same(parseSiteId('alic'), { fourCharacterId: 'ALIC', nineCharacterId: null });
  t.same(parseSiteId('1LSU'), { fourCharacterId: '1LSU', nineCharacterId: null });
  t.same(parseSiteId('Alic00aus'), { fourCharacterId: 'ALIC', nineCharacterId: 'ALIC00AUS' });
});
