import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import type { Test } from 'tap';
import type { Setup } from '../../schemas/index.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import type { Service } from '../service.js';
import { HAL, type Paged } from './answers.js';
import { VALIDATOR, violationsOf } from '../round-trips/validity.js';

/** Sends the requests of known clients of the reference service, and reads what they read. */

const GEODESYML = 'urn:xml-gov-au:icsm:egeodesy:0.5';
const GML = 'http://www.opengis.net/gml/3.2';
/** The origin of a client in a browser. */
export const ORIGIN = 'https://site-manager.example.org';

/** The labels of the records of a skeleton, and the line end. */
export const LABELS = [
  ...[
    'MARKER NAME',
    'MARKER NUMBER',
    'OBSERVER / AGENCY',
    'REC # / TYPE / VERS',
    'ANT # / TYPE',
    'APPROX POSITION XYZ',
  ],
  ...['ANTENNA: DELTA H/E/N', 'END OF HEADER', ''],
];
/** The kind of equipment that fills a record. */
const KIND_OF_LABEL: Record<string, string> = {
  'REC # / TYPE / VERS': 'gnss receiver',
  'ANT # / TYPE': 'gnss antenna',
};

type Json = Record<string, unknown>;

/** A log, as far as clients read it. */
export interface Log {
  siteIdentification: Json & { fourCharacterId: string };
  siteLocation: Json;
}

/** A client: what it gets, and what it misses. */
class Client {
  /** What the answers do not have. */
  readonly missing: string[] = [];

  constructor(
    private readonly service: Service,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** The body of an answer. */
  async text(url: string, mediaType: string): Promise<string> {
    const { statusCode, headers, body } = await this.service.get(url, this.headers);
    this.expect(
      statusCode === 200 && headers['content-type'] === mediaType,
      `${url}: ${statusCode} ${headers['content-type']}`,
    );
    const isFixed = Object.entries(FIXED_HEADERS).every(([name, value]) => headers[name] === value);
    this.expect(isFixed, `${url}: header fields`);
    if (this.headers.origin !== undefined)
      this.expect(headers['access-control-allow-origin'] === ORIGIN, `${url}: no CORS`);
    return body;
  }

  async json<T>(url: string, mediaType = HAL): Promise<T> {
    return JSON.parse(await this.text(url, mediaType)) as T;
  }

  expect(isThere: boolean, what: string): void {
    if (!isThere) this.missing.push(what);
  }

  /**
   * Reads as many pages as the first one says, as clients do. They count pages from 0 or from 1.
   */
  async siteLogs(size: number): Promise<Log[]> {
    const first = await this.json<Paged<Log>>(`/siteLogs?size=${size}`);
    this.expect(first.page.size === Math.min(size, 1000), `page.size is ${first.page.size}`);
    const logs = first._embedded.siteLogs!;
    for (let page = 1; page <= first.page.totalPages; page++) {
      logs.push(
        ...(await this.json<Paged<Log>>(`/siteLogs?size=${size}&page=${page}`))._embedded.siteLogs!,
      );
    }
    this.expect(
      logs.length === first.page.totalElements,
      `${logs.length} of ${first.page.totalElements} logs`,
    );
    return logs;
  }
}

/** The texts of the elements with a namespace and name below another element. */
function textsBelow(xml: string, ancestor: string, [uri, name]: [string, string]): string[] {
  const texts: string[] = [];
  const open: { uri: string; local: string; text: string }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', (tag) => void open.push({ uri: tag.uri, local: tag.local, text: '' }));
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => {
    const { uri: own, local, text } = open.pop()!;
    const isBelow = open.some((each) => each.uri === GEODESYML && each.local === ancestor);
    if (own === uri && local === name && isBelow) texts.push(text.trim());
  });
  parser.write(xml).close();
  return texts;
}

/** The members with a name, at any depth. */
export function membersIn(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(key === name ? [each] : []),
    ...membersIn(each, name),
  ]);
}

export const searchOf = (id: string, format: string): string =>
  `/siteLogs/search/findByFourCharacterId?id=${id}&format=${format}`;

/** A station metadata script. Returns the kinds of the equipment in use. */
async function readStation(client: Client, id: string): Promise<string[]> {
  const { equipmentInUse } = await client.json<Setup>(
    `/setups/search/findCurrentByFourCharacterId?id=${id}`,
  );
  const read = {
    'gnss receiver': [],
    'gnss antenna': [
      'markerArpUpEccentricity',
      'markerArpNorthEccentricity',
      'markerArpEastEccentricity',
    ],
  };
  for (const { content } of equipmentInUse) {
    const names = (read as Record<string, string[]>)[content.id.equipmentType];
    if (names === undefined) continue;
    for (const name of ['type', 'serialNumber'])
      client.expect(name in content.id, `${id}: ${name}`);
    for (const name of names) client.expect(name in content.configuration, `${id}: ${name}`);
  }
  const site = await client.json<Json>(`/corsSites/search/findByFourCharacterId?id=${id}`);
  const xml = await client.text(searchOf(id, 'geodesyml'), 'application/xml');
  const [domes] = textsBelow(xml, 'siteIdentification', [GEODESYML, 'iersDOMESNumber']);
  // A log may also say that there is none.
  const isNone = domes === '' || /^none$/i.test(domes ?? '');
  const isSame = (domes ?? null) === site.domesNumber || isNone;
  client.expect(isSame, `${id}: iersDOMESNumber is ${domes}, not ${String(site.domesNumber)}`);
  const [position] = textsBelow(xml, 'geodeticPosition', [GML, 'pos']);
  client.expect(
    position !== undefined && position.split(/\s+/).length === 3,
    `${id}: position is ${position}`,
  );
  return equipmentInUse.map(({ content }) => content.id.equipmentType);
}

/** A station inventory. */
function readInventory(client: Client, logs: Log[]): void {
  for (const { siteIdentification, siteLocation } of logs) {
    const id = siteIdentification.fourCharacterId;
    for (const name of ['nineCharacterId', 'siteName', 'dateInstalled'])
      client.expect(name in siteIdentification, `${id}: ${name}`);
    for (const name of ['latitude', 'longitude', 'country']) {
      client.expect(membersIn(siteLocation, name).length === 1, `${id}: ${name}`);
    }
  }
}

/** The site manager, a web application. */
async function manageSite(client: Client, id: string): Promise<void> {
  const setup = await client.json<Setup>(`/setups/search/findCurrentByFourCharacterId?id=${id}`);
  const { _embedded: own } = await client.json<{ _embedded: { setups: Setup[] } }>(
    `/setups?id=${setup.id}`,
  );
  client.expect(
    own.setups.length === 1 && own.setups[0]!.id === setup.id,
    `${id}: /setups?id=${setup.id}`,
  );
  const { _embedded: found } = await client.json<{ _embedded: { corsSites: Json[] } }>(
    `/corsSites?fourCharacterId=${id}`,
  );
  client.expect(
    found.corsSites[0]?.fourCharacterId === id,
    `${id}: /corsSites?fourCharacterId=${id}`,
  );
  const log = await client.json<Log>(searchOf(id, 'json'), 'application/json');
  client.expect(log.siteIdentification.fourCharacterId === id, `${id}: format=json`);
  await client.text(searchOf(id, 'geodesyml'), 'application/xml');
}

/**
 * Sends the requests of all clients.
 * @param size the size of the pages that clients of /siteLogs ask for
 * @param step requests for single Sites are sent for every `step`-th Site
 */
export async function replay(t: Test, service: Service, size: number, step: number): Promise<void> {
  const client = new Client(service);
  const logs = await client.siteLogs(size);
  readInventory(client, logs);
  const ids = logs.map(({ siteIdentification }) => siteIdentification.fourCharacterId);
  const isShared = (id: string): boolean => ids.indexOf(id) !== ids.lastIndexOf(id);
  const backup: string[] = [];
  const folder = join(service.folder, 'logs');
  for (const id of ids.filter((_, index) => index % step === 0)) {
    const { statusCode } = await service.get(
      `/setups/search/findCurrentByFourCharacterId?id=${id}`,
    );
    if (isShared(id)) {
      client.expect(statusCode === 409, `${id}: ${statusCode}, though several Sites have the id`);
      continue;
    }
    const kinds = statusCode === 200 ? await readStation(client, id) : [];
    backup.push(join(folder, `${id}.geodesyml05`));
    writeFileSync(backup.at(-1)!, await client.text(searchOf(id, 'geodesyml'), 'application/xml'));
    backup.push(join(folder, `${id}.geodesyml04`));
    writeFileSync(
      backup.at(-1)!,
      await client.text(`${searchOf(id, 'geodesyml')}&version=0.4`, 'application/xml'),
    );
    const period = `/setups/search/findByFourCharacterId?id=${id}&effectiveFrom=2011-01-01T00:00:00Z&effectiveTo=2014-01-01T00:00:00Z`;
    await client.json(`${period}&timeFormat=${encodeURIComponent("uuuu-MM-dd'T'HH:mm:ssX")}`);
    for (const name of [`${id}.SKL`, `${id.toLowerCase()}.skl`]) {
      const skeleton = await client.text(`/skeletonFiles/${name}`, 'text/plain;charset=UTF-8');
      // A comment says that blank eccentricities are taken as 0.
      const lines = skeleton.split('\n').filter((line) => line.slice(60) !== 'COMMENT');
      client.expect(
        lines.map((line) => line.slice(60)).join() === LABELS.join(),
        `${name}: ${skeleton}`,
      );
      const blank = LABELS.filter(
        (label, index) =>
          kinds.includes(KIND_OF_LABEL[label]!) && lines[index]!.slice(0, 60).trim() === '',
      );
      client.expect(blank.length === 0, `${name}: no ${blank.join()}`);
    }
  }
  const browser = new Client(service, { origin: ORIGIN });
  for (const path of ['/setups?size=1000', '/corsSites?size=1000']) {
    const { _embedded } = await browser.json<{ _embedded: Json }>(path);
    browser.expect(Object.values(_embedded).every(Array.isArray), path);
  }
  for (const id of ids.slice(0, 10)) await manageSite(browser, id);
  t.same([...client.missing, ...browser.missing].slice(0, 20), []);
  t.ok(ids.length > 5, `${ids.length} Sites`);
  if (VALIDATOR === false) t.same(violationsOf(backup), [], 'the GeodesyML is valid');
  else t.comment(`the GeodesyML is not validated: ${VALIDATOR}`);
}
