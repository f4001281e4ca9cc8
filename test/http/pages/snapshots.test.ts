import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parseSiteId } from '../../../src/requests/site-id.js';
import { SAMPLE } from '../../project-files.js';
import { openService, type Service } from '../../service.js';
import { compareWithFile } from '../../snapshot-files.js';
import { placeOf } from '../../synthetic-log.js';
import { correct } from '../answers.js';
import { BROWSER } from '../html-page.js';
import { NOW, over } from './over.js';
import { pageLines } from './page-text.js';

/**
 * The words of the pages, in a file for each kind of page. The other tests find facts by their
 * place, so that a sentence can change without them. `npm run snapshots` writes the files anew.
 */

const FOLDER = join(import.meta.dirname, 'snapshots');

/** The requests of each file over the sample network. */
const PAGES: Record<string, string[]> = {
  sites: [
    '/sites',
    '/sites?q=netrs',
    '/sites?q=japan',
    '/sites?q=netsr',
    '/sites?q=alise+sprins',
    '/sites?q=zzzzzzzz',
    '/sites?at=2016-01-01&satelliteSystem=GAL&agency=Geo*',
    '/sites?type=LEIAR25*',
    '/sites?type=*&radomeType=SCIS&q=trimble',
    '/sites?agency=Nobody',
    '/sites?bbox=0,0,1,1',
    '/sites?bbox=0,0,1,1&q=alic+springs',
    '/sites?bbox=0,0,1,1&agency=Geo*',
    '/sites?page=1',
    '/sites?query=x&sort=colour&page=-1',
    '/sites?bbox=1,2,3',
    '/sites?q=a&q=b',
  ],
  site: [
    '/sites/ALIC',
    '/sites/ALIC?at=2013-07-08&from=2012-01-01&to=2014-01-01',
    '/sites/ALIC?at=1990-01-01',
    '/sites/MCIL',
    '/sites/ALIK',
    '/sites/9999',
    '/sites/ALIC?at=soon&t=1',
  ],
  'site-log': ['/sites/ALIC/log', '/sites/MCIL/log', '/sites/ALIC/log?line=0'],
  'site-findings': ['/sites/MCIL/findings', '/sites/ALIC/findings'],
  'device-types': [
    '/receivers',
    '/antennas',
    '/receivers?sort=inUse,desc',
    '/receivers?typ=x',
    '/receivers?type=R&sort=type',
  ],
  devices: [
    '/receivers?type=TRIMBLE+NETRS',
    '/receivers?type=TRIMBLE+NETRS&serialNumber=04664',
    '/receivers?type=TRIMBLE+NETRS&serialNumber=nothing',
    '/receivers?serialNumber=1830439',
    '/receivers?serialNumber=nothing',
    '/receivers?serialNumber=183043',
    '/receivers?type=netr',
    '/receivers?type=LEICA+GR25&page=3',
    '/receivers?conflicts=true',
    '/receivers?type=LEICA+GR25&conflicts=true',
    '/receivers?page=3',
    '/antennas?type=ASH701945C_M++++SCIT',
    '/antennas?type=',
  ],
  overview: ['/overview'],
  network: ['/network'],
  changes: [
    '/changes?size=10',
    '/changes?site=ALIC+BOR1&from=2012-01-01&equipmentType=gnss+antenna&mergeGaps=PT1H',
    '/changes?size=10&page=1',
    '/changes?from=2030-01-01',
    '/changes?site=XXXX',
    '/changes?from=soon',
  ],
  findings: [
    '/findings?size=10',
    '/findings?site=MCIL',
    '/findings?site=NAMA&level=warning',
    '/findings?level=x',
  ],
  compare: [
    '/compare?site=ALIC&site=MCIL',
    '/compare?site=ALIC&site=MCIL&at=2012-01-01',
    '/compare',
    '/compare?site=ALIC+XXXX',
    '/compare?site=ALIC+BOR1+HOUZ+MCIL+MFKG+NAMA+NYA1',
  ],
  // Its folds have the words of the OpenAPI document.
  api: ['/api'],
  errors: ['/nothing/here'],
};

/** Without what `details` open. */
const withoutFolds = (html: string): string =>
  html.replace(/(?<=<\/summary>)(?:(?!<details).)*?(?=<\/details>)/gs, '');

/**
 * The text of the pages of a file. The first one is shown whole; of the others, the lines that none
 * before it has.
 */
async function textOf(service: Service, urls: string[]): Promise<string> {
  const known = new Set<string>();
  const texts: string[] = [];
  for (const url of urls) {
    const { statusCode, body } = await service.get(url, { accept: BROWSER });
    const html = url === '/api' ? withoutFolds(body) : body;
    const lines = pageLines(html, url === urls[0] ? 'body' : 'main');
    const shown = lines.filter((line) => line === '' || url === urls[0] || !known.has(line));
    for (const line of lines) known.add(line);
    const text = shown
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    texts.push(`==== GET ${url}: ${statusCode}\n\n${text}\n`);
  }
  return texts.join('\n');
}

const seen: string[] = [];

/** Compares the text of pages with its file, or writes it. */
async function compare(t: Test, service: Service, name: string, urls: string[]): Promise<void> {
  compareWithFile(t, join(FOLDER, `${name}.txt`), await textOf(service, urls));
  seen.push(`${name}.txt`);
}

t.test('the pages of the sample network have the words of their snapshots', async (t) => {
  const service = await openService(t, [], { clock: () => NOW });
  await service.importPaths([SAMPLE], NOW);
  for (const [name, urls] of Object.entries(PAGES)) await compare(t, service, name, urls);
});

t.test('the comparison of two versions of a log has the words of its snapshot', async (t) => {
  const service = await openService(t, [], { clock: () => NOW });
  const file = join(SAMPLE, 'alic_20170223.log');
  const older = readFileSync(file, 'utf8')
    .replace('2017-02-23', '2017-02-01')
    .replace('1830439', '1830440')
    .replace(/^ +Firmware Version .*4\.11\.606.*$/m, '     Firmware Version         :');
  await service.importText(older, 'alic_20170201.log', NOW);
  await service.importPaths([file], NOW);
  await compare(t, service, 'log-comparison', [
    '/siteLogs/2/comparison',
    '/siteLogs/2/comparison?with=2',
    '/siteLogs/1/comparison',
  ]);
});

t.test('what the sample network lacks has the words of its snapshot', async (t) => {
  const empty = await openService(t, [], { clock: () => NOW });
  await compare(t, empty, 'empty-database', [
    '/overview',
    '/sites',
    '/receivers',
    '/network',
    '/compare',
  ]);
  const receiver = { type: 'R0', serial: '1', from: '2010-01-01' };
  const near = (minutes: string) => placeOf(`+50${minutes}00.00`, '+0100000.00');
  const service = await over(
    t,
    {
      id: 'AAAA',
      place: near('00'),
      receivers: [
        { ...receiver, to: '2011-01-01T10:00Z' },
        { type: 'R1', serial: '2', from: '2011-01-01T10:20Z', to: '2012-01-01' },
        { ...receiver, from: '2013-01-01', more: { 'Firmware Version': '1.0' } },
      ],
      antennas: [{ type: 'A0', serial: '3', from: '2011-20-07' }],
    },
    { id: 'BBBB', place: near('06'), receivers: [receiver] },
    { id: 'CCCC', receivers: [{ type: 'R2', serial: '4' }] },
    { id: 'DDDD', receivers: [{ ...receiver, to: '2011-01-01' }] },
    { id: 'EEEE' },
  );
  await correct(service, 'EEEE', { kind: 'retire' }, NOW);
  await correct(service, 'DDDD', { kind: 'rename', to: parseSiteId('FFFF') }, NOW);
  await compare(t, service, 'irregular', [
    '/sites/AAAA',
    '/sites/AAAA?at=2011-01-01T10:10Z',
    '/sites/BBBB',
    '/sites/CCCC',
    '/sites/EEEE',
    '/sites/DDDD',
    '/sites/BBBB/findings',
    '/receivers',
    '/receivers?type=R0',
    '/receivers?conflicts=true',
  ]);
});

t.test('every snapshot is of a page', async (t) => {
  t.same(readdirSync(FOLDER).sort(), seen.sort());
});
