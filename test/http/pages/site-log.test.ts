import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { buildApp } from '../../../src/http/app.js';
import { MARKUP } from '../../hostile-logs.js';
import { CONTRACT, SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { logText } from '../../synthetic-log.js';
import { HAL } from '../answers.js';
import { BROWSER, HtmlPage, openPage, resolvedLink } from '../html-page.js';
import { NOW, over } from './over.js';

/** The lines of the log on its page. */
function linesOf(page: HtmlPage): string[] {
  const lines = page.ofClass('lines')[0]!;
  return new HtmlPage(lines)
    .named('code')
    .map(({ childNodes }) =>
      childNodes.map((node) => ('value' in node ? node.value : '')).join(''),
    );
}

t.test(
  'the findings of the import are listed with links to the lines of the log, whose page shows them beside the lines',
  async (t) => {
    const service = await openService(t, [], { clock: () => NOW, publishContacts: true });
    await service.importText({
      receivers: [{ type: 'R0', serial: '1', from: '2011-20-07', to: '2012-01-01' }],
    });
    const page = await openPage(service, '/sites/TEST');
    const row = page.named('tr').find((element) => page.attribute(element, 'class') === 'warning');
    t.ok(row);
    const [found] = page
      .all('a', 'href')
      .flatMap((href) => /^\.\.(\/sites\/TEST\/log\?line=(12))#L\2$/.exec(href)?.slice(1, 2) ?? []);
    const log = await openPage(service, found!);
    const line = log.elements.find((element) => log.attribute(element, 'id') === 'L12');
    t.equal(log.attribute(line!, 'class'), 'found');
    t.match(new HtmlPage(line!).part('code').text, '2011-20-07');
    t.ok(new HtmlPage(line!).has('.warning'));
  },
);

t.test(
  'without published contacts, the findings are a list of their own: their lines are those of the file',
  async (t) => {
    const service = await over(t, {
      receivers: [{ type: 'R0', serial: '1', from: '2011-20-07', to: '2012-01-01' }],
    });
    const site = await openPage(service, '/sites/TEST');
    t.match(site.text, '2011-20-07');
    t.notMatch(site.all('a', 'href').join(), /\?line=/, 'the page of the log has other lines');
    const page = await openPage(service, '/sites/TEST/log');
    const [found] = page.texts('#findings li').filter((text) => text.includes('2011-20-07'));
    t.match(found, /\b3\.1\b.*\b12\b/, 'the section, and the line of the file');
    t.notOk(page.ofClass('found').length > 0);
    t.same(page.errors, []);
  },
);

t.test(
  '/sites/{id}/log shows each line of the log, the downloads, and the other logs of the Site',
  async (t) => {
    const service = await openService(t, [SAMPLE], { clock: () => NOW });
    const page = await openPage(service, '/sites/ALIC/log');
    const text = (await service.get('/siteLogs/1?format=text&version=1')).body;
    t.same(linesOf(page), text.split('\n'));
    t.notOk(page.has('.hash'));
    const forms = page.part('.forms');
    const downloads = forms.all('a', 'href');
    t.same(
      forms.all('a', 'download'),
      ['alic_20170223.log', ...Array<string>(3).fill('alic_20170223.xml')],
      'the names of the files; version 2.0 of the text form needs a nine-character id, and the file has contacts',
    );
    for (const [index, [type, beginning]] of [
      ['text/plain;charset=UTF-8', '     ALIC Site Information Form'],
      ['application/xml', '<?xml'],
      ['application/xml', '<?xml'],
      ['application/xml', '<?xml'],
      [HAL, '{"id":1,'],
    ].entries()) {
      const url = resolvedLink(downloads[index]!, '/sites/ALIC/log');
      const response = await service.get(url, {
        accept: BROWSER,
      });
      const shown = [
        response.statusCode,
        response.headers['content-type'],
        response.body.slice(0, beginning!.length),
      ];
      t.same(shown, [200, type, beginning], url);
    }
    t.notOk(page.has('#logs table'));
    for (const [url, status] of Object.entries({
      '/sites/XXXX/log': 404,
      '/sites/ALIC/log?line=0': 400,
      '/sites/ALIC/log?line=x': 400,
    }))
      await openPage(service, url, status);

    for (const day of ['01', '03', '02'])
      await service.importText({ prepared: `2020-01-${day}` }, `test_202001${day}.log`);
    const newer = await openPage(service, '/sites/TEST/log');
    t.ok(newer.texts('main dd').some((text) => text.startsWith('test_20200103.log')));
    t.same(newer.column('File'), ['test_20200102.log', 'test_20200101.log']);
    const older = newer.all('a', 'href').filter((href) => href.endsWith('?format=text&version=1'));
    t.equal(new Set(older).size, 3);
    const bodies = await Promise.all(
      older.map(async (href) => (await service.get(href.replace('../..', ''))).body),
    );
    const dates = bodies.map((body) => /Date Prepared +: (.*)/.exec(body)![1]);
    t.same(dates, ['2020-01-03', '2020-01-02', '2020-01-01']);
    t.notMatch(linesOf(newer).join('\n'), /withheld/i);
    t.notOk(newer.all('a', 'href').some((href) => href.endsWith('/original')));
    const lines = logText({}).split('\n');
    const prepared = [
      ...lines.slice(0, 2),
      `     Prepared By (full name)  : Jo Doe`,
      ...lines.slice(2),
    ].join('\n');
    await service.importText(prepared.replace('2020-01-01', '2020-01-04'), 'test_20200104.log');
    const withheld = await openPage(service, '/sites/TEST/log');
    t.ok(withheld.has('#withheld'), 'which the page says');
    t.match(linesOf(withheld)[4], /^ {5}Withheld from publication: persons/);
    t.match(linesOf(withheld).join('\n'), /^ {5}Prepared by \(full name\) {2}: \(withheld\)$/m);
    t.notMatch(withheld.text, /Jo\s+Doe/);
  },
);

t.test('/sites/{id}/log lists what each form leaves out', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  /** What the page says besides the text of the log. */
  const shown = (page: HtmlPage): string => page.text.replace(page.part('#text').text, '');
  const publishing = await buildApp({
    store: service.store,
    contractFolder: CONTRACT,
    publishContacts: true,
  });
  t.teardown(() => publishing.close());
  // Without contacts, the page does not show the lines of the file.
  for (const [app, isLinked] of [
    [publishing, true],
    [service.app, false],
  ] as const) {
    const page = await openPage(
      { ...service, get: (url, headers = {}) => app.inject({ url, headers }) },
      '/sites/ALIC/log',
    );
    const folds = page.parts('#downloads details');
    const counts = folds.map((fold) => fold.numbers('summary'));
    t.same(
      counts,
      [
        ['0.4', '9'],
        ['0.5', '9'],
        ['0.6', '9'],
      ],
      'each version of GeodesyML, but no text form',
    );
    t.match(folds[0]!.part('li').text, /\b53\b.*Temperature Stabiliz\./);
    t.equal(page.all('a', 'href').includes('../../sites/ALIC/log?line=53#L53'), isLinked);
  }
  t.notOk((await openPage(service, '/sites/NAMA/log')).has('#downloads details'));

  const tie = (number: number): string =>
    `5.${number}  Tied Marker Name         : A\n     Accuracy (mm)            : ${MARKUP}${number} Ada Fictitious\n`;
  for (const [day, count, shownCount, rest] of [
    ['01', 100, '100', []],
    ['02', 101, '101', ['1']],
    ['03', 1001, '1,000', ['900']],
  ] as const) {
    const log =
      logText({ prepared: `2020-01-${day}` }) +
      Array.from({ length: count }, (_, index) => tie(index + 1)).join('');
    await service.importText(
      log.replace('0.   Form', '0.   Form\n     Prepared by (full name)  : Ada Fictitious'),
      'test.log',
    );
    const page = await openPage(service, '/sites/TEST/log');
    const leftOut = page.part('#downloads');
    t.same(
      leftOut.parts('details').map((fold) => fold.numbers('summary')),
      [
        ['0.4', shownCount],
        ['0.5', shownCount],
        ['0.6', shownCount],
      ],
    );
    t.equal(leftOut.named('q').length, 300);
    t.same(
      leftOut.parts('details p').map((each) => each.numbers()),
      rest.length === 0 ? [] : [rest, rest, rest],
    );
    t.notMatch(shown(page), 'Ada Fictitious');
  }
});

t.test('/sites/{id}/log shows the log as it was imported if contacts are published', async (t) => {
  const service = await openService(t, [SAMPLE], { publishContacts: true });
  const page = await openPage(service, '/sites/ALIC/log');
  t.same(linesOf(page), readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8').split('\n'));
  t.notOk(page.has('#withheld'));
});

t.test(
  '/sites/{id}/log shows a large log in parts of bounded size, also one that is written without contacts',
  async (t) => {
    const service = await openService(t);
    // A value of more than 64 KB would be cut.
    const drawing = Array.from({ length: 9000 }, (_, index) => ` ${index}`).join('\n');
    await service.importText(
      `${logText({})}13.  More Information\n     Antenna Graphics with Dimensions\n\n${drawing}\n`,
    );
    const first = await openPage(service, '/sites/TEST/log');
    t.equal(linesOf(first).length, 5000);
    const second = await openPage(service, '/sites/TEST/log?line=5001');
    t.match(second.numbers('.pages'), ['5,001', /^9,\d\d\d$/]);
    t.same([second.has('[rel=prev]'), second.has('[rel=next]')], [true, false]);
    const text = (await service.get('/siteLogs/1?format=text&version=1')).body;
    t.same([...linesOf(first), ...linesOf(second)], text.split('\n'));
    t.match(text, '\n 8999\n');
  },
);

t.test('/sites/{id}/log shows a large file in parts of bounded size', async (t) => {
  const service = await openService(t, [], { clock: () => NOW, publishContacts: true });
  const text = `\n${logText({ name: '\tOne' })}13.  More Information\n`;
  const begin = text.split('\n').length;
  const lines = (count: number, line: string): string =>
    Array.from({ length: count }, (_, index) => `${line}${index}\n`).join('');
  await service.importText(text, 'test.log', NOW);
  t.same(
    linesOf(await openPage(service, '/sites/TEST/log')),
    text.split('\n'),
    'an empty first line, and a tab',
  );

  await service.importText(`${text}${lines(10_001 - begin, 'x')}`, 'test.log', NOW);
  const first = await openPage(service, '/sites/TEST/log');
  t.equal(linesOf(first).length, 5000);
  t.same(first.numbers('.pages'), ['1', '5,000']);
  t.match(first.all('a', 'rel').join(' '), /^(?!.*prev).*next/);
  t.same(linesOf(await openPage(service, '/sites/TEST/log?line=5000')), linesOf(first));
  const second = await openPage(service, '/sites/TEST/log?line=5001');
  t.same(second.numbers('.pages'), ['5,001', '10,000']);
  t.same([second.has('[rel=prev]'), second.has('[rel=next]')], [true, true]);
  t.ok(second.elements.some((element) => second.attribute(element, 'id') === 'L5001'));
  const last = await openPage(service, '/sites/TEST/log?line=10000000');
  t.same(last.numbers('.pages'), ['10,001', '10,001']);

  // Two megabytes of characters that have to be escaped, in lines of any length.
  for (const line of ['"', '"'.repeat(1000), '"'.repeat(1_990_000)]) {
    const count = Math.floor(1_995_000 / (line.length + 6));
    await service.importText(`${text}${lines(count, line)}`, 'test.log', NOW);
    const response = await service.get('/sites/TEST/log?line=300');
    t.equal(response.statusCode, 200);
    t.ok(response.body.length < 4_000_000, `${response.body.length} characters`);
  }
  t.match((await service.get('/sites/TEST/log')).body, /\b1980001\b/);
});

t.test('a finding in several places is one row, and marks each of its lines', async (t) => {
  const more = {
    'Antenna Reference Point': 'BPA',
    'Marker->ARP Up Ecc. (m)': '0.1',
    'Marker->ARP North Ecc(m)': '0',
    'Alignment from True N': '0',
    'Antenna Radome Type': 'NONE',
  };
  const antennas = ['2001', '2002', '2003'].map((year) => ({
    type: 'LEIAR25.R3      NONE',
    serial: year,
    from: `${year}-01-01`,
    to: `${Number(year) + 1}-01-01`,
    more,
  }));
  const log = { antennas };
  const lines = logText(log).split('\n');
  const starts = lines.flatMap((line, index) => (/^4\.\d/.test(line) ? [index + 1] : []));
  t.equal(starts.length, 3);
  const isAbout = (text: string): boolean => /\bblank\b.*\b0\b/.test(text);
  const published = await openService(t, [], { clock: () => NOW, publishContacts: true });
  await published.importText(log);
  const page = await openPage(published, '/sites/TEST/log');
  const marked = page
    .ofClass('found')
    .filter((element) => isAbout(new HtmlPage(element).texts('li').join('\n')))
    .map((element) => page.attribute(element, 'id'));
  t.same(
    marked,
    starts.map((line) => `L${line}`),
  );
  t.same(page.errors, []);
  const withheld = await over(t, log);
  const listed = (await openPage(withheld, '/sites/TEST/log'))
    .texts('#findings li')
    .filter(isAbout);
  t.equal(listed.length, 1);
  t.match(listed[0], '4.1 to 4.3');
  for (const url of ['/sites/TEST', '/sites/TEST/findings', '/findings?code=blank-eccentricity']) {
    const { elements } = await openPage(withheld, url);
    const rows = elements
      .filter(({ tagName }) => tagName === 'tr')
      .map((element) => new HtmlPage(element).text)
      .filter((text) => text.includes('4.1 to 4.3') && isAbout(text));
    t.equal(rows.length, 1, url);
    t.match(rows[0], new RegExp(`\\b${starts[0]}\\b.*\\b2 more\\b`), url);
  }
  const csv = (await withheld.get('/exports/findings.csv?code=blank-eccentricity')).body;
  t.match(csv.trim().split('\r\n').slice(1), [
    new RegExp(`,4\\.2 4\\.3,${starts[1]} ${starts[2]},""$`),
  ]);
  const { _embedded } = (await withheld.get('/findings?code=blank-eccentricity')).json();
  t.match(Object.values(_embedded)[0], [
    {
      section: '4.1',
      line: starts[0],
      others: [
        { section: '4.2', line: starts[1], text: '' },
        { section: '4.3', line: starts[2], text: '' },
      ],
    },
  ]);
});

t.test('the license and the DOI of a log are on its page, and in its JSON', async (t) => {
  const metadata = { license: 'CC BY 4.0', doi: '10.24414/TEST-1' };
  const text = (content: string): string => `<gco:CharacterString>${content}</gco:CharacterString>`;
  const log = `<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.6" xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">
    <geo:metadata><gmd:citation>${text(`doi:${metadata.doi}`)}</gmd:citation><gmd:otherConstraints>${text(metadata.license)}</gmd:otherConstraints></geo:metadata>
    <geo:siteLog><geo:siteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID></geo:siteIdentification></geo:siteLog></geo:GeodesyML>`;
  const service = await openService(t);
  await service.importText(log, 'test.xml', NOW);
  const { text: words } = (await openPage(service, '/sites/TEST/log')).part('.facts');
  for (const value of Object.values(metadata)) t.match(words, value);
  const search = '/siteLogs/search/findByFourCharacterId?id=';
  t.match((await service.get(`${search}TEST`)).json(), { metadata });
  await service.importText({ id: 'NONE' }, 'none.log', NOW);
  t.notOk(Object.hasOwn((await service.get(`${search}NONE`)).json<object>(), 'metadata'));
});
