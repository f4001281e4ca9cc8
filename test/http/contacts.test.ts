import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { COLLECTIONS, EXPORTS, type SiteLogSections, type Written } from '../../schemas/index.js';
import { TABLE_FORMATS } from '../../src/formats/tables.js';
import { decode } from '../../src/site-log/decode.js';
import { personsIn } from '../../src/site-log/known-persons.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { SECTIONS } from '../../src/site-log/sections/index.js';
import { Findings } from '../../src/site-log/site-log.js';
import { personalDataOf } from '../../src/site-log/withhold.js';
import { EXTENSIONS, writeSections, WRITTEN_FORMS } from '../../src/site-log/write.js';
import { killAll, runTool } from '../campaigns/processes.js';
import { openService, REAL_LOGS, SAMPLE, type Service, withRealLogs } from '../helper.js';
import { personalValues } from '../round-trips/contacts.js';

/** Personal data is in no output of the service, unless it is published on purpose. */

t.teardown(killAll);

/** The texts that identify somebody in the logs of the test; each ends with the four characters of the Site. */
const SECRETS = ['Erika Quorvblax', '+1 555 9876 5432', '+1 555 9876 5433', '+1 555 9876 5434', 'quorvblax@example.org'];
const REMARK = `ask ${SECRETS[0]} or ${SECRETS[4]}, ${SECRETS[1]}`;
/** Values that other values or other logs are compared with. */
const IDENTITIES = new Set([
  'type',
  'manufacturer',
  'serialNumber',
  'siteName',
  'city',
  'state',
  'tectonicPlate',
  'iersDOMESNumber',
  'preparedBy',
]);

const value = (text: string) => ({ written: text, value: text, line: 1 }) satisfies Written;

/** A log of the sample network with contacts, whom remarks in every section name. */
function withContacts(log: SiteLogSections): SiteLogSections {
  const blocks = log as unknown as Record<string, Record<string, Written | null> | Record<string, Written | null>[]>;
  for (const [name, { rows }] of Object.entries(SECTIONS)) {
    for (const block of [blocks[name]!].flat()) {
      for (const [member, row] of Object.entries(rows)) {
        if (row.kind !== 'text' || IDENTITIES.has(member)) continue;
        block[member] = value(`${block[member]?.written ?? ''} ${REMARK}`.trim());
      }
    }
  }
  log.formInformation.preparedBy = value(SECRETS[0]!);
  const [individualName, telephone, secondTelephone, fax, email] = SECRETS.map((secret) => value(secret));
  const none = { positionName: null, city: null, administrativeArea: null, postalCode: null, country: null };
  log.responsibleParties = (['siteContact', 'siteMetadataCustodian'] as const).map((role) => ({
    ...{
      line: 1,
      role,
      ...none,
      organisation: value('Example Agency'),
      abbreviation: null,
      address: value('Example Street'),
      notes: value(REMARK),
    },
    ...{ individualName: individualName!, telephone: telephone!, secondTelephone: secondTelephone!, fax: fax!, email: email! },
  }));
  return log;
}

/** The sample network with such logs, in all forms. */
function networkWithContacts(folder: string): string[] {
  return readdirSync(SAMPLE).map((name, index) => {
    const form = WRITTEN_FORMS[index % WRITTEN_FORMS.length]!;
    const log = withContacts(readSections(readFileSync(join(SAMPLE, name)), new Findings(name)));
    const path = join(folder, `${basename(name).replace(/\.\w+$/, '')}${EXTENSIONS[form]}`);
    writeFileSync(path, writeSections(log, form, new Findings(name)));
    return path;
  });
}

const PATHS = networkWithContacts(t.testdir({}));

const folded = (text: string): string =>
  text
    .replace(/\\n|\n\s*:?/g, ' ')
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .toLowerCase();
const found = (secrets: string[], body: string): string[] => {
  const text = folded(body);
  return secrets.filter((secret) => text.includes(folded(secret)));
};

/** The links of a body to the service. */
function linksIn(body: string, url: string): string[] {
  const hrefs = [...body.matchAll(/"?\b(?:href|src)"?\s*[:=]\s*"([^"]+)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&').replace(/\{[^}]*\}/g, ''),
  );
  return hrefs.flatMap((href) => {
    const target = URL.canParse(href, `http://localhost:80${url}`) ? new URL(href, `http://localhost${url}`) : null;
    return target === null || target.hostname !== 'localhost' ? [] : [target.pathname + target.search];
  });
}

/** Requests that no link leads to. */
const LISTED = [
  ...COLLECTIONS.flatMap(({ name, projections }) => projections.map(({ name: projection }) => `/${name}?projection=${projection}`)),
  ...COLLECTIONS.map(({ name }) => `/${name}?size=1000`),
  ...EXPORTS.flatMap((name) => Object.values(TABLE_FORMATS).map((format) => `/exports/${name}.${format}`)),
  ...[
    '/feed?size=1000',
    '/feed.atom',
    '/changes',
    '/network',
    '/compare',
    '/receivers',
    '/antennas',
    '/sites?q=quorvblax',
    '/corsSites?q=quorvblax',
  ],
];
/** How many URLs of one kind are requested: paths that differ only in numbers, with the same parameters. */
const MOST_OF_A_KIND = 4;

/** Requests everything that links lead to. */
async function crawl({ get }: Service, onBody: (url: string, body: string, status: number) => void): Promise<void> {
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  const queue = ['/', '/sites', ...LISTED];
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const kind = `${pathname.replace(/\d+/g, '0')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
    if (seen.has(url) || (kinds.get(kind) ?? 0) >= MOST_OF_A_KIND) continue;
    seen.add(url);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { body, rawPayload, statusCode } = await get(url);
    onBody(url, /\/original$/.test(url) ? decode(rawPayload) : body, statusCode);
    if (pathname !== '/openapi.json' && !pathname.startsWith('/schemas')) queue.push(...linksIn(body, url));
  }
}

/** The outputs of whole logs, where contacts can be published. */
const OF_LOGS = /^\/siteLogs\b|^\/corsSites\/\d+\/siteLog$|^\/sites\/\w+(\/log)?(\?|$)/;

async function leaksOf(service: Service): Promise<{ urls: string[]; leaks: string[] }> {
  const urls: string[] = [];
  const leaks: string[] = [];
  await crawl(service, (url, body, status) => {
    if (status === 200) urls.push(url);
    // A search repeats what was searched.
    for (const secret of found(url.includes('q=') ? SECRETS.slice(1) : SECRETS, body)) leaks.push(`${url}: ${secret}`);
  });
  return { urls, leaks };
}

t.test('no output contains the contacts of the logs', async (t) => {
  const service = await openService(t, PATHS);
  const { urls, leaks } = await leaksOf(service);
  t.strictSame(leaks.slice(0, 20), []);
  for (const wanted of [
    /^\/corsSites\/\d+\/siteLog$/,
    /^\/siteLogs\/\d+\/original$/,
    /^\/siteLogs\/\d+\?format=/,
    /^\/siteLogs\?/,
    /^\/exports\/setups\.csv/,
  ]) {
    t.ok(
      urls.some((url) => wanted.test(url)),
      String(wanted),
    );
  }
  for (const wanted of [
    /^\/sites\/\w+$/,
    /^\/sites\/\w+\/log$/,
    /^\/feed\.atom/,
    /^\/ogc\/collections\/\w+\/items/,
    /^\/setups\?projection=provenance/,
    /^\/installations|\/gnssReceivers/,
  ]) {
    t.ok(
      urls.some((url) => wanted.test(url)),
      String(wanted),
    );
  }
  t.comment(`${urls.length} answers`);
  for (const path of ['/sites?q=quorvblax', '/corsSites?q=quorvblax', '/corsSites?q=9876']) {
    t.notMatch((await service.get(path)).body, /NYA1|"id":\d/, path);
  }
});

t.test('with publishContacts, only the logs contain them', async (t) => {
  const service = await openService(t, PATHS, { publishContacts: true });
  const [withContacts, without]: [string[], string[]] = [[], []];
  await crawl(service, (url, body, status) => {
    if (status === 200 && !url.includes('q=')) (found(SECRETS, body).length > 0 ? withContacts : without).push(url);
  });
  t.strictSame(
    withContacts.filter((url) => !OF_LOGS.test(url)),
    [],
  );
  for (const path of [
    '/corsSites/1/siteLog',
    '/siteLogs/1',
    '/siteLogs/1/original',
    '/siteLogs/1?format=geodesyml&version=0.4',
    '/sites/ALIC/log',
  ]) {
    t.strictSame(found(SECRETS, decode((await service.get(path)).rawPayload)), SECRETS, path);
  }
});

t.test('no command prints them', async (t) => {
  const { database } = await openService(t, PATHS);
  const outputs = await Promise.all(
    [
      ...['setups', 'sites', 'installations', 'changes'].map((table) => ['export', table, '--database', database, '--format', 'ndjson']),
      ['sites', '--database', database],
      ['lookup', 'ALIC', '--database', database],
      ['convert', PATHS[0]!, '--to', 'geodesyml05'],
    ].map((args) => runTool(args)),
  );
  for (const { args, stdout, stderr, code } of outputs.map((output, index) => ({ args: index, ...output }))) {
    t.equal(code, 0, `${args}: ${stderr}`);
    t.strictSame(found(SECRETS, stdout + stderr), [], String(args));
    t.ok(stdout.length > 0);
  }
});

const FORMS = ['format=text&version=1', 'format=text&version=2.0', 'format=geodesyml&version=0.4', 'format=geodesyml&version=0.5'];

/** A log that was read, with its file. */
interface RealLog {
  path: string;
  log: SiteLogSections;
}

/** All shared logs that can be read. */
function readRealLogs(): RealLog[] {
  const paths = ['geodesyml', 'text', 'sopac'].flatMap((form) =>
    readdirSync(join(REAL_LOGS!, form)).map((name) => join(REAL_LOGS!, form, name)),
  );
  return paths.map((path) => ({ path, log: readSections(readFileSync(path), new Findings('')) }));
}

const wordsOf = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;

/**
 * What no output may contain: the telephone numbers and email addresses of all logs, and the names of persons. Exceptions: a value
 * that a log also publishes as an organisation, an address or a place; a name that is not plainly one of a person, such as "GNSS
 * Team"; and a number with fewer than eight digits, which can be a serial number.
 */
function secretsOf(logs: SiteLogSections[]): string[] {
  const data = logs.map(personalDataOf);
  const published = wordsOf(
    data.flatMap(({ organisations, addresses, places }) => [...organisations, ...addresses, ...places]).join(' | '),
  );
  const values = logs.flatMap(personalValues);
  const numbers = values.filter((text) => text.replace(/\D/g, '').length >= 8);
  const addresses = values.flatMap((text) => text.match(/[\w.+-]+@[\w.-]+\w/g) ?? []);
  return [...new Set([...numbers, ...addresses, ...data.flatMap(personsIn)])].filter((text) => !published.includes(wordsOf(text)));
}

/** A place in texts that are looked for word by word. */
interface Branch {
  next: Map<string, Branch>;
  /** The text that ends here. */
  text?: string;
}

/** Finds texts in others, as whole words: all characters that are not part of a word separate words. */
function searchFor(texts: string[]): (text: string) => string[] {
  const root: Branch = { next: new Map() };
  for (const text of texts) {
    let branch = root;
    for (const word of wordsOf(text).trim().split(' ')) {
      const next: Branch = branch.next.get(word) ?? { next: new Map() };
      branch.next.set(word, next);
      branch = next;
    }
    branch.text = text;
  }
  return (searched) => {
    const found = new Set<string>();
    let begun: Branch[] = [];
    for (const [word] of searched.matchAll(/[\p{L}\p{N}]+/gu)) {
      const lower = word.toLowerCase();
      begun = [root, ...begun].flatMap(({ next }) => next.get(lower) ?? []);
      for (const { text } of begun) if (text !== undefined) found.add(text);
    }
    // The web site pagenet.example.org has the words of the address pagenet@example.org.
    const isThere = (text: string): boolean => !text.includes('@') || searched.toLowerCase().includes(text.toLowerCase());
    return [...found].filter(isThere);
  };
}

t.test('no output about the real logs contains a contact of any of them', withRealLogs, async (t) => {
  const logs = readRealLogs();
  const secrets = secretsOf(logs.map(({ log }) => log));
  t.ok(secrets.length > 500, `${secrets.length} contacts`);
  const leaksIn = searchFor(secrets);
  const { get } = await openService(
    t,
    logs.map(({ path }) => path),
  );
  const leaks: string[] = [];
  let requests = 0;
  const search = async (url: string, expected = 200): Promise<string> => {
    const { body, rawPayload, statusCode } = await get(url);
    requests++;
    if (statusCode !== expected) leaks.push(`${url}: ${statusCode}`);
    const text = folded(url.endsWith('/original') ? decode(rawPayload) : body);
    for (const leak of leaksIn(text)) leaks.push(`${url}: ${leak}`);
    return body;
  };
  /** Searches a page and those that follow it. */
  const searchPages = async (first: string): Promise<void> => {
    for (let url: string | undefined = first; url !== undefined;) {
      const body = await search(url);
      const next = (JSON.parse(body) as { _links: { next?: { href: string } } })._links.next;
      url = next && new URL(next.href).pathname + new URL(next.href).search;
    }
  };
  const { _embedded } = JSON.parse(await search('/corsSites?size=1000')) as {
    _embedded: { corsSites: { id: number; fourCharacterId: string; nineCharacterId: string | null }[] };
  };
  t.ok(_embedded.corsSites.length > 450);
  for (const { id, fourCharacterId, nineCharacterId } of _embedded.corsSites) {
    const list = JSON.parse(await search(`/corsSites/${id}/siteLogs`)) as { _embedded: { siteLogs: { id: number }[] } };
    const [current] = list._embedded.siteLogs;
    for (const log of list._embedded.siteLogs) await search(`/siteLogs/${log.id}/original`);
    // All forms are written from the same values, which are also in the pages of logs with projection=written, so one form for each
    // Site is enough.
    const form = FORMS[id % FORMS.length]!;
    await search(`/siteLogs/${current!.id}?${form}`);
    const site = nineCharacterId ?? fourCharacterId;
    await search(`/sites/${site}`);
    await search(`/sites/${site}/log`);
    await search(`/skeletonFiles/${site}.skl`);
  }
  for (const { name, projections } of COLLECTIONS)
    for (const projection of ['', ...projections.map((each) => `&projection=${each.name}`)])
      await searchPages(`/${name}?size=1000${projection}`);
  for (const name of EXPORTS) for (const format of Object.values(TABLE_FORMATS)) await search(`/exports/${name}.${format}`);
  await search('/feed?size=1000');
  for (const url of ['/sites', '/changes', '/network', '/feed.atom', '/receivers', '/antennas']) await search(url);
  t.comment(`${requests} answers`);
  t.strictSame([...new Set(leaks)].slice(0, 20), []);
});
