import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  type Change,
  type CorsSite,
  type EquipmentInUse,
  type ExportedSetup,
  EXPORTS,
  type SiteLogSections,
} from '../../schemas/index.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings } from '../../src/site-log/site-log.js';
import { openService, REAL_LOGS, SAMPLE, withRealLogs } from '../helper.js';
import { personalValues } from '../round-trips/contacts.js';
import { elementsIn, folded, type Paged } from './answers.js';
import { type Read, readSinex, readSta, readStationInfo, text } from './geodetic-files.js';
import { openPage, sitesOn } from './html-page.js';
import { ORIGIN, replay } from './reference-clients.js';

/** What the service says about the real logs. They are imported once for all of these tests. */

const service = await openService(t, [REAL_LOGS ?? SAMPLE], {
  clock: () => new Date('2026-01-01'),
  corsOrigins: [ORIGIN],
});

t.test('the clients of the reference service find all that they read', withRealLogs, async (t) => {
  await replay(t, service, 2000, 4);
});

t.test(
  'in the real network, no antenna is replaced by itself with another radome, and devices in conflict are found',
  withRealLogs,
  async (t) => {
    const suspicious: string[] = [];
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
          was!.model === is!.model && was!.digits === is!.digits && was!.digits !== undefined;
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
    const list = await openPage(service, '/sites');
    const ids = sitesOn(list);
    const { page: all } = (await service.get('/corsSites')).json<Paged>();
    t.same([ids.length, list.errors], [Math.min(500, all.totalElements), []]);
    t.ok(ids.length >= 470);
    for (const id of ids.filter((_, index) => index % 8 === 0)) {
      const page = await openPage(service, `/sites/${id}`);
      const { page: paging } = (
        await service.get(`/setups/search/findByFourCharacterId?id=${id}&size=1`)
      ).json<Paged>();
      const setups = page.all('a', 'href').filter((href) => /^\.\.\/setups\/\d+$/.test(href));
      t.same([page.errors, setups.length], [[], paging.totalElements], id);
    }
    for (const path of ['/receivers', '/antennas']) {
      const types = (await openPage(service, path))
        .all('a', 'href')
        .filter((href) => href.includes('?type='));
      for (const href of types.filter((_, index) => index % 8 === 0))
        t.same((await openPage(service, href.slice(1))).errors, [], href);
    }
    t.match((await openPage(service, '/sites/WTZR')).text, '94 Setups, latest first');
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
  ['geodesyml', 'text', 'sopac']
    .flatMap((form) =>
      readdirSync(join(REAL_LOGS!, form)).map((name) => join(REAL_LOGS!, form, name)),
    )
    .map((path) => readSections(readFileSync(path), new Findings('')));

/**
 * The contacts of a log that its answers may not contain. Short texts, and names of the
 * organisation or the place, do not count.
 */
function secretsOf(log: SiteLogSections): string[] {
  const { city, state, country, countryName } = log.siteLocation;
  const published = [
    ...log.responsibleParties.flatMap(({ organisation, abbreviation }) => [
      organisation,
      abbreviation,
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
    const text = folded(body);
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
  const sites = elementsIn((await service.get('/corsSites?size=1000')).json<Paged<CorsSite>>());
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

type OfKind<Kind> = Extract<
  EquipmentInUse,
  { content: { id: { equipmentType: Kind } } }
>['content'];

/** The item of a kind in a Setup that was installed last. */
function last<Kind extends 'gnss receiver' | 'gnss antenna'>(
  { equipmentInUse }: ExportedSetup,
  kind: Kind,
): OfKind<Kind> | undefined {
  const items = equipmentInUse
    .map(({ content }) => content)
    .filter((each) => each.id.equipmentType === kind) as OfKind<Kind>[];
  return items
    .toSorted((a, b) =>
      a.period.from < b.period.from ? -1 : Number(a.period.from > b.period.from),
    )
    .at(-1);
}

/** What the API says about the antenna and the receiver of a Setup. */
function expected(setup: ExportedSetup) {
  const receiver = last(setup, 'gnss receiver');
  const antenna = last(setup, 'gnss antenna');
  const ecc = antenna && [
    antenna.configuration.markerArpUpEccentricity,
    antenna.configuration.markerArpNorthEccentricity,
    antenna.configuration.markerArpEastEccentricity,
  ];
  const type = antenna?.id.type ?? '';
  return {
    receiver: receiver && {
      type: receiver.id.type ?? '',
      serial: receiver.id.serialNumber ?? '',
      firmware: receiver.configuration.firmwareVersion ?? '',
    },
    antenna: antenna && {
      type: type.slice(0, 16).trim(),
      radome: type.slice(16).trim() || (antenna.configuration.radomeType ?? ''),
      serial: antenna.id.serialNumber ?? '',
      azimuth: antenna.configuration.alignmentFromTrueNorth,
    },
    ecc: ecc === undefined || ecc.includes(null) ? null : (ecc as number[]),
  };
}

const same = (value: string, width: number, fill: string): string =>
  value.slice(0, width).trim() || fill;

/** Random numbers that are the same in each run. */
function* numbers(seed = 1): Generator<number, never> {
  for (let state = seed; ;) yield (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const at = (lines: Read[], site: string, instant: number): Read | undefined =>
  lines.findLast(
    (line) =>
      line.site === site &&
      (line.from === null || line.from <= instant) &&
      (line.to === null || instant < line.to),
  );

t.test('every value of every Site at random instants equals that of the API', async (t) => {
  const ndjson = async <T>(name: string): Promise<T[]> =>
    (await text(service, `/exports/${name}`))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as T);
  const sites = new Map((await ndjson<CorsSite>('sites.ndjson')).map((site) => [site.id, site]));
  const setups = Map.groupBy(
    await ndjson<ExportedSetup>('setups.ndjson?invalidated=false'),
    ({ siteId }) => siteId,
  );
  const sinex = readSinex(t, await text(service, '/exports/sites.snx'));
  const info = readStationInfo(
    t,
    await text(service, '/exports/sites.station-info?antennaAzimuth=true'),
  );
  const sta = readSta(t, await text(service, '/exports/sites.sta'));
  const random = numbers();
  let compared = 0;
  for (const [id, byId] of setups) {
    // After a newer log, ids are not in chronological order.
    const own = byId.toSorted((a, b) => (a.effectivePeriod.from < b.effectivePeriod.from ? -1 : 1));
    const site = sites.get(id)!;
    if (
      [...sites.values()].filter((each) => each.fourCharacterId === site.fourCharacterId).length > 1
    )
      continue;
    const four = site.fourCharacterId;
    const domes = /^\d{5}[A-Z]\d{3}$/.test(site.domesNumber ?? '') ? site.domesNumber : null;
    const first = Date.parse(own[0]!.effectivePeriod.from);
    const found: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (let index = 0; index < 10; index++) {
      const instant =
        first + Math.floor((random.next().value * (Date.UTC(2026, 0) - first)) / 1000) * 1000;
      const setup = own.findLast(({ effectivePeriod: { from } }) => Date.parse(from) <= instant);
      const { receiver, antenna, ecc } = expected(setup!);
      if (/[^\x20-\x7e]/.test(JSON.stringify([receiver, antenna]))) continue;
      const name = `${four} at ${new Date(instant).toISOString()}`;
      const dome = /^[A-Z0-9]{4}$/i.test(antenna?.radome ?? '')
        ? antenna!.radome.toUpperCase()
        : null;
      found[`SINEX of ${name}`] = (
        ['SITE/RECEIVER', 'SITE/ANTENNA', 'SITE/ECCENTRICITY'] as const
      ).map((block) => at(sinex[block], `${four} A`, instant)?.fields);
      wanted[`SINEX of ${name}`] = [
        receiver && {
          type: same(receiver.type, 20, '-'.repeat(20)),
          serial: same(receiver.serial, 5, '-----'),
          firmware: same(receiver.firmware, 11, '-'.repeat(11)),
        },
        antenna && {
          type: same(antenna.type, 15, '-'.repeat(15)),
          radome: dome ?? '----',
          serial: same(antenna.serial, 5, '-----'),
        },
        ecc
          ? { up: ecc[0]!.toFixed(4), north: ecc[1]!.toFixed(4), east: ecc[2]!.toFixed(4) }
          : undefined,
      ];
      const isWritten = receiver !== undefined && antenna !== undefined && ecc !== null;
      found[`STA of ${name}`] = at(
        sta,
        domes === null ? four : `${four} ${domes}`,
        instant,
      )?.fields;
      compared++;
      if (!isWritten || receiver.type === '' || antenna.type === '') {
        wanted[`STA of ${name}`] = undefined;
        continue;
      }
      found[`station.info of ${name}`] = at(info, four, instant)?.fields;
      wanted[`station.info of ${name}`] = {
        'Ant Ht': ecc[0]!.toFixed(4),
        'Ant N': ecc[1]!.toFixed(4),
        'Ant E': ecc[2]!.toFixed(4),
        AntDAZ: antenna.azimuth === null ? '-----' : `${Number(antenna.azimuth).toFixed(0)}.`,
        'Receiver Type': same(receiver.type, 20, '-'.repeat(20)),
        Vers: same(receiver.firmware, 20, '-'.repeat(20)),
        'Receiver SN': same(receiver.serial, 20, '-'.repeat(20)),
        'Antenna Type': same(antenna.type, 15, '-'.repeat(15)),
        Dome: dome ?? '-----',
        'Antenna SN': same(antenna.serial, 20, '-'.repeat(20)),
      };
      wanted[`STA of ${name}`] = {
        receiver: same(receiver.type, 20, ''),
        serial: same(receiver.serial, 20, ''),
        remark: same(receiver.firmware, 24, ''),
        antenna: same(antenna.type, 15, ''),
        radome: dome ?? 'UNKN',
        antennaSerial: same(antenna.serial, 20, ''),
        up: ecc[0]!.toFixed(4),
        north: ecc[1]!.toFixed(4),
        east: ecc[2]!.toFixed(4),
        long: site.nineCharacterId ?? '',
        azimuth: antenna.azimuth === null ? '' : Number(antenna.azimuth).toFixed(1),
      };
    }
    t.match(found, wanted, four);
  }
  t.ok(compared > 70, `${compared} instants`);
});
