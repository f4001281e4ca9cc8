import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Arbitrary, sample } from 'fast-check';
import t, { type Test } from 'tap';
import { COLLECTIONS, EXPORTS, type SiteLogSections, type Written } from '../../schemas/index.js';
import { TABLE_FORMATS } from '../../src/formats/tables.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { decode } from '../../src/site-log/values/decode.js';
import { SECTIONS } from '../../src/site-log/sections/index.js';
import { Findings } from '../../src/findings/findings.js';
import { EXTENSIONS, writeSections, WRITTEN_FORMS } from '../../src/site-log/write.js';
import { withNineCharacters } from '../../src/site-log/write/identity.js';
import { runHere } from '../cli/in-process.js';
import { casesOf, SEED, takesLong, triesMore } from '../effort.js';
import { SAMPLE } from '../project-files.js';
import { openService, type Service } from '../service.js';
import {
  FORMS,
  type Planted,
  type PlantedForm,
  plantedText,
  staying,
  vanishing,
} from '../site-log/contacts/planted-logs.js';
import { logText } from '../synthetic-log.js';
import { elementsIn, folded, type Paged } from './answers.js';
import { BROWSER } from './html-page.js';

/** Personal data is in no output of the service, unless it is published on purpose. */

/**
 * The texts that identify somebody in the logs of the test; each ends with the four characters of
 * the Site.
 */
const SECRETS = [
  'Erika Quorvblax',
  '+1 555 9876 5432',
  '+1 555 9876 5433',
  '+1 555 9876 5434',
  'quorvblax@example.org',
];
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
  const blocks = log as unknown as Record<
    string,
    Record<string, Written | null> | Record<string, Written | null>[]
  >;
  for (const [name, { rows }] of Object.entries(SECTIONS)) {
    for (const block of [blocks[name]!].flat()) {
      for (const [member, row] of Object.entries(rows)) {
        if (row.kind !== 'text' || IDENTITIES.has(member)) continue;
        block[member] = value(`${block[member]?.written ?? ''} ${REMARK}`.trim());
      }
    }
  }
  log.formInformation.preparedBy = value(SECRETS[0]!);
  const [individualName, telephone, secondTelephone, fax, email] = SECRETS.map((secret) =>
    value(secret),
  );
  const none = {
    positionName: null,
    city: null,
    administrativeArea: null,
    postalCode: null,
    country: null,
    abbreviation: null,
    others: null,
  };
  const agency = {
    organisation: value('Example Agency'),
    address: value('Example Street'),
    notes: value(REMARK),
  };
  log.responsibleParties = (['siteContact', 'siteMetadataCustodian'] as const).map((role) => ({
    ...{
      line: 1,
      role,
      individualName: individualName!,
      telephone: telephone!,
      secondTelephone: secondTelephone!,
    },
    ...{ fax: fax!, email: email! },
    ...none,
    ...agency,
  }));
  return log;
}

/** The sample network with such logs, in all forms. */
function networkWithContacts(folder: string): string[] {
  return readdirSync(SAMPLE).map((name, index) => {
    const form = WRITTEN_FORMS[index % WRITTEN_FORMS.length]!;
    const log = withNineCharacters(
      withContacts(readSections(readFileSync(join(SAMPLE, name)), new Findings(name))),
      '00AUS',
    );
    const path = join(folder, `${basename(name).replace(/\.\w+$/, '')}${EXTENSIONS[form]}`);
    writeFileSync(path, writeSections(log, form, new Findings(name)));
    return path;
  });
}

const PATHS = networkWithContacts(t.testdir({}));
/** The hashes of the files. With them, anybody could test guesses of what is withheld. */
const HASHES = PATHS.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'));

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
    const target = URL.canParse(href, `http://localhost:80${url}`)
      ? new URL(href, `http://localhost${url}`)
      : null;
    return target === null || target.hostname !== 'localhost'
      ? []
      : [target.pathname + target.search];
  });
}

/** Requests that no link leads to. */
const LISTED = [
  ...COLLECTIONS.flatMap(({ name, projections }) =>
    projections.map((projection) => `/${name}?projection=${projection}`),
  ),
  ...COLLECTIONS.map(({ name }) => `/${name}?size=1000`),
  ...EXPORTS.flatMap((name) =>
    Object.values(TABLE_FORMATS).map((format) => `/exports/${name}.${format}`),
  ),
  ...[
    '/feed?size=1000',
    '/feed.atom',
    '/changes',
    '/network',
    '/compare?site=ALIC+MCIL',
    '/receivers',
    '/antennas',
  ],
  ...['/sites?q=quorvblax', '/corsSites?q=quorvblax'],
];
/**
 * How many URLs of one kind are requested: paths that differ only in numbers, with the same
 * parameters.
 */
const MOST_OF_A_KIND = 4;
/** Descriptions of the service, which do not depend on what is on record. */
const DESCRIPTIONS = /^\/(openapi\.json|schemas|profile|api|style\.css)\b/;

/** Requests everything that links lead to. */
async function crawl(
  { get }: Service,
  onBody: (url: string, body: string, status: number) => void,
): Promise<void> {
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  const queue = ['/', '/sites', ...LISTED];
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const kind = `${pathname.replace(/\d+/g, '0')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
    if (seen.has(url) || DESCRIPTIONS.test(pathname) || (kinds.get(kind) ?? 0) >= MOST_OF_A_KIND)
      continue;
    seen.add(url);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { body, rawPayload, statusCode } = await get(url);
    onBody(url, /\/original$/.test(url) ? decode(rawPayload) : body, statusCode);
    queue.push(...linksIn(body, url));
  }
}

/** The outputs of whole logs, where contacts can be published. */
const OF_LOGS = /^\/siteLogs\b|^\/corsSites\/\d+\/siteLog$|^\/sites\/\w+(\/log)?(\?|$)/;

t.test('no output contains the contacts of the logs, or the hash of a file', async (t) => {
  const service = await openService(t, PATHS);
  const urls: string[] = [];
  const leaks: string[] = [];
  await crawl(service, (url, body, status) => {
    if (status === 200) urls.push(url);
    // A search repeats what was searched.
    for (const secret of found(url.includes('q=') ? SECRETS.slice(1) : SECRETS, body))
      leaks.push(`${url}: ${secret}`);
    for (const hash of HASHES)
      if (body.includes(hash.slice(0, 12))) leaks.push(`${url}: the hash of a file`);
  });
  t.strictSame(leaks.slice(0, 20), []);
  for (const wanted of [
    ...[
      /^\/siteLogs\/\d+\?format=/,
      /^\/siteLogs\?/,
      /^\/exports\/setups\.csv/,
      /^\/sites\/\w+$/,
      /^\/sites\/\w+\/log$/,
      /^\/feed\.atom/,
    ],
    ...[
      /^\/ogc\/collections\/\w+\/items/,
      /^\/setups\?projection=provenance/,
      /^\/installations|\/gnssReceivers/,
    ],
  ])
    t.match(urls.join('\n'), new RegExp(wanted, 'm'));
  t.comment(`${urls.length} answers`);
  for (const path of ['/sites?q=quorvblax', '/corsSites?q=quorvblax', '/corsSites?q=9876']) {
    t.notMatch((await service.get(path)).body, /NYA1|"id":\d/, path);
  }
});

t.test('with publishContacts, only the logs contain them', takesLong, async (t) => {
  const service = await openService(t, PATHS, { publishContacts: true });
  const [withContacts, without]: [string[], string[]] = [[], []];
  const hashes = new Set<string>();
  await crawl(service, (url, body, status) => {
    if (HASHES.some((hash) => body.includes(hash)))
      hashes.add(new URL(url, 'http://localhost').pathname.replace(/\d+|[A-Z]{4}\b/g, '*'));
    if (status === 200 && !url.includes('q='))
      (found(SECRETS, body).length > 0 ? withContacts : without).push(url);
  });
  for (const path of [
    '/feed',
    '/setups',
    '/siteLogs',
    '/siteLogs/*',
    '/corsSites/*/siteLogs',
    '/sites/*/log',
  ])
    t.ok(hashes.has(path), path);
  const others = withContacts.filter((url) => !OF_LOGS.test(url));
  t.strictSame(others, []);
  for (const path of [
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
  for (const args of [
    ['export', 'setups', '--database', database, '--format', 'ndjson'],
    ['sites', '--database', database],
    ['lookup', 'ALIC', '--database', database],
    ['convert', PATHS[0]!, '--to', 'geodesyml05'],
  ]) {
    const { stdout, stderr, code } = await runHere(args);
    t.strictSame(
      [code, found(SECRETS, stdout + stderr), stdout.length > 0],
      [0, [], true],
      `${args.join(' ')}: ${stderr}`,
    );
  }
});

/** What logs say about contacts where the form has no place for it. */
const UNUSUAL = {
  name: 'Hieronymus Oberzaucher',
  phone: '+43 660 7654321',
  mobile: '+43 660 7654322',
  chat: 'oberzaucher_h77',
  position: 'Chief Antenna Polisher',
};
const IN_REMARKS = `by ${UNUSUAL.name}, ${UNUSUAL.phone}, ${UNUSUAL.mobile}, h.oberzaucher@c.example, h.oberzaucher (at) c.example, h.oberzaucher [at] c dot example`;

/** Imports a log that names somebody in remarks, and searches all that is put out. */
async function searchUnusual(t: Test, name: string, text: string): Promise<void> {
  const service = await openService(t);
  const { files } = await service.importText(text, name);
  t.equal(files[0]!.outcome, 'saved');
  const leaks: string[] = [];
  const texts = [...Object.values(UNUSUAL), 'oberzaucher', '7654321', '7654322'];
  t.strictSame(found(texts, JSON.stringify(files)), [], 'findings');
  let withheld = 0;
  await crawl(service, (url, body) => {
    if (body.includes('(withheld)')) withheld++;
    for (const each of found(texts, body)) leaks.push(`${url}: ${each}`);
  });
  t.strictSame(leaks.slice(0, 20), []);
  t.ok(withheld > 5, `${withheld} answers with something withheld`);
  const output = await runHere(['convert', join(service.folder, 'logs', name), '--to', 'text1']);
  t.strictSame(found(texts, output.stdout + output.stderr), [], 'convert');
  t.match(output.stdout, 'Example Agency');
}

t.test(
  'contacts under labels that the form does not have are withheld there and in remarks',
  async (t) => {
    const more = {
      'Firmware Version': IN_REMARKS,
      'Additional Information': IN_REMARKS,
      'Best Person': IN_REMARKS,
    };
    const log = logText({
      id: 'PV07',
      receivers: [{ type: 'R', serial: '1', from: '2001-01-01', more }],
    }).replace(/^(.*Site Name.*)$/m, `$1\n     Monument Description     : PILLAR ${IN_REMARKS}`);
    const section = `
11.  On-Site, Point of Contact Agency Information
     Agency                   : Example Agency
     Contact Person           : ${UNUSUAL.name}
     Tel. (primary)           : ${UNUSUAL.phone}
     Position                 : ${UNUSUAL.position}
     Primary Contact
       Mobil                  : ${UNUSUAL.mobile}
       Chat                   : ${UNUSUAL.chat}
     Additional Information   : ${UNUSUAL.position}
13.  More Information
     Who to ask               : ${IN_REMARKS}
     Additional Information   : ${IN_REMARKS}
`;
    await searchUnusual(t, 'pv07_20200101.log', log + section);
  },
);

t.test('contacts in elements of ISO 19115-3 are withheld in a party and in remarks', async (t) => {
  const place = await openService(t, [join(SAMPLE, 'mfkg_20170418.xml')]);
  const { body } = await place.get('/siteLogs/1?format=geodesyml&version=0.5');
  const individual = `<cit:CI_Responsibility xmlns:cit="http://standards.iso.org/iso/19115/-3/cit/1.0"><cit:party><cit:CI_Individual>
    <cit:name><gco:CharacterString>${UNUSUAL.name}</gco:CharacterString></cit:name>
    <cit:contactInfo><cit:CI_Contact>
      <cit:phone><cit:CI_Telephone><cit:number><gco:CharacterString>${UNUSUAL.phone}</gco:CharacterString></cit:number></cit:CI_Telephone></cit:phone>
      <cit:phone><cit:CI_Telephone><cit:number>${UNUSUAL.mobile}</cit:number></cit:CI_Telephone></cit:phone>
      <cit:address><cit:CI_Address><cit:electronicMailAddress>${UNUSUAL.chat}</cit:electronicMailAddress></cit:CI_Address></cit:address>
    </cit:CI_Contact></cit:contactInfo>
    <cit:positionName><gco:CharacterString>${UNUSUAL.position}</gco:CharacterString></cit:positionName>
  </cit:CI_Individual></cit:party></cit:CI_Responsibility>`;
  const organisation =
    '<gmd:organisationName><gco:CharacterString>Example Agency</gco:CharacterString></gmd:organisationName>';
  const contact = `<geo:siteContact gml:id="pv07">${individual}<gmd:CI_ResponsibleParty>${organisation}</gmd:CI_ResponsibleParty></geo:siteContact>`;
  const log = body
    .replace(
      '</geo:siteLog>',
      `${contact}<geo:emergencyContact>${individual}</geo:emergencyContact></geo:siteLog>`,
    )
    .replace(
      /<geo:notes\/>|<geo:notes>[^<]*<\/geo:notes>/g,
      `<geo:notes>${IN_REMARKS}</geo:notes>`,
    );
  t.match(log, `<geo:notes>${IN_REMARKS}`);
  t.match(log, '<geo:emergencyContact>');
  await searchUnusual(t, 'mfkg_20200101.xml', log);
});

t.test('an agency is published and found whole, also if a contact is a part of it', async (t) => {
  const service = await openService(t);
  const text = logText({ id: 'AAAA', receivers: [{ type: 'R', from: '2020-01-01' }] });
  const section = [
    '12.  Responsible Agency (if different from 11.)',
    '     Agency                   : Sample Survey, maria@example.org',
    '     Preferred Abbreviation   : SAMPLE',
    '     Primary Contact',
    '       Contact Name           : Sample',
  ];
  await service.importText(`${text}${section.join('\n')}\n`, 'aaaa_20200101.log');
  const agencyIn = async (path: string): Promise<unknown> =>
    elementsIn((await service.get(path)).json<Paged<{ agency: string }>>())[0]?.agency;
  for (const query of ['', '?agency=sample*', '?agency=*survey*'])
    t.equal(await agencyIn(`/corsSites${query}`), 'Sample Survey, (withheld)', query);
  t.equal(await agencyIn('/corsSites?agency=*maria*'), undefined);
  const page = await service.get('/sites/AAAA', { accept: BROWSER });
  t.match(page.body, 'Sample Survey, (withheld)');
});

/** Imports planted logs in all forms. Their ids begin with a letter. */
async function openPlanted(t: Test, letter: string, kind: Arbitrary<Planted>) {
  const service = await openService(t);
  const planted = sample(kind, { numRuns: casesOf(300), seed: SEED });
  const logs = planted.map((each, index) => {
    const id = `${letter}${String(index).padStart(3, '0')}`;
    const form = FORMS[index % FORMS.length]!;
    const path = join(service.folder, 'logs', `${id.toLowerCase()}_20200301${endOf(form)}`);
    writeFileSync(path, plantedText(each.plan, form, id));
    return { ...each, id, form };
  });
  await service.importPaths([join(service.folder, 'logs')]);
  const bodies = async (urls: string[]): Promise<string> => {
    const answers: string[] = [];
    for (const url of urls) {
      const { statusCode, body } = await service.get(url);
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
      answers.push(body);
    }
    return answers.join('\n');
  };
  return { logs, bodies };
}

const endOf = (form: PlantedForm): string => (form === 'sopac' ? '.xml' : EXTENSIONS[form]);
/** What is published of all Sites. */
const OF_ALL = [
  ...EXPORTS.map((name) => `/exports/${name}.csv`),
  ...COLLECTIONS.map(({ name }) => `/${name}?size=1000`),
  '/feed?size=1000',
  '/changes',
];
/** What is published of a Site. */
const ofSite = (id: string): string[] => [
  `/sites/${id}`,
  `/sites/${id}/log`,
  `/sites/${id}/findings`,
];

t.test(
  'planted contacts vanish from all answers, whatever the form of the log',
  triesMore,
  async (t) => {
    const { logs, bodies } = await openPlanted(t, 'V', vanishing);
    const all = folded(await bodies(OF_ALL));
    t.strictSame(
      logs.flatMap(({ id, secrets }) => (found(secrets, all).length > 0 ? id : [])),
      [],
    );
    const leaks: string[] = [];
    for (const { id, form, secrets } of logs) {
      const body = await bodies(ofSite(id));
      for (const secret of found(secrets, body)) leaks.push(`${id}, ${form}: ${secret}`);
      if (!body.includes('(withheld)')) leaks.push(`${id}, ${form}: nothing is withheld`);
    }
    t.strictSame(leaks, []);
  },
);

t.test('what only resembles a contact is in the answers', triesMore, async (t) => {
  const { logs, bodies } = await openPlanted(t, 'S', staying);
  t.notMatch(await bodies(['/findings?size=1000', '/corsSites?size=1000']), '(withheld)');
  const lost: string[] = [];
  for (const [index, { id, form, plan }] of logs.entries()) {
    // They are imported in the order of their names.
    const body = folded(await bodies([`/siteLogs/${index + 1}`]));
    if (!body.includes(id.toLowerCase())) lost.push(`${id}: another log`);
    const values = [plan.agency, plan.siteName, plan.city, plan.dataCenter, plan.url, plan.remark];
    for (const value of [...values, ...plan.address.split('\n')])
      if (!body.includes(folded(value))) lost.push(`${id}, ${form}: ${value}`);
  }
  t.strictSame(lost, []);
});
