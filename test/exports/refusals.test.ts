import t from 'tap';
import { run as exportCommand } from '../../src/cli/commands/export.js';
import { run as sitesCommand } from '../../src/cli/commands/sites.js';
import { siteFilterOf } from '../../src/exports/filters.js';
import { RequestRefused } from '../../src/exports/refusals.js';
import { exportTable } from '../../src/exports/tables.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { correct, refused } from '../http/answers.js';
import { openService, type Service } from '../service.js';
import { logText } from '../synthetic-log.js';

/**
 * Two Sites with the same four characters, one that was renamed, and one with what no file can say.
 */
let service: Service;
t.before(async () => {
  service = await openService(t);
  for (const id of ['CCCC00CHL', 'CCCC00NZL', 'OLDE'])
    await service.importText(logText({ id, receivers: [{ type: 'R', from: '2001-01-01' }] }));
  await correct(service, 'OLDE', { kind: 'rename', to: parseSiteId('NEWE') });
});

/** The reason for which a request is refused. */
async function reasonOf(answer: Promise<unknown>): Promise<RequestRefused['reason']> {
  const error: unknown = await answer.then(
    () => null,
    (refused: unknown) => refused,
  );
  if (!(error instanceof RequestRefused)) throw new Error(`not refused: ${String(error)}`);
  return error.reason;
}

t.test('a refusal says what is wrong, without links, titles or statuses', async (t) => {
  const { store } = service;
  t.same(await reasonOf(siteFilterOf(store, { near: '0,0' })), {
    kind: 'invalid-parameters',
    parameters: [
      {
        name: 'near',
        value: '0,0',
        reason: 'is given without radius',
        allowed: 'a place together with radius.',
      },
    ],
  });
  t.match(
    await reasonOf(exportTable(store, { name: 'sites', format: 'csv' }, { at: 'x' }, new Date())),
    {
      kind: 'invalid-parameters',
      parameters: [{ name: 'at', value: 'x' }],
    },
  );
  t.same(await reasonOf(siteFilterOf(store, { site: ['newe', 'cccc'] })), {
    kind: 'unresolved-site',
    parameter: 'site',
    asked: 'CCCC',
    answer: {
      kind: 'ambiguous-site',
      candidates: ['CCCC00CHL', 'CCCC00NZL'],
      asked: { fourCharacterId: 'CCCC', nineCharacterId: null },
    },
    asOf: null,
  });
});

t.test('HTTP adds links to the same request with the other id', async (t) => {
  const others = 'site=newe&site=CCCC00NZL';
  for (const [path, query] of [
    ['/setups', 'recordedSince=2020-01-01&size=3'],
    ['/exports/setups.geojson', 'recordedSince=2020-01-01'],
    ['/exports/offsets.snx', 'from=2001-01-01'],
    ['/findings', 'page=1'],
    ['/feed.atom', 'size=1'],
  ] as const) {
    const url = `${path}?site=newe&site=cccc&${query}`;
    const { candidates } = await refused(t, service, url, 409, 'ambiguous-site');
    const { href } = candidates![1]!;
    const asked = new URL(href);
    t.equal(asked.pathname, path);
    t.same(
      [...asked.searchParams].map((pair) => pair.join('=')).sort(),
      `${others}&${query}`.split('&').sort(),
      url,
    );
    t.equal((await service.get(asked.pathname + asked.search)).statusCode, 200, href);
  }
  const renamed = await refused(t, service, '/changes?site=olde', 404, 'renamed-site');
  t.same(renamed.renamedTo, { id: 'NEWE', href: 'http://localhost:80/changes?site=NEWE' });
});

t.test('the command line makes each refusal an error of usage, without links', async (t) => {
  const settings = { database: service.database, baseUrl: null, networkName: null };
  for (const [name, query, message] of [
    [
      'sites',
      'near=0,0',
      '--query near=0,0 is given without radius; expected latitude,longitude in degrees, ',
    ],
    ['setups', 'at=x', '--query at=x is not a time; expected '],
    ['changes', 'mergeGaps=x', '--query mergeGaps=x is not a duration; expected '],
    [
      'installations',
      'countryCode=AU',
      '--query countryCode=AU is not a country code (did you mean AUS?); expected ',
    ],
    ['snx', 'site=CCCC', '2 Sites have or had the id CCCC: CCCC00CHL, CCCC00NZL.'],
    ['rinex.zip', 'site=olde', 'OLDE is now NEWE.'],
    ['sta', 'site=XXXX', 'No Site has the id XXXX.'],
  ] as const) {
    const answer = exportCommand({ settings, flags: { query: [query] }, arguments: [name] });
    const error = await answer.then(String, (refusal: Error) => refusal);
    t.match(error, { name: 'UsageError' }, query);
    t.ok((error as Error).message.startsWith(message), String(error));
  }
  await t.rejects(sitesCommand({ settings, flags: { site: ['CCCC'] }, arguments: [] }), {
    name: 'UsageError',
    message: '2 Sites have or had the id CCCC: CCCC00CHL, CCCC00NZL.',
  });
  await t.rejects(sitesCommand({ settings, flags: { radius: '3' }, arguments: [] }), {
    name: 'UsageError',
    message:
      '--radius "3" is given without near; expected a number of kilometres up to 20100, together with near',
  });
});
