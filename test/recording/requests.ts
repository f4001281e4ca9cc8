import type { Client, Request } from './http.js';

/** The requests from which each recording starts. They are what users of the service ask for. */

const data = (url: string): Request => ({ url, as: 'data' });
const page = (url: string): Request => ({ url, as: 'page' });

/** Where programs and persons begin. */
const ENTRANCES: Request[] = [
  ...['/', '/api', '/openapi.json', '/profile', '/schemas', '/health', '/ready', '/ogc'].map(data),
  ...['log', 'oldlog', 'finallog'].map((folder) => data(`/station/${folder}/`)),
  ...['/', '/api', '/sites', '/receivers', '/antennas', '/network', '/changes', '/findings'].map(
    page,
  ),
  ...['/compare', '/style.css', '/icon.svg', '/favicon.ico', '/robots.txt', '/none'].map(page),
];

/** Tables and files of the whole network. */
const EXPORTS: Request[] = [
  ...['sites', 'setups', 'installations', 'changes', 'findings', 'feed'].flatMap((name) =>
    ['csv', 'ndjson', 'geojson'].flatMap((format) => [
      data(`/exports/${name}.${format}`),
      data(`/exports/${name}.${format}?countryCode=AUS`),
    ]),
  ),
  ...['snx', 'station-info', 'sta', 'rinex.zip'].flatMap((format) => [
    data(`/exports/sites.${format}`),
    data(`/exports/sites.${format}?at=2015-01-01`),
    data(`/exports/sites.${format}?blankEccentricity=zero`),
  ]),
  data('/exports/sites.sta?version=1.03'),
  data('/exports/sites.sta?version=1.01&firmwareChanges=true'),
  data('/exports/sites.snx?firmwareChanges=true&from=2010-01-01&to=2015-01-01'),
  data('/exports/sites.station-info?firmwareChanges=true'),
  data('/exports/offsets.csv'),
  data('/exports/offsets.snx'),
  data('/exports/offsets.csv?receiverChanges=true&firmwareChanges=true'),
  ...['installations.csv', 'sites.snx', 'sites.sta', 'sites.rinex.zip'].flatMap((name) => [
    data(`/exports/${name}/citation`),
    data(`/exports/${name}?asOf=2999-01-01`),
  ]),
];

/** Filters, orders and searches. */
const FILTERS: Request[] = [
  ...['corsSites', 'setups', 'siteLogs?projection=datePrepared', 'equipment', 'gnssReceivers']
    .concat('gnssAntennas', 'humiditySensors', 'clocks', 'changes', 'findings', 'feed')
    .map((list) => data(`/${list}${list.includes('?') ? '&' : '?'}size=100`)),
  ...['fourCharacterId', 'name,desc', 'location.latitude', 'domesNumber,desc', 'dateInstalled'].map(
    (sort) => data(`/corsSites?sort=${sort}`),
  ),
  ...['q=trimble', 'q=leica%20aus', 'q=none-such', 'agency=Geoscience*', 'countryCode=AUS'].flatMap(
    (query) => [data(`/corsSites?${query}`), page(`/sites?${query}`)],
  ),
  ...['bbox=110,-45,155,-10', 'bbox=170,-60,-170,60', 'near=-25,133&radius=1000']
    .concat('near=ALIC&radius=3000', 'countryCode=NZL')
    .flatMap((query) => [
      data(`/corsSites?${query}`),
      data(`/changes?${query}`),
      data(`/findings?${query}`),
      data(`/exports/sites.csv?${query}`),
      data(`/exports/installations.csv?${query}`),
    ]),
  ...['type=TRIMBLE*', 'type=LEICA%20*', 'q=net', 'conflicts=true', 'conflicts=false']
    .concat('manufacturer=Leica', 'manufacturer=Trimble', 'serialNumber=12*', 'sort=type,desc')
    .flatMap((query) => [
      data(`/equipment?${query}`),
      data(`/gnssReceivers?${query}`),
      data(`/gnssAntennas?${query}&projection=installations`),
      data(`/clocks?${query}`),
      data(`/humiditySensors?${query}`),
      page(`/receivers?${query}`),
      page(`/antennas?${query}`),
    ]),
  ...['from=2012-01-01&to=2013-01-01', 'equipmentType=gnss%20antenna']
    .concat('kind=reconfigured', 'kind=replaced', 'kind=installed', 'recordedSince=2026-01-01')
    .concat('equipmentType=clock', 'equipmentType=humidity%20sensor')
    .flatMap((query) => [
      data(`/changes?${query}`),
      page(`/changes?${query}`),
      data(`/feed?${query}`),
      data(`/feed.atom?${query}`),
      data(`/exports/changes.csv?${query}`),
      data(`/exports/feed.csv?${query}`),
    ]),
  ...['level=error', 'level=warning', 'level=info', 'code=missing-value', 'code=missing-section']
    .concat('code=history-gap', 'code=no-such-code', 'level=info&level=warning')
    .concat('code=ignored-line', 'code=unreadable-value&code=missing-value', 'code=older-log')
    .flatMap((query) => [
      data(`/findings?${query}`),
      page(`/findings?${query}`),
      data(`/exports/findings.ndjson?${query}`),
    ]),
  ...['current=true', 'current=false', 'invalidated=true', 'recordedSince=2026-01-01']
    .concat('sort=effectivePeriod.from,desc')
    .flatMap((query) => [data(`/setups?${query}`), data(`/exports/setups.ndjson?${query}`)]),
  data('/setups?projection=gaps&size=100'),
  data('/setups?projection=provenance&size=100'),
  data('/changes?mergeGaps=P1D&size=100'),
  data('/changes?sort=at,desc&size=50'),
  data('/findings?size=1000'),
  ...['sites', 'installations'].flatMap((collection) => [
    data(`/ogc/collections/${collection}`),
    data(`/ogc/collections/${collection}/schema`),
    data(`/ogc/collections/${collection}/items?limit=50`),
    data(`/ogc/collections/${collection}/items?bbox=110,-45,155,-10`),
    data(`/ogc/collections/${collection}/items?datetime=2015-01-01T00:00:00Z/..`),
  ]),
];

/** Requests that are refused, or have no answer. */
const WRONG: Request[] = [
  ...['/corsSites?size=0', '/corsSites?size=x', '/corsSites?page=-1', '/corsSites?page=99999'].map(
    data,
  ),
  ...[
    '/corsSites?sort=none',
    '/corsSites?sort=name,up',
    '/corsSites?nam=x',
    '/corsSites?q=',
    '/corsSites?q=a&q=b',
  ]
    .concat('/corsSites?countryCode=ZZ', '/corsSites?countryCode=XXX', '/corsSites?near=x')
    .concat('/corsSites?near=ZZZZ', '/corsSites?radius=5', '/corsSites?near=91,0')
    .concat('/corsSites?near=1,2&radius=-1', '/corsSites?bbox=1,2,3', '/corsSites?bbox=0,10,0,-10')
    .concat('/corsSites?bbox=a,b,c,d', '/corsSites/0', '/corsSites/999999', '/corsSites/x')
    .concat('/corsSites/1/none', '/corsSites/search/findByFourCharacterId')
    .concat('/corsSites/search/findByFourCharacterId?id=ALI', '/corsSites/search/none')
    .concat('/corsSites/search/findByFourCharacterId?id=ZZZZ')
    .concat('/corsSites/search/findByEquipment', '/corsSites/search/findByEquipment?type=NONE*')
    .concat('/setups/999999', '/setups/x', '/setups?site=ZZZZ', '/setups?current=maybe')
    .concat('/setups?recordedSince=yesterday', '/setups?recordedSince=2999-01-01')
    .concat('/setups/search/findCurrentByFourCharacterId', '/setups/search/none')
    .concat('/setups/search/findCurrentByFourCharacterId?id=ZZZZ')
    .concat('/setups/search/findCurrentByFourCharacterId?id=ALIC&id=NAMA')
    .concat('/setups/search/findCurrentByFourCharacterId?id=ALIC00XXX')
    .concat('/setups/search/findCurrentByFourCharacterId?id=ALIC&projection=none')
    .concat('/setups/search/findCurrentByFourCharacterId?id=ALIC&asOf=1990-01-01')
    .concat('/setups/search/findAtByFourCharacterId?id=ALIC')
    .concat('/setups/search/findAtByFourCharacterId?id=ALIC&at=1900-01-01')
    .concat('/setups/search/findAtByFourCharacterId?id=ALIC&at=2013-02-30')
    .concat('/setups/search/findAtByFourCharacterId?id=ALIC&at=2013:400')
    .concat('/setups/search/findAtByFourCharacterId?id=ALIC&at=now')
    .concat('/setups/search/findBySiteId', '/setups/search/findBySiteId?siteId=x')
    .concat('/setups/search/findBySiteId?siteId=99999')
    .concat('/setups/search/findCurrentByFourCharacterIdIn')
    .concat('/setups/search/findCurrentByFourCharacterIdIn?id=ALIC&id=ZZZZ&id=NAMA')
    .concat(
      '/gnssReceivers?type=TRIMBLE%20NETR99',
      '/gnssReceivers?type=LEICA%20GR',
      '/gnssReceivers/999999',
    )
    .concat(
      '/gnssReceivers?serialNumber=none',
      '/gnssAntennas?type=LEIAR25.R8',
      '/equipment?equipmentType=radio',
    )
    .concat(
      '/equipment/search/findBySerialNumber',
      '/equipment/search/findBySerialNumber?serialNumber=none',
    )
    .concat('/equipment?type=a%01b', '/gnssReceivers?manufacturer=Lieca', '/changes?kind=none')
    .concat(
      '/changes?from=2020-01-01&to=2010-01-01',
      '/changes?equipmentType=radio',
      '/changes?site=ZZZZ',
    )
    .concat(
      '/findings?level=fatal',
      '/findings?code=',
      '/findings?site=ZZZZ',
      '/feed?after=none',
      '/feed?after=MS4x',
    )
    .concat('/feed?size=1000', '/feed.atom?after=none', '/exports/none.csv', '/exports/sites.xls')
    .concat('/exports/sites.csv?format=x', '/exports/sites.snx?at=2015-01-01&from=2010-01-01')
    .concat(
      '/exports/sites.sta?version=3',
      '/exports/sites.snx?strict=true',
      '/exports/sites.sta?strict=true',
    )
    .concat(
      '/exports/sites.station-info?strict=true',
      '/exports/sites.rinex.zip?strict=true',
      '/exports/offsets.xml',
    )
    .concat('/exports/sites.snx?blankEccentricity=one', '/exports/offsets.csv?strict=true')
    .concat('/skeletonFiles/ALIC', '/skeletonFiles/ZZZZ.skl', '/skeletonFiles/ALIC.skl?version=1')
    .concat('/skeletonFiles/ALIC.skl?strict=true', '/skeletonFiles/ALIC.skl?at=1900-01-01')
    .concat(
      '/siteLogs/999999',
      '/siteLogs/1?format=pdf',
      '/siteLogs/1?version=9',
      '/siteLogs/1/original',
    )
    .concat(
      '/siteLogs/1/comparison?with=1',
      '/siteLogs/1/comparison?with=9999',
      '/siteLogs?projection=none',
    )
    .concat(
      '/siteLogs/search/findByFourCharacterId?id=ZZZZ',
      '/profile/none',
      '/schemas/none.json',
      '/schemas/../x',
    )
    .concat(
      '/ogc/collections/none',
      '/ogc/collections/sites/items/999999',
      '/ogc/collections/sites/items?limit=0',
    )
    .concat(
      '/ogc/collections/sites/items?bbox=1,2',
      '/ogc/collections/sites/items?datetime=x',
      '/station/none/',
    )
    .concat(
      '/station/ALIC/none.log',
      '/corssites',
      '/CorsSites',
      '/corsSites/',
      '//corsSites',
      '/setup',
      '/site/ALIC',
    )
    .concat(
      '/sites/ALIC/logs',
      '/%',
      '/%zz',
      '/%00',
      `/${'x'.repeat(3000)}`,
      '/compare?site=ALIC',
      '/compare?at=x',
    )
    .concat(
      '/compare?site=ALIC%20ZZZZ',
      '/compare?site=ALIC%20NAMA%20HOUZ%20NYA1%20MCIL%20MFKG%20UCLU',
    )
    .flatMap((url) => [data(url), page(url)]),
  ...[
    '/sites/ZZZZ',
    '/sites/ALIX',
    '/sites/ALIC00XXX',
    '/sites/alic',
    '/sites/x',
    '/sites/ZZZZ/log',
  ]
    .concat(
      '/sites/ZZZZ/findings',
      '/sites/ALIC?at=x',
      '/sites/ALIC?at=1900-01-01',
      '/sites/ALIC/log?version=9',
    )
    .concat(
      '/sites?sort=none',
      '/sites?q=zzzzzz',
      '/sites?page=999',
      '/sites?country=X',
      '/receivers?type=NONE',
    )
    .concat(
      '/receivers?serialNumber=none',
      '/receivers?type=TRIMBLE%20NETR99',
      '/antennas?type=NONE',
      '/network?x=1',
    )
    .map(page),
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'].flatMap((method) =>
    ['/', '/corsSites', '/sites/ALIC', '/none'].map((url) => ({ ...data(url), method })),
  ),
  ...['application/xml', 'text/html;q=0.1', 'application/hal+json', 'application/json', 'image/png']
    .concat('application/geo+json', 'text/plain', 'text/csv', 'text/html,*/*;q=0.1')
    .flatMap((accept) =>
      [
        '/',
        '/corsSites',
        '/changes',
        '/siteLogs/search/findByFourCharacterId?id=ALIC',
        '/sites/ALIC',
      ].map((url) => ({ ...data(url), headers: { accept } })),
    ),
  { ...data('/corsSites'), headers: { origin: 'http://other.example' } },
  { ...data('/corsSites'), headers: { 'if-none-match': '*' } },
  { ...data('/corsSites'), headers: { range: 'bytes=0-10' } },
  {
    ...data('/corsSites'),
    headers: { 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'https' },
  },
  { ...data('/corsSites'), headers: { 'accept-encoding': 'gzip, br' } },
  { ...data('/corsSites'), headers: { expect: 'something' } },
];

/** What is asked about a Site. */
function requestsAbout(site: {
  id: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
}): Request[] {
  const { id: number, fourCharacterId: four, nineCharacterId } = site;
  const id = nineCharacterId ?? four;
  return [
    page(`/sites/${id}`),
    page(`/sites/${four}`),
    page(`/sites/${id}?at=2012-06-01`),
    page(`/sites/${id}/log`),
    page(`/sites/${id}/findings`),
    page(`/changes?site=${id}`),
    page(`/findings?site=${id}`),
    data(`/findings?site=${id}&size=1000`),
    data(`/changes?site=${id}&size=1000`),
    data(`/changes?site=${id}&size=1000&mergeGaps=P1D`),
    data(`/feed?site=${id}`),
    data(`/feed.atom?site=${id}`),
    data(`/corsSites/${number}`),
    data(`/corsSites/${number}/siteLogs`),
    data(`/corsSites/search/findByFourCharacterId?id=${four}`),
    data(`/setups?site=${id}&size=1000`),
    data(`/setups?site=${id}&invalidated=true&size=1000`),
    data(`/setups/search/findBySiteId?siteId=${number}&size=1000`),
    ...['', '&projection=provenance', '&projection=site', '&projection=gaps'].map((projection) =>
      data(`/setups/search/findCurrentByFourCharacterId?id=${four}${projection}`),
    ),
    ...['2000-01-01', '2008-06-01', '2012-06-01', '2016-03-01', '2016:200', '1900:0'].map((at) =>
      data(`/setups/search/findAtByFourCharacterId?id=${id}&at=${at}`),
    ),
    data(`/setups/search/findByFourCharacterId?id=${id}&size=1000&projection=gaps`),
    data(`/setups/search/findByFourCharacterId?id=${id}&effectiveFrom=2010-01-01`),
    ...['', '&projection=written', '&projection=datePrepared', '&format=text&version=1']
      .concat('&format=text&version=2', '&format=geodesyml&version=0.4')
      .concat('&format=geodesyml&version=0.5', '&format=text', '&format=geodesyml', '&format=json')
      .map((form) => data(`/siteLogs/search/findByFourCharacterId?id=${id}${form}`)),
    data(`/siteLogs/search/findByFourCharacterId?id=${id}&at=2012-06-01`),
    ...[
      '',
      '?version=3.05',
      '?version=2.11',
      '?version=4.01',
      '?at=2012-06-01',
      '?blankEccentricity=zero',
    ].map((query) => data(`/skeletonFiles/${id}.skl${query}`)),
    ...['snx', 'station-info', 'sta', 'rinex.zip'].map((form) =>
      data(`/exports/sites.${form}?site=${id}`),
    ),
    data(`/exports/sites.snx?site=${id}&firmwareChanges=true`),
    data(`/exports/offsets.csv?site=${id}&receiverChanges=true`),
    data(`/exports/offsets.snx?site=${id}`),
    ...['setups', 'installations', 'changes', 'findings'].map((name) =>
      data(`/exports/${name}.csv?site=${id}`),
    ),
    data(`/ogc/collections/sites/items/${number}`),
    data(`/compare?site=${id}&site=ALIC`),
    page(`/compare?site=${id}%20ALIC`),
    page(`/compare?site=${id}%20ALIC&at=2012-06-01`),
  ];
}

/** Parts of an OpenAPI document. */
interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: { examples?: unknown[]; enum?: unknown[]; type?: string; items?: { enum?: unknown[] } };
}

/** A reference to a shared part of the document, as a JSON pointer. */
interface Reference {
  $ref: string;
}
interface Document {
  components: { parameters: Record<string, Parameter> };
  paths: Record<
    string,
    {
      parameters?: (Parameter | Reference)[];
      get?: { parameters?: (Parameter | Reference)[] };
    }
  >;
}

/** A query with one parameter; an array repeats it. */
const pairsOf = (name: string, value: unknown): string =>
  [value]
    .flat()
    .map((each) => `${name}=${encodeURIComponent(String(each))}`)
    .join('&');

/** Each operation with its examples: the required parameters, and each other one with these. */
function examplesOf(document: Document): Request[] {
  const resolved = (parameter: Parameter | Reference): Parameter =>
    '$ref' in parameter
      ? document.components.parameters[parameter.$ref.split('/').pop()!]!
      : parameter;
  return Object.entries(document.paths).flatMap(([pattern, { get, parameters = [] }]) => {
    if (get === undefined) return [];
    const all: Parameter[] = [...parameters, ...(get.parameters ?? [])].map(resolved);
    const valuesOf = ({ schema }: Parameter): unknown[] => [
      ...(schema.examples ?? []),
      ...(schema.enum ?? []),
      ...(schema.items?.enum ?? []),
      ...(schema.type === 'boolean' ? [true, false] : []),
    ];
    const paths = all
      .filter((each) => each.in === 'path')
      .reduce<string[]>(
        (urls, parameter) => {
          const values = [...new Set(valuesOf(parameter).map(String))];
          return urls.flatMap((url) =>
            values.map((value) => url.replace(`{${parameter.name}}`, encodeURIComponent(value))),
          );
        },
        [pattern],
      );
    const queries = all.filter((each) => each.in === 'query');
    const required = queries
      .filter((each) => each.required === true)
      .map((each) => pairsOf(each.name, valuesOf(each)[0]));
    const urls = paths.flatMap((path, at) => {
      const optional = queries
        .filter((each) => each.required !== true)
        .flatMap((each) => valuesOf(each).map((value) => pairsOf(each.name, value)));
      // Further paths differ in their format only, so one has all parameters.
      return [[], ...(at === 0 ? optional : []).map((pair) => [pair])].map((pairs) => {
        const query = [...required, ...pairs].join('&');
        return query === '' ? path : `${path}?${query}`;
      });
    });
    return [...new Set(urls)].map(data);
  });
}

/** First, middle and last pages of the lists. */
async function pagesOf(client: Client): Promise<Request[]> {
  const lists = [
    '/corsSites',
    '/setups',
    '/siteLogs',
    '/equipment',
    '/changes',
    '/findings',
  ].concat('/gnssReceivers', '/gnssAntennas', '/humiditySensors', '/clocks');
  const found: Request[] = [];
  for (const list of lists) {
    const { page: { totalPages = 1 } = {} } = await client.json(list);
    const numbers = new Set([
      0,
      Math.floor(totalPages / 2),
      Math.max(0, totalPages - 1),
      totalPages,
    ]);
    found.push(...[...numbers].map((number) => data(`${list}?page=${number}&size=20`)));
  }
  return found;
}

/** All Sites, in the order of their ids. */
async function sitesOf(client: Client): Promise<any[]> {
  const sites: any[] = [];
  for (let number = 0; ; number++) {
    const body = await client.json(`/corsSites?size=1000&sort=fourCharacterId&page=${number}`);
    sites.push(...(body._embedded?.corsSites ?? []));
    if (number + 1 >= body.page.totalPages) return sites;
  }
}

/**
 * The requests from which a recording starts.
 * @param every about how many Sites is asked: each n-th
 */
export async function seedsOf(client: Client, every: number): Promise<Request[]> {
  const sites = (await sitesOf(client)).filter((_, at) => at % every === 0);
  return [
    ...ENTRANCES,
    ...(await pagesOf(client)),
    ...EXPORTS,
    ...FILTERS,
    ...WRONG,
    ...examplesOf(await client.json('/openapi.json')),
    ...sites.flatMap(requestsAbout),
  ];
}

/** Of the seeds, those whose answers depend on the engine: lists, searches and exports. */
export async function seedsOfData(client: Client, every: number): Promise<Request[]> {
  const seeds = await seedsOf(client, every);
  return seeds.filter(
    ({ url, as, method, headers }) =>
      as === 'data' &&
      method === undefined &&
      headers === undefined &&
      !/^\/(openapi|schemas|profile|api|station)/.test(url),
  );
}
