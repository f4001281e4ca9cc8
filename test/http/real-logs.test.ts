import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  type Change,
  type CorsSite,
  type ExportedInstallation,
  type ExportedSetup,
  EXPORTS,
  type SiteLogSections,
} from '../../schemas/index.js';
import { countryName } from '../../src/site-log/values/country.js';
import { ascii } from '../../src/formats/columns-of-text.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings } from '../../src/findings/findings.js';
import { REAL_LOGS, SAMPLE, withRealLogs } from '../project-files.js';
import { openService } from '../service.js';
import { HOST, personalValues } from '../round-trips/contacts.js';
import { elementsIn, folded, type Paged } from './answers.js';
import {
  type Read,
  readHeader,
  readRenaming,
  readSinex,
  readSta,
  readStationInfo,
  readZip,
  text,
} from './geodetic-files.js';
import {
  domesIn,
  headerRecords,
  metres,
  sinexFields,
  staFields,
  stationInfoFields,
  stationNameOf,
  valuesOf,
} from './geodetic-values.js';
import { BROWSER, openPage, sitesOn } from './html-page.js';
import { checkFigures } from './pages/figures-behind.js';
import { ORIGIN, replay } from './reference-clients.js';

/** What the service says about the real logs. They are imported once for all of these tests. */

/** The folders of real logs that the facts below are about; others may lie beside them. */
const FORMS_OF_LOGS = ['geodesyml', 'text', 'sopac'];
const FOLDERS = [...FORMS_OF_LOGS, 'versions'];
const LOGS = REAL_LOGS === null ? [SAMPLE] : FOLDERS.map((name) => join(REAL_LOGS!, name));

const service = await openService(t, LOGS, {
  clock: () => new Date('2026-01-01'),
  corsOrigins: [ORIGIN],
});

t.test('the clients of the reference service find all that they read', withRealLogs, async (t) => {
  await replay(t, service, 2000, 4);
});

t.test(
  'each figure of /overview is the number of the list behind it, and the page is small',
  withRealLogs,
  async (t) => {
    const sizeOf = async (url: string): Promise<number> =>
      (await service.get(url, { accept: BROWSER })).rawPayload.length;
    t.ok((await sizeOf('/overview')) <= 40_000);
    t.ok((await sizeOf('/map.svg')) <= 70_000);
    await checkFigures(t, service);
  },
);

t.test(
  '/network counts as many devices in use as /receivers and /antennas',
  withRealLogs,
  async (t) => {
    const network = await openPage(service, '/network');
    const tables = network.named('table').map((table) => network.rowsOf(table));
    for (const [index, path] of ['/receivers', '/antennas'].entries()) {
      const page = await openPage(service, path);
      const [heads, ...rows] = page.rowsOf(page.named('table')[0]!);
      const column = heads!.indexOf('In use');
      const inUse = rows.map((row) => [row[0]!, row[column]!]).filter(([, count]) => count !== '0');
      const now = tables[index]!.slice(1)
        .map((row) => [row[0]!, row.at(-1)!])
        .filter(([, count]) => count !== '0');
      t.ok(now.length > 20, path);
      t.same(now.sort(), inUse.sort(), path);
    }
  },
);

t.test(
  'in the real network, no antenna is replaced by itself with another radome, and devices in conflict are found',
  withRealLogs,
  async (t) => {
    const suspicious: string[] = [];
    // XXX, as in the blank form, does not say which device it is.
    const isSerial = (text: string | undefined): boolean =>
      text !== undefined && !/^X*$/.test(text);
    for (let path: string | undefined = '/changes?size=1000'; path !== undefined;) {
      const { _embedded, _links }: Paged<Change> = (await service.get(path)).json<Paged<Change>>();
      for (const { fourCharacterId, kind, before, after } of _embedded.changes!) {
        if (kind !== 'replaced') continue;
        const [was, is] = [before!, after!].map(({ content: { id } }) => ({
          model: id.type?.slice(0, 16).trim().toUpperCase(),
          digits: id.serialNumber?.toUpperCase().replace(/^0+|[ -]/g, ''),
          text: id.serialNumber,
        }));
        const isSame =
          was!.model === is!.model && was!.digits === is!.digits && isSerial(was!.digits);
        if (isSame) suspicious.push(`${fourCharacterId} ${was!.text} ${is!.text}`);
      }
      path = _links.next?.href;
    }
    t.same(suspicious, ['TLSE 199 00199'], 'leading zeros count');

    const conflictsOf = async (collection: string, serialNumber: string): Promise<string[]> => {
      type Device = { installations: { fourCharacterId: string; conflictsWith: string[] }[] };
      const found = await service.get(
        `/${collection}?serialNumber=${serialNumber}&projection=installations`,
      );
      const devices = elementsIn(found.json<Paged<Device>>());
      const inConflict = devices
        .flatMap(({ installations }) => installations)
        .filter(({ conflictsWith }) => conflictsWith.length > 0);
      return [...new Set(inConflict.map(({ fourCharacterId }) => fourCharacterId))].sort();
    };
    t.same(await conflictsOf('gnssAntennas', '205'), ['MALI', 'TID1']);
    t.same(await conflictsOf('gnssReceivers', 'C116'), ['COCO', 'DARW']);
    t.same(await conflictsOf('gnssAntennas', '0937002'), ['BRO1', 'BROO']);
  },
);

t.test(
  'every eighth page over the real logs is well-formed, and its Setups are those of the API',
  withRealLogs,
  async (t) => {
    const { page: all } = (await service.get('/corsSites')).json<Paged>();
    const ids: string[] = [];
    while (ids.length < all.totalElements) {
      const list = await openPage(service, `/sites?page=${ids.length / 50}`);
      const onPage = sitesOn(list);
      const rest = all.totalElements - ids.length;
      t.same([onPage.length, list.errors], [Math.min(50, rest), []]);
      if (onPage.length === 0) break;
      ids.push(...onPage);
    }
    t.ok(ids.length >= 470);
    for (const id of ids.filter((_, index) => index % 8 === 0)) {
      const page = await openPage(service, `/sites/${id}`);
      const { page: paging } = (
        await service.get(`/setups/search/findByFourCharacterId?id=${id}&size=1`)
      ).json<Paged>();
      const [shown = NaN] = page.has('#setups') ? page.numbers('#setups h2') : [];
      t.same([page.errors, Number(shown)], [[], paging.totalElements], id);
    }
    for (const path of ['/receivers', '/antennas']) {
      const types = (await openPage(service, path))
        .all('a', 'href')
        .filter((href) => href.includes('?type='));
      for (const href of types.filter((_, index) => index % 8 === 0))
        t.same((await openPage(service, href.slice(1))).errors, [], href);
    }
    t.same((await openPage(service, '/sites/WTZR')).numbers('#setups h2'), ['94']);
  },
);

// Contacts

const FORMS = [
  'format=text&version=1',
  'format=geodesyml&version=0.4',
  'format=geodesyml&version=0.5',
];

/** All shared logs. */
const readRealLogs = (): SiteLogSections[] =>
  FORMS_OF_LOGS.flatMap((form) =>
    readdirSync(join(REAL_LOGS!, form)).map((name) => join(REAL_LOGS!, form, name)),
  ).map((path) => readSections(readFileSync(path), new Findings('')));

/**
 * The contacts of a log that its answers may not contain. Short texts do not count, nor do names in
 * what is published whole: organisations with their addresses, and places.
 */
function secretsOf(log: SiteLogSections): string[] {
  const { city, state, country, countryName } = log.siteLocation;
  const published = [
    ...log.responsibleParties.flatMap(({ organisation, abbreviation, address }) => [
      organisation,
      abbreviation,
      address,
    ]),
    ...[log.siteIdentification.siteName, city, state, country, countryName],
  ].flatMap((each) =>
    each === null ? [] : [each.written, ...each.written.split(/[\n,;/()]/)].map(wordsOf),
  );
  const isLong = (text: string): boolean =>
    (text.match(/\p{L}/gu)?.length ?? 0) >= 4 || (text.match(/\d/g)?.length ?? 0) >= 6;
  return personalValues(log).filter((text) => isLong(text) && !published.includes(wordsOf(text)));
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a text contains another one as whole words. */
function contains(text: string, secret: string): boolean {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1) + text.charAt(at + secret.length))) return true;
  }
  return false;
}

t.test('no output about a real log contains any of its contacts', withRealLogs, async (t) => {
  const secrets = new Map<string, string[]>();
  for (const log of readRealLogs()) {
    const { fourCharacterId, nineCharacterId } = log.siteIdentification;
    const id = (nineCharacterId ?? fourCharacterId)?.written.slice(0, 4).toUpperCase() ?? '';
    secrets.set(id, [...(secrets.get(id) ?? []), ...secretsOf(log)]);
  }
  t.ok(new Set([...secrets.values()].flat()).size > 500);
  const leaks: string[] = [];
  let requests = 0;
  const check = (url: string, site: string, body: string): void => {
    // An organisation that is named as a contact is also in the name of its web site.
    const text = folded(body).replaceAll(HOST, '');
    for (const secret of secrets.get(site)!)
      if (contains(text, secret)) leaks.push(`${url}: ${secret}`);
  };
  const search = async (url: string, site: string): Promise<string> => {
    const { body, statusCode } = await service.get(url);
    requests++;
    if (statusCode !== 200) leaks.push(`${url}: ${statusCode}`);
    check(url, site, body);
    return body;
  };
  const sites = elementsIn(
    (await service.get('/corsSites?size=1000')).json<
      Paged<CorsSite & { datePrepared?: string | null }>
    >(),
  );
  t.ok(sites.length > 450);
  for (const { id, fourCharacterId: four, nineCharacterId } of sites.filter(
    (site) => site.id % 3 === 0,
  )) {
    const logs = elementsIn(
      JSON.parse(await search(`/corsSites/${id}/siteLogs`, four)) as Paged<{ id: number }>,
    );
    for (const log of logs) await search(`/siteLogs/${log.id}?projection=written`, four);
    t.equal((await service.get(`/siteLogs/${logs[0]!.id}/original`)).statusCode, 403);
    // Chosen by id, so that each form is checked with each of the other outputs.
    const form = FORMS[Math.floor(id / 3) % FORMS.length]!;
    await search(`/siteLogs/${logs[0]!.id}?${form}`, four);
    const site = nineCharacterId ?? four;
    const others = [
      `/sites/${site}`,
      `/skeletonFiles/${site}.skl`,
      `/setups?siteId=${id}&projection=provenance`,
      `/corsSites/${id}`,
    ];
    await search(`/sites/${site}/log`, four);
    await search(others[Math.floor(id / 3) % others.length]!, four);
  }
  for (const name of EXPORTS) {
    const rows = (await service.get(`/exports/${name}.ndjson`)).body.trim().split('\n');
    for (const row of rows) {
      const element = JSON.parse(row) as {
        fourCharacterId?: string;
        site?: { fourCharacterId: string };
      };
      check(
        `/exports/${name}.ndjson`,
        (element.fourCharacterId ?? element.site?.fourCharacterId)!,
        row,
      );
    }
  }
  t.comment(`${requests} answers`);
  t.strictSame([...new Set(leaks)].slice(0, 20), []);
});

// Files for geodetic software

/** Random numbers that are the same in each run. */
function* numbers(seed = 1): Generator<number, never> {
  for (let state = seed; ;) yield (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** The line of a Site at an instant. */
const lineAt = (lines: Read[] | undefined, instant: number): Read | undefined =>
  lines?.findLast(
    ({ from, to }) => (from === null || from <= instant) && (to === null || instant < to),
  );

/** The fields of a line, apart from its times. */
function fieldsOf(line: Read | undefined): Record<string, string> | undefined {
  if (line === undefined) return undefined;
  const others = { ...line.fields };
  for (const name of ['from', 'to', 'Session Start', 'Session Stop']) delete others[name];
  return others;
}

const ndjson = async <T>(name: string): Promise<T[]> =>
  (await text(service, `/exports/${name}`))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);

/** A Site with its Setups in chronological order. */
interface Recorded {
  site: CorsSite;
  setups: ExportedSetup[];
  /** How many Sites before it have the same four characters. */
  namesakes: number;
  /** Whether it is the one of these with the newest log, and so has their name in a file. */
  isNewest: boolean;
  /** Whether its current log has a text form. */
  isText: boolean;
}

/** All Sites that have Setups, in the order of the files. */
async function recordedSites(): Promise<Recorded[]> {
  const sites = (await ndjson<CorsSite>('sites.ndjson')).toSorted((a, b) => a.id - b.id);
  const setups = Map.groupBy(
    await ndjson<ExportedSetup>('setups.ndjson?invalidated=false'),
    ({ siteId }) => siteId,
  );
  const listed = elementsIn(
    (await service.get('/corsSites?size=1000')).json<
      Paged<CorsSite & { datePrepared?: string | null }>
    >(),
  );
  const logs = elementsIn(
    (
      await service.get(
        '/siteLogs?form=IGS%20site%20log%201&form=IGS%20site%20log%202.0&projection=datePrepared&size=1000',
      )
    ).json<Paged<{ _links: { corsSite: { href: string } } }>>(),
  );
  const ofText = new Set(logs.map(({ _links }) => Number(_links.corsSite.href.split('/').at(-1))));
  const days = new Map(listed.map(({ id, datePrepared }) => [id, datePrepared ?? '']));
  const newest = new Map<string, CorsSite>();
  for (const site of sites.filter(({ id }) => setups.has(id))) {
    const other = newest.get(site.fourCharacterId);
    if (other === undefined || days.get(site.id)! > days.get(other.id)!)
      newest.set(site.fourCharacterId, site);
  }
  return sites
    .map((site, index) => ({
      site,
      isNewest: newest.get(site.fourCharacterId) === site,
      isText: ofText.has(site.id),
      // After a newer log, ids are not in chronological order.
      setups: (setups.get(site.id) ?? []).toSorted((a, b) =>
        a.effectivePeriod.from < b.effectivePeriod.from ? -1 : 1,
      ),
      namesakes: sites
        .slice(0, index)
        .filter((each) => each.fourCharacterId === site.fourCharacterId).length,
    }))
    .filter((each) => each.setups.length > 0);
}

const setupAt = (setups: ExportedSetup[], instant: number): ExportedSetup | undefined =>
  setups.findLast(({ effectivePeriod: { from } }) => Date.parse(from) <= instant);

const bySite = (lines: Read[]): Map<string, Read[]> => Map.groupBy(lines, ({ site }) => site);

/** How many instants of each Site are compared. */
const INSTANTS = 6;

t.test('every field of every Site at six instants equals what the API says', async (t) => {
  const recorded = await recordedSites();
  for (const isAsked of [false, true]) {
    const query = isAsked ? '' : 'blankEccentricity=unknown';
    const read = (file: string, more = ''): Promise<string> =>
      text(service, `/exports/sites.${file}?${[query, more].filter(Boolean).join('&')}`);
    const sinex = readSinex(t, await read('snx'));
    const blocks = {
      'SITE/RECEIVER': bySite(sinex['SITE/RECEIVER']),
      'SITE/ANTENNA': bySite(sinex['SITE/ANTENNA']),
      'SITE/ECCENTRICITY': bySite(sinex['SITE/ECCENTRICITY']),
    };
    const info = bySite(readStationInfo(t, await read('station-info', 'antennaAzimuth=true')));
    const sta = await Promise.all(
      (['1.01', '1.03'] as const).map(async (version) => ({
        version,
        lines: bySite(readSta(t, await read('sta', `version=${version}`))),
      })),
    );
    const random = numbers();
    let compared = 0;
    for (const { site, setups, namesakes, isNewest, isText } of recorded) {
      const isZero = isAsked && isText;
      const four = site.fourCharacterId;
      const point = 'ABC'[namesakes]!;
      const found: Record<string, unknown> = {};
      const wanted: Record<string, unknown> = {};
      const times = setups.flatMap(({ effectivePeriod: { from, to } }) => [from, to]);
      const changes = new Set(times.map((time) => time && Date.parse(time)));
      const first = Date.parse(setups[0]!.effectivePeriod.from);
      for (let index = 0; index < INSTANTS; index++) {
        const share = random.next().value;
        const instant = first + Math.floor((share * (Date.UTC(2026, 0) - first)) / 1000) * 1000;
        const values = valuesOf(setupAt(setups, instant)!);
        const compare = (
          file: string,
          line: Read | undefined,
          fields: object | undefined,
        ): void => {
          const name = `${file} of ${four} at ${new Date(instant).toISOString()}`;
          found[name] = fieldsOf(line);
          wanted[name] = fields;
          for (const time of [line?.from, line?.to])
            if (time !== undefined && !changes.has(time)) t.fail(`${name}: ${String(time)}`);
          compared++;
        };
        const expected = sinexFields(values, four, point, isZero);
        for (const block of Object.keys(blocks) as (keyof typeof blocks)[])
          compare(block, lineAt(blocks[block].get(`${four} ${point}`), instant), expected[block]);
        if (!isNewest) continue;
        const line = lineAt(info.get(four), instant);
        const fields = stationInfoFields(values, site, isZero);
        // A bridged gap has the line before it.
        const isBridged = values.receiver === undefined || values.antenna === undefined;
        if (!isBridged || line === undefined) compare('station.info', line, fields);
        for (const { version, lines } of sta)
          compare(
            `STA ${version}`,
            lineAt(lines.get(stationNameOf(site)), instant),
            staFields(values, site, version, isZero),
          );
      }
      t.strictSame(found, wanted, `${four} ${query}`);
    }
    t.ok(compared >= recorded.length * INSTANTS * 3, `${compared} lines ${query}`);
  }
});

/** Degrees of an angle in degrees, minutes and seconds. */
function degreesOf(text: string): number {
  const [degrees, minutes, seconds] = text.trim().split(/ +/).map(Number);
  const size = Math.abs(degrees!) + minutes! / 60 + seconds! / 3600;
  return text.includes('-') ? -size : size;
}

t.test('the identity of every Site in SINEX and STA equals what the API says', async (t) => {
  const recorded = await recordedSites();
  const sinex = readSinex(t, await text(service, '/exports/sites.snx'));
  const identities = bySite(sinex['SITE/ID']);
  const body = await text(service, '/exports/sites.sta');
  const renamed = bySite(readRenaming(t, body));
  const lines = bySite(readSta(t, body));
  for (const { site, namesakes } of recorded) {
    const { fourCharacterId: four, location } = site;
    const point = 'ABC'[namesakes]!;
    const [identity] = identities.get(`${four} ${point}`) ?? [];
    const { latitude, longitude, height, x, y, z } = location;
    const isPlaced = ![latitude, longitude, height].includes(null);
    t.equal(identity !== undefined, isPlaced || ![x, y, z].includes(null), four);
    if (identity !== undefined) {
      const { lon, lat, height: written, ...others } = identity.fields;
      t.strictSame(others, {
        site: four,
        point,
        domes: domesIn(site) ?? '---------',
        technique: 'P',
        name: ascii(site.name ?? '')
          .slice(0, 22)
          .trim(),
      });
      const isNear = (one: number, other: number, most: number): boolean =>
        Math.abs(one - other) <= most + 1e-9;
      // A tenth of a second of arc, and of a metre.
      if (isPlaced) {
        const east = ((longitude! % 360) + 360) % 360;
        t.ok(isNear(degreesOf(lat!), latitude!, 0.05 / 3600), `${four} ${lat!}`);
        t.ok(isNear(degreesOf(lon!) % 360, east % 360, 0.05 / 3600), `${four} ${lon!}`);
        t.ok(isNear(Number(written), height!, 0.05), `${four} ${written!}`);
      }
    }
    const name = stationNameOf(site);
    const own = lines.get(name);
    const [renaming, ...more] = renamed.get(name) ?? [];
    t.same([renaming !== undefined, more.length], [own !== undefined, 0], name);
    if (renaming === undefined || namesakes > 0) continue;
    t.same([renaming.from, renaming.to], [own![0]!.from, own!.at(-1)!.to], name);
    t.match(renaming.fields, {
      name,
      flag: '001',
      old: new RegExp(`^${four}(\\*$| )`),
      remark: '',
    });
  }
});

/** The instants of the RINEX headers, each with another version. */
const HEADERS = [
  ['2.11', '1996-02-29T12:00:00Z'],
  ['3.05', '2001-09-09T01:46:40Z'],
  ['4.01', '2006-07-01T00:00:00Z'],
  ['2.11', '2011-11-11T11:11:11Z'],
  ['3.05', '2015-03-08T00:00:00Z'],
  ['4.01', '2025-12-31T23:59:59Z'],
] as const;

t.test('every record of the RINEX headers at six instants equals what the API says', async (t) => {
  const recorded = await recordedSites();
  for (const [version, instant] of HEADERS)
    for (const isAsked of [false, true]) {
      const query = `version=${version}&at=${instant}${isAsked ? '' : '&blankEccentricity=unknown'}`;
      const url = `/exports/sites.rinex.zip?${query}`;
      const files = readZip((await service.app.inject(url)).rawPayload);
      const found: Record<string, unknown> = {};
      const wanted: Record<string, unknown> = {};
      let withSetup = 0;
      for (const { site, setups, isText } of recorded) {
        const isZero = isAsked && isText;
        const id = site.nineCharacterId ?? site.fourCharacterId;
        const file = files.get(`${id}.skl`);
        const setup = setupAt(setups, Date.parse(instant));
        if (setup === undefined || file === undefined) {
          t.same([file, setup], [undefined, undefined], `${id} has no Setup then`);
          continue;
        }
        withSetup++;
        const records = readHeader(t, file);
        const expected = headerRecords(valuesOf(setup), site, version, isZero);
        found[id] = Object.fromEntries(
          Object.keys(expected).map((label) => [label, records.get(label)]),
        );
        wanted[id] = expected;
        const known = [
          ...Object.keys(expected).filter((label) => expected[label] !== undefined),
          ...['PGM / RUN BY / DATE', 'OBSERVER / AGENCY', 'APPROX POSITION XYZ'],
          ...['COMMENT', 'END OF HEADER'],
        ];
        const others = [...records.keys()].filter((label) => !known.includes(label));
        if (others.length > 0) t.fail(`${id}: ${others.join()}`);
      }
      t.equal(files.size, withSetup, query);
      t.strictSame(found, wanted, query);
    }
});

/** The cells of a line of CSV. */
const cellsOf = (row: string): string[] =>
  [...`${row},`.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*)),/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  );

t.test('the offsets of every Site lead to what the API says', async (t) => {
  const recorded = await recordedSites();
  const all = 'receiverChanges=true&firmwareChanges=true';
  const rows = (await text(service, `/exports/offsets.csv?${all}`)).split('\r\n').slice(1, -1);
  const csv = rows.map((row) => {
    const [four, nine, at, , , kind, before, after] = cellsOf(row);
    return { site: nine === '' ? four! : nine!, at: at!, kind: kind!, before, after };
  });
  const offsets = Map.groupBy(csv, ({ site }) => site);
  const comparable = (value: string): string => value.toUpperCase().replace(/[ -]/g, '');
  let compared = 0;
  for (const { site, setups } of recorded) {
    const own = offsets.get(site.nineCharacterId ?? site.fourCharacterId) ?? [];
    const differing: string[] = [];
    for (const setup of setups) {
      const { receiver, antenna } = valuesOf(setup);
      const values: Record<string, string | undefined> = {
        antenna:
          antenna &&
          `${antenna.type || 'unknown type'} ${antenna.serial || 'unknown serial number'}`,
        receiver:
          receiver &&
          `${receiver.type || 'unknown type'} ${receiver.serial || 'unknown serial number'}`,
        firmware: receiver?.firmware,
        up: antenna?.given[0] == null ? undefined : metres(antenna.given[0]),
        north: antenna?.given[1] == null ? undefined : metres(antenna.given[1]),
        east: antenna?.given[2] == null ? undefined : metres(antenna.given[2]),
      };
      const { from } = setup.effectivePeriod;
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) continue;
        const part = ['up', 'north', 'east'].indexOf(name);
        const kind = part === -1 ? name : 'eccentricity';
        const ofKind = own.filter((each) => each.kind === kind);
        const last = ofKind.findLast((each) => each.at <= from)?.after ?? ofKind[0]?.before;
        const written = part === -1 ? last : last?.split(' ')[part];
        if (written === undefined || written === 'unknown') continue;
        compared++;
        if (comparable(written) !== comparable(value))
          differing.push(`${from} ${name}: ${written}, not ${value}`);
      }
    }
    t.same(differing, [], site.fourCharacterId);
  }
  t.ok(compared > 10, `${compared} values`);
});

/** The receivers of a GeodesyML log, read without the parser: by line, with their systems. */
function receiversIn(xml: string): { from: string; to: string; systems: string[] }[] {
  const blocks = xml.match(/<geo:GnssReceiver [\s\S]*?<\/geo:GnssReceiver>/g) ?? [];
  return blocks.map((block) => {
    const textsOf = (name: string): string[] =>
      [...block.matchAll(new RegExp(`<geo:${name}\\b[^>]*>([^<]*)<`, 'g'))].map(([, text]) =>
        text!.trim(),
      );
    return {
      from: textsOf('dateInstalled')[0] ?? '',
      to: textsOf('dateRemoved')[0] ?? '',
      systems: textsOf('satelliteSystem').flatMap((text) => text.split(/[+/, ]+/)),
    };
  });
}

t.test(
  'the satellite systems of the Sites with GeodesyML logs are those that the logs list',
  withRealLogs,
  async (t) => {
    const files = new Set(readdirSync(join(REAL_LOGS!, 'geodesyml')));
    const logs = elementsIn(
      (await service.get('/siteLogs?size=1000')).json<
        Paged<{ name: string; siteIdentification: { fourCharacterId: string } }>
      >(),
    ).filter(({ name }) => files.has(name));
    t.ok(logs.length >= 300, `${logs.length} Sites`);
    const at = '2016-11-13T11:02:56Z';
    /** The ids of the Sites, by system, at any time and then. */
    const wanted = { ever: new Map<string, Set<string>>(), then: new Map<string, Set<string>>() };
    const add = (sites: Map<string, Set<string>>, system: string, id: string): void => {
      if (!sites.has(system)) sites.set(system, new Set());
      sites.get(system)!.add(id);
    };
    const names: Record<string, string> = { GLONASS: 'GLO', IRNS: 'IRNSS', GALILEO: 'GAL' };
    const ofXml = new Set<string>();
    for (const { name, siteIdentification } of logs) {
      const id = siteIdentification.fourCharacterId;
      ofXml.add(id);
      const xml = readFileSync(join(REAL_LOGS!, 'geodesyml', name), 'utf8');
      for (const { from, to, systems } of receiversIn(xml))
        for (const text of systems) {
          const system = names[text.toUpperCase()] ?? text.toUpperCase();
          if (to !== '' && to <= from) continue;
          add(wanted.ever, system, id);
          if (from <= at && (to === '' || to > at)) add(wanted.then, system, id);
        }
    }
    for (const system of ['GPS', 'GLO', 'GAL', 'BDS', 'QZSS', 'IRNSS', 'SBAS'])
      for (const [key, query] of [
        ['ever', ''],
        ['then', `&at=${at}`],
      ] as const) {
        const found = await text(
          service,
          `/exports/installations.ndjson?satelliteSystem=${system}${query}`,
        );
        const lines = found
          .trim()
          .split('\n')
          .filter((line) => line !== '');
        const ids = lines
          .map((line) => (JSON.parse(line) as ExportedInstallation).site.fourCharacterId)
          .filter((id) => ofXml.has(id));
        const sites = [...new Set(ids)].sort();
        t.strictSame(sites, [...(wanted[key].get(system) ?? [])].sort(), `${system} ${key}`);
        const search = `/exports/sites.ndjson?satelliteSystem=${system}${query}`;
        const exported = (await text(service, search)).match(/"fourCharacterId":"\w+"/g) ?? [];
        const siteIds = exported.map((each) => each.slice(-5, -1)).filter((id) => ofXml.has(id));
        t.strictSame([...new Set(siteIds)].sort(), sites, search);
        t.comment(`${system} ${key}: ${sites.length}`);
      }
  },
);

t.test('the name and the code of each country find all of its Sites', withRealLogs, async (t) => {
  const sites = elementsIn(
    (await service.get('/corsSites?size=1000')).json<
      Paged<CorsSite & { datePrepared?: string | null }>
    >(),
  );
  const byCountry = Map.groupBy(sites, ({ location }) => location.countryCode);
  byCountry.delete(null);
  t.ok(byCountry.size > 50, `${byCountry.size} countries`);
  const lacking: string[] = [];
  for (const [code, ofCountry] of byCountry) {
    for (const words of [code!, countryName(code!)!]) {
      const path = `/corsSites?size=1000&q=${encodeURIComponent(words)}`;
      const found = elementsIn((await service.get(path)).json<Paged<CorsSite>>());
      const first = found.slice(0, ofCountry.length).map(({ id }) => id);
      for (const { id, fourCharacterId } of ofCountry)
        if (!first.includes(id)) lacking.push(`${words}: ${fourCharacterId}`);
    }
  }
  t.strictSame(lacking, []);
});
