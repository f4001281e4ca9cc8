import t from 'tap';
import { parseOrigins } from '../../../src/cli/line/setting-values.js';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { CURRENT } from '../answers.js';

const LOOKUP = `${CURRENT}?id=ALIC`;
const ORIGIN = 'https://map.example.org';

const namesOf = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'vary');

t.test('without allowed origins, nothing is added', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  t.same(namesOf((await get(LOOKUP, { origin: ORIGIN })).headers), []);
});

t.test('the fields of CORS are added only for requests with an allowed origin', async (t) => {
  const { get, app } = await openService(t, [SAMPLE], {
    corsOrigins: [ORIGIN, 'http://localhost:3000'],
  });
  t.same(
    namesOf((await get(LOOKUP)).headers),
    [],
    'without Origin, the header fields are exactly those of the contract',
  );
  for (let time = 0; time < 2; time++) {
    t.match(
      (await get(LOOKUP, { origin: ORIGIN })).headers,
      { 'access-control-allow-origin': ORIGIN, vary: 'Origin' },
      'cached or not',
    );
  }
  t.same(namesOf((await get(LOOKUP, { origin: 'https://evil.example.org' })).headers), ['vary']);
  t.match(
    (await get('/nothing', { origin: ORIGIN })).headers,
    { 'access-control-allow-origin': ORIGIN },
    'errors too',
  );
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: LOOKUP,
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-requested-with',
    },
  });
  const allowed = {
    'access-control-allow-methods': /GET/,
    'access-control-allow-headers': '*',
    allow: /GET/,
  };
  t.match(
    [preflight.statusCode, preflight.headers],
    [204, { 'access-control-allow-origin': ORIGIN, ...allowed }],
  );
  const plain = await app.inject({ method: 'OPTIONS', url: LOOKUP });
  t.same(namesOf(plain.headers), []);
});

t.test('a star allows all origins', async (t) => {
  const { get } = await openService(t, [SAMPLE], { corsOrigins: ['*'] });
  t.match((await get(LOOKUP, { origin: 'null' })).headers, { 'access-control-allow-origin': '*' });
  t.same(namesOf((await get(LOOKUP)).headers), []);
});

t.test('origins are checked', async (t) => {
  t.same(parseOrigins('*'), ['*']);
  t.same(parseOrigins('https://a.example, http://[::1]:8080'), [
    'https://a.example',
    'http://[::1]:8080',
  ]);
  for (const text of [
    '',
    'a.example',
    'https://a.example/',
    'HTTPS://a.example',
    'https://a.example,',
    'ftp://a',
  ])
    t.throws(() => parseOrigins(text), /is not an origin/, text);
});
