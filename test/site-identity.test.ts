import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import type { Problem } from '../schemas/index.js';
import { readStoredLog } from '../src/import-site-logs.js';
import { parseSiteId } from '../src/requests/site-id.js';
import { openWriter } from '../src/store/open.js';
import type { Correction } from '../src/store/save/corrections.js';
import { BROWSER, HtmlPage, resolvedLink } from './http/html-page.js';
import { openService } from './service.js';
import { logText, placeOf } from './synthetic-log.js';
import { violations } from './violations.js';

const CURRENT = '/setups/search/findCurrentByFourCharacterId';
const RECEIVER = { type: 'R0', serial: '1', from: '2001-01-01' };
const AUS = { id: 'ALIC00AUS', receivers: [RECEIVER] };
const CAN = { id: 'ALIC00CAN', receivers: [{ ...RECEIVER, serial: '2' }] };

/** Requests about the Site with some four characters. */
const BY_ID = [
  `${CURRENT}?id=ALIC`,
  '/setups/search/findAtByFourCharacterId?id=ALIC&at=2002-01-01',
  '/setups/search/findByFourCharacterId?id=ALIC',
  '/changes?site=ALIC',
  '/corsSites/search/findByFourCharacterId?id=ALIC',
  '/siteLogs/search/findByFourCharacterId?id=ALIC',
];

/** A GeodesyML document that gives its nine characters only as the id of the root. */
const document = (id: string, four = id.slice(0, 4)): string =>
  `<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="${id}">
   <geo:siteLog><geo:siteIdentification><geo:SiteIdentification><geo:fourCharacterID>${four}</geo:fourCharacterID>
   </geo:SiteIdentification></geo:siteIdentification></geo:siteLog></geo:GeodesyML>`;

t.test(
  'a log of another nine-character id makes another Site, and invalidates nothing',
  async (t) => {
    const { get, importText } = await openService(t);
    await importText(AUS, 'aus.log');
    t.equal(
      (await get(`${CURRENT}?id=ALIC00CAN`)).statusCode,
      404,
      'unknown while only the other exists',
    );
    t.match(await importText(CAN, 'can.log'), {
      saved: 1,
      setupsInvalidated: 0,
      files: [
        {
          findings: [
            {
              level: 'warning',
              code: 'shared-id',
              values: { others: ['ALIC00AUS'] },
              text: 'ALIC00CAN',
            },
          ],
        },
      ],
    });
    const siteOf = async (id: string) =>
      (await get(`${CURRENT}?id=${id}`)).json<{ siteId: number }>().siteId;
    t.equal(await siteOf('alic00aus'), 1);
    t.equal(await siteOf('ALIC00CAN'), 2);
  },
);

t.test(
  'every lookup by four characters that two Sites share is 409 with both and their links',
  async (t) => {
    const { get, importText } = await openService(t);
    await importText(AUS, 'aus.log');
    t.equal((await get(`${CURRENT}?id=ALIC`)).statusCode, 200);
    await importText(CAN, 'can.log');
    for (const path of BY_ID) {
      const response = await get(path);
      const problem = response.json<Problem>();
      t.equal(response.statusCode, 409, path);
      t.same(violations('Problem', problem), []);
      t.match(problem, { type: 'urn:gnss-site-setups:problem:ambiguous-site' });
      t.same(
        problem.candidates!.map(({ nineCharacterId }) => nineCharacterId),
        ['ALIC00AUS', 'ALIC00CAN'],
      );
      for (const { href } of problem.candidates!) t.equal((await get(href)).statusCode, 200, href);
    }
    const many = (
      await get('/setups/search/findCurrentByFourCharacterIdIn?id=ALIC&id=ALIC00CAN')
    ).json<object>();
    t.same(violations('SetupList', many), []);
    t.match(many, {
      _embedded: { setups: [{ siteId: 2 }] },
      notFound: [
        {
          id: 'ALIC',
          reason: 'ambiguous-site',
          problem: 'urn:gnss-site-setups:problem:ambiguous-site',
          candidates: ['ALIC00AUS', 'ALIC00CAN'],
        },
      ],
    });
    const page = await get('/sites/ALIC');
    t.equal(page.statusCode, 409);
    t.match(page.body, /href="\.\.\/sites\/ALIC00CAN"/);
    t.equal((await get('/sites/ALIC00CAN')).statusCode, 200);
    t.match((await get('/sites')).body, /href="\.\/sites\/ALIC00AUS">ALIC00AUS</);
  },
);

t.test(
  'a log of four characters that two Sites share is rejected, and the message lists both',
  async (t) => {
    const { importText } = await openService(t);
    await importText(AUS, 'aus.log');
    await importText(CAN, 'can.log');
    t.match(await importText({ ...AUS, id: 'ALIC' }, 'four.log'), {
      rejected: 1,
      files: [
        {
          outcome: 'rejected',
          findings: [
            {
              level: 'error',
              code: 'ambiguous-id',
              values: { candidates: ['ALIC00AUS', 'ALIC00CAN'] },
            },
          ],
        },
      ],
    });
  },
);

t.test(
  'a Site that was renamed takes one station; logs of its former four characters are then rejected',
  async (t) => {
    const service = await openService(t);
    const { importText, get, database } = service;
    await importText({ ...AUS, id: 'ALIC' }, 'four.log');
    const store = await openWriter(database);
    await store.correct(
      parseSiteId('ALIC'),
      { kind: 'rename', to: parseSiteId('WXYZ') },
      () => new Date(),
      readStoredLog,
    );
    await store.close();
    t.match(await importText({ ...AUS, prepared: '2021-01-01' }, 'aus.log'), {
      files: [{ findings: [{ code: 'renamed-site', values: { site: 'WXYZ' } }] }],
    });
    t.match((await get(`${CURRENT}?id=ALIC00AUS`)).json(), { renamedTo: { id: 'WXYZ' } });
    t.match(await importText({ ...CAN, prepared: '2022-01-01' }, 'can.log'), {
      saved: 1,
      setupsInvalidated: 0,
      files: [
        { site: 'ALIC00CAN', findings: [{ code: 'shared-id', values: { others: ['WXYZ'] } }] },
      ],
    });
    t.match(await importText({ ...AUS, id: 'ALIC', prepared: '2023-01-01' }, 'later.log'), {
      rejected: 1,
      files: [
        {
          findings: [
            {
              level: 'error',
              code: 'ambiguous-id',
              values: { candidates: ['ALIC00CAN', 'WXYZ'], needsNine: true },
            },
          ],
        },
      ],
    });
    t.match(await importText({ ...AUS, prepared: '2023-01-01' }, 'aus.log'), {
      files: [{ site: 'WXYZ', outcome: 'saved' }],
    });
    t.match((await get(`${CURRENT}?id=WXYZ`)).json(), {
      equipmentInUse: [{ content: { id: { serialNumber: '1' } } }],
    });
    for (const path of BY_ID) {
      const problem = (await get(path)).json<Problem>();
      t.same(violations('Problem', problem), [], path);
      t.match(
        problem,
        {
          status: 409,
          candidates: [{ nineCharacterId: 'ALIC00CAN' }, { nineCharacterId: 'WXYZ' }],
        },
        `one Site has the four characters, another one had them: ${path}`,
      );
    }
    t.equal((await get('/sites/ALIC')).statusCode, 409);
    t.equal((await get('/skeletonFiles/ALIC.SKL')).statusCode, 409);
    const corrections: Correction[] = [
      { kind: 'retire' },
      { kind: 'unretire' },
      { kind: 'rename', to: parseSiteId('QRST') },
      { kind: 'withdraw', log: 1 },
      { kind: 'restore', log: 1 },
    ];
    const correcting = await openWriter(database);
    for (const correction of corrections)
      t.same(
        await correcting.correct(parseSiteId('ALIC'), correction, () => new Date(), readStoredLog),
        { kind: 'ambiguous-site', candidates: ['ALIC00CAN', 'WXYZ'] },
        `no correction by them: ${correction.kind}`,
      );
    await correcting.close();
  },
);

t.test(
  'the items without a serial number of two Sites with the same four characters are different devices',
  async (t) => {
    const { get, importText } = await openService(t);
    const receivers = [{ type: 'R0', from: '2001-01-01' }];
    await importText({ id: 'ALIC00AUS', receivers }, 'aus.log');
    await importText({ id: 'ALIC00CAN', receivers }, 'can.log');
    t.match((await get('/gnssReceivers?type=R0')).json(), { page: { totalElements: 2 } });
  },
);

t.test(
  'nine characters are read from the id of a GeodesyML document, unless they contradict the four',
  async (t) => {
    const { get, importText } = await openService(t);
    await importText(document('WTZR00DEU'), 'wtzr.xml');
    const site = async (id: string) => get(`/corsSites/search/findByFourCharacterId?id=${id}`);
    t.match((await site('WTZR')).json(), { nineCharacterId: 'WTZR00DEU' });
    t.equal((await site('WTZR00AUS')).statusCode, 404);
    const { files } = await importText(document('WTZZ00DEU', 'BADH'), 'badh.xml');
    t.match(files[0]!.findings, [{ code: 'foreign-gml-id', values: { quoted: ['BADH'] } }]);
    t.match((await site('BADH')).json(), { nineCharacterId: null });
  },
);

t.test(
  'logs of one Site, with and without nine characters in the title, give one Site in every order',
  async (t) => {
    const service = await openService(t);
    const withTitle = (id: string, prepared: string): string =>
      logText({ id, prepared, country: 'NZL', receivers: [RECEIVER] }).replace(
        ` ${id} Site`,
        ` ${id}00NZL Site`,
      );
    const logsOf = (four: string): [string, string][] => [
      [`${four}_2020.log`, withTitle(four, '2020-01-01')],
      [
        `${four}_2021.log`,
        logText({ id: four, prepared: '2021-01-01', country: 'NZL', receivers: [RECEIVER] }),
      ],
      [
        `${four}_2022.log`,
        logText({ id: `${four}00NZL`, prepared: '2022-01-01', receivers: [RECEIVER] }),
      ],
    ];
    const orders = ['012', '021', '102', '120', '201', '210', '01', '10'];
    for (const [index, order] of orders.entries()) {
      const four = `QZX${index}`;
      for (const place of order) {
        const [name, text] = logsOf(four)[Number(place)]!;
        const { files } = await service.importText(text, name);
        t.not(files[0]!.outcome, 'rejected', `${order}: ${name}`);
      }
      const { _embedded } = (await service.get(`/corsSites?fourCharacterId=${four}`)).json<{
        _embedded: { corsSites: object[] };
      }>();
      t.match(_embedded.corsSites, [{ nineCharacterId: `${four}00NZL` }], order);
      t.equal(_embedded.corsSites.length, 1, order);
    }
    const other = withTitle('QZX0', '2023-01-01')
      .replace('QZX000NZL', 'QZX000AUS')
      .replace(/NZL$/m, 'AUS');
    t.match(
      await service.importText(other, 'other.log'),
      {
        files: [
          {
            site: 'QZX000AUS',
            findings: [{ code: 'shared-id', values: { others: ['QZX000NZL'] } }],
          },
        ],
      },
      'other nine characters are another Site',
    );
  },
);

t.test('a Site known by four characters can be named beside another one with these', async (t) => {
  const service = await openService(t);
  const { get, importText } = service;
  await importText({ ...AUS, id: 'ALIC', place: placeOf('+371000.00', '-0010000.00') }, 'four.log');
  await importText({ ...CAN, place: placeOf('+501000.00', '-1140000.00') }, 'can.log');
  const siteIds = ({ body }: { body: string }) =>
    (JSON.parse(body) as { features: { properties: { siteId: number } }[] }).features.map(
      ({ properties }) => properties.siteId,
    );
  for (const path of [...BY_ID, '/skeletonFiles/ALIC.SKL', '/exports/setups.geojson?site=ALIC']) {
    const { candidates } = (await get(path)).json<Problem>();
    t.equal(candidates!.length, 2, path);
    for (const { href } of candidates!) t.equal((await get(href)).statusCode, 200, href);
  }
  const [can, four] = (await get(BY_ID[0]!)).json<Problem>().candidates!;
  t.match((await get(can!.href)).json(), { siteId: 2 });
  t.match((await get(four!.href)).json(), { siteId: 1 });
  const batch = await get(`${CURRENT}In?id=ALIC`);
  const { notFound } = batch.json<{ notFound: { candidates: string[] }[] }>();
  t.match((await get(`${CURRENT}?id=${notFound[0]!.candidates[1]}`)).json(), { siteId: 1 });

  const linksOf = async (url: string): Promise<string[]> =>
    new HtmlPage((await get(url)).body).all('a', 'href').map((href) => resolvedLink(href, url));
  const found = await linksOf('/sites?q=alic');
  const downloads = found.filter((href) => href.startsWith('/exports/'));
  for (const href of downloads) t.equal((await get(href)).statusCode, 200, href);
  const ofBoth = downloads.find((href) => href.startsWith('/exports/installations.geojson'))!;
  t.same([...new Set(siteIds(await get(ofBoth)))], [1, 2], 'both are downloaded');
  for (const path of ['/sites?q=alic', '/sites/ALIC', '/sites/ALIC00CAN'])
    for (const href of await linksOf(path))
      if (href.startsWith('/sites/ALIC') && href !== path)
        t.equal((await get(href)).statusCode, 200, `${path}: ${href}`);
});

t.test('an id with an underscore is an id', async (t) => {
  const { get, importText } = await openService(t);
  t.match(await importText({ id: 'RVO_', receivers: [RECEIVER] }, 'rvo.log'), { saved: 1 });
  t.equal((await get(`${CURRENT}?id=rvo_`)).statusCode, 200);
  const { _embedded } = (await get('/corsSites?fourCharacterId=RVO_')).json<{
    _embedded: { corsSites: object[] };
  }>();
  t.same(violations('CorsSite', _embedded.corsSites[0]), []);
  t.equal((await get('/sites/RVO_')).statusCode, 200);
});

/** The links in a page or a JSON document. @param path from which it came */
function linksIn(path: string, { headers, body }: LightMyRequestResponse): string[] {
  const type = String(headers['content-type']);
  if (type.startsWith('text/html'))
    return new HtmlPage(body).all('a', 'href').map((href) => resolvedLink(href, path));
  const hrefs = /[/+]json\b/.test(type) ? [...body.matchAll(/"href":"(http[^"{]*)"/g)] : [];
  return hrefs.map(([, href]) => resolvedLink(href!, path));
}

t.test('each link to a Site known by four characters that others have is answered', async (t) => {
  const { get, importText } = await openService(t);
  const place = placeOf('+371000.00', '-0010000.00');
  const four = { ...AUS, id: 'ALIC', place };
  const far = placeOf('+501000.00', '-1140000.00');
  await importText({ ...four, receivers: [], prepared: '2019-01-01' }, 'first.log');
  await importText({ ...four, agency: 'Agency' }, 'second.log');
  await importText({ ...CAN, receivers: [RECEIVER], place: far }, 'can.log');
  await importText({ id: 'NEAR', place: placeOf('+371500.00', '-0010000.00') }, 'near.log');
  t.equal((await get('/sites/ALIC')).statusCode, 409);

  const linked = new Map<string, string>();
  const paths = [
    ...['/corsSites', '/corsSites/1', '/corsSites/search/findByEquipment?type=R0'],
    ...['/corsSites/search/findByFourCharacterId?id=ALIC00XXX', '/feed', '/feed.atom'],
    ...['/setups/search/findBySiteId/citation?siteId=1', '/siteLogs/2', '/sites', '/findings'],
    ...['/changes', '/overview', '/network', '/receivers?type=R0', '/siteLogs/2/comparison'],
    ...['/sites/NEAR', '/sites/ALIC00CAN/findings', '/sites/ALIC00XXX'],
  ];
  for (const path of paths)
    for (const accept of [BROWSER, 'application/json', '*/*']) {
      const answer = await get(path, { accept });
      t.ok([200, 302, 406].includes(answer.statusCode), `${path}: ${answer.statusCode}`);
      for (const link of linksIn(path, answer)) linked.set(link, path);
    }
  const toSite = [...linked].filter(([link]) => /alic/i.test(link));
  for (const [link, path] of toSite)
    t.equal((await get(link)).statusCode, 200, `${path} leads to ${link}`);
});

t.test('a Site that was renamed is named beside others with its new four characters', async (t) => {
  const { get, importText, database } = await openService(t);
  await importText({ ...AUS, id: 'AAAA', place: placeOf('+371000.00', '-0010000.00') }, 'a.log');
  const store = await openWriter(database);
  const rename: Correction = { kind: 'rename', to: parseSiteId('ALIC') };
  await store.correct(parseSiteId('AAAA'), rename, () => new Date(), readStoredLog);
  await store.close();
  await importText({ ...CAN, place: placeOf('+501000.00', '-1140000.00') }, 'can.log');
  const problem = (await get(`${CURRENT}?id=AAAA`)).json<Problem>();
  t.equal(problem.renamedTo!.id, 'ALIC00XXX');
  t.match((await get(problem.renamedTo!.href)).json(), { siteId: 1 });
});
