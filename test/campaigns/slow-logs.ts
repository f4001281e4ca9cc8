import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_FILE } from '../../src/site-log/read.js';
import { type Row, SECTIONS } from '../../src/site-log/sections/index.js';
import { AGENCIES, PARTY_ROWS } from '../../src/site-log/sections/parties.js';
import { processorTimeOf } from '../bench/processes.js';
import { logText } from '../synthetic-log.js';
import type { Budget, Campaign } from './campaign.js';
import { Client } from './client.js';
import { MAIN, type Service, startNode, startService } from './processes.js';
import type { Random } from './random.js';

/** Looks for logs of the largest size that take much longer than an ordinary one. */

/** How many times the processor time of an ordinary log any other one may take. */
const MOST_TIMES = 3;
/** Less than this many milliseconds is no stall: the clock of requests has about as much noise. */
const NOISE = 50;
/** How many kinds of large logs there are. */
const KINDS = 3;
/** So many bytes of notes leave place for the rest of a log. */
const LARGEST_NOTES = LARGEST_FILE - 100_000;
/** How many values further the next seed begins. */
const FIRST_VALUE_STEP = 13;
/** How often what took too long is measured again: a busy machine also takes processor time. */
const REPETITIONS = 2;

/** The forms of generated logs. */
type Form = 'text' | 'xml';
const FORMS: readonly Form[] = ['text', 'xml'];

/** Commands that read one log, each with what they need besides it. */
const COMMANDS: Record<string, (log: string, folder: string) => string[]> = {
  import: (log, folder) => ['import', '--database', join(folder, 'a.sqlite'), log],
  text: (log) => ['convert', '--to', 'text1', log],
  geodesyml: (log) => ['convert', '--to', 'geodesyml05', log],
  check: (log) => ['check-log', log],
  compare: (log) => ['compare-logs', log, log],
};

const FOUND = 'search/findByFourCharacterId?id=SLOW';
const EXPORTS = [
  ...[
    'sites.csv',
    'sites.ndjson',
    'sites.geojson',
    'findings.csv',
    'setups.csv',
    'installations.ndjson',
  ],
  ...['changes.csv', 'sites.snx', 'sites.station-info', 'sites.sta', 'offsets.csv'],
  'sites.rinex.zip',
];
/** Requests that show something of a log, in every format. */
const REQUESTS: readonly string[] = [
  ...['/sites', '/sites/SLOW', '/sites/SLOW/log', '/receivers', '/antennas', '/network'],
  ...['json', 'text', 'geodesyml'].map((format) => `/siteLogs/${FOUND}&format=${format}`),
  `/siteLogs/${FOUND}&format=geodesyml&version=0.4`,
  ...['/siteLogs/1/comparison?with=1', '/sites/SLOW/findings'],
  ...['/siteLogs', '/siteLogs?projection=written', '/siteLogs?projection=datePrepared'],
  ...['/corsSites', `/corsSites/${FOUND}`, '/corsSites?q=name&site=SLOW'],
  ...['/setups?site=SLOW&size=1000', `/setups/${FOUND}`],
  '/setups/search/findCurrentByFourCharacterId?id=SLOW',
  '/setups/search/findAtByFourCharacterId?id=SLOW&at=2010-01-01',
  ...['/gnssReceivers?size=1000', '/gnssAntennas?size=1000', '/equipment?size=1000'],
  ...[
    '/changes?site=SLOW',
    '/findings?site=SLOW',
    '/feed',
    '/feed.atom',
    '/skeletonFiles/SLOW.skl',
  ],
  ...['/ogc/collections/sites/items', ...EXPORTS.map((name) => `/exports/${name}`)],
];

/** Prints the processor time of a command to stderr when it ends, in milliseconds. */
const TIMED = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, '\\nprocessor ' + (user + system) / 1000);
});`;

const line = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}\n`;
const more = '                              : ';

const REMARK = 'firmware updated, cable replaced. ';
const dayOf = (number: number): string =>
  new Date(Date.UTC(1995, 0, 1 + 10 * number)).toISOString().slice(0, 10);
/** The receivers of an ordinary log, one after the other. */
const RECEIVERS = Array.from({ length: 900 }, (_, number) => ({
  type: `TRIMBLE NETR${number % 10}`,
  serial: String(number),
  from: dayOf(number),
  to: dayOf(number + 1),
}));

/** GeodesyML with some elements in its site log. */
const document = (elements: string): string =>
  `<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gmd="gmd" xmlns:gco="gco" xmlns:gml="gml">
<geo:siteLog><geo:siteIdentification><geo:SiteIdentification><geo:siteName>Slow</geo:siteName>
<geo:fourCharacterID>SLOW</geo:fourCharacterID></geo:SiteIdentification></geo:siteIdentification>
${elements}</geo:siteLog></geo:GeodesyML>`;

/** An element of a section that can have several, with its values. */
function block(name: string, values: Record<string, string>): string {
  const object = name[0]!.toUpperCase() + name.slice(1);
  const inside = Object.entries(values).map(([each, text]) => `<geo:${each}>${text}</geo:${each}>`);
  return `<geo:${name}><geo:${object}>${inside.join('\n')}</geo:${object}></geo:${name}>\n`;
}

/** An agency with a contact, who is looked for in all other text, as in any real log. */
const CONTACT: Record<Form, string> = {
  text: [
    '11.  On-Site, Point of Contact Agency Information\n',
    line('Agency', 'Example Survey'),
    '     Primary Contact\n',
    line('Contact Name', 'Maria Sample'),
    line('Telephone (primary)', '+61 2 6249 9111'),
  ].join(''),
  xml: `<geo:siteContact><gmd:CI_ResponsibleParty>
<gmd:individualName><gco:CharacterString>Maria Sample</gco:CharacterString></gmd:individualName>
<gmd:contactInfo><gmd:CI_Contact><gmd:phone><gmd:CI_Telephone>
<gmd:voice><gco:CharacterString>+61 2 6249 9111</gco:CharacterString></gmd:voice>
</gmd:CI_Telephone></gmd:phone></gmd:CI_Contact></gmd:contactInfo>
</gmd:CI_ResponsibleParty></geo:siteContact>`,
};

/** Ordinary logs of the largest size: hundreds of receivers with remarks. */
const ORDINARY: Record<Form, () => string> = {
  text: () => {
    const notes = { 'Additional Information': REMARK.repeat(50) };
    const receivers = RECEIVERS.map((receiver) => ({ ...receiver, more: notes }));
    const receiversText = logText({ id: 'SLOW', receivers });
    return `${receiversText.slice(0, LARGEST_FILE - CONTACT.text.length - 1)}\n${CONTACT.text}`;
  },
  xml: () =>
    document(
      RECEIVERS.map(({ type, serial, from, to }) =>
        block('gnssReceiver', {
          manufacturerSerialNumber: serial,
          igsModelCode: type,
          dateInstalled: from,
          dateRemoved: to,
          notes: REMARK.repeat(56),
        }),
      ).join('') + CONTACT.xml,
    ),
};

/** Pieces of text that a slow pattern or a nested loop would take long for. */
const PIECES = [
  ' ', '\t', ':', '.', '-', '+', '\n', '\u00fc\n', '(', '@', 'a@', 'a.', 'a.b@c.', '(at)', ' dot ', 'a ', 'Name ',
  'Name Nummer ', '0', '0-', '1.', '1e', '2001-01-01', '/', '&#38;', '&amp;', '%40', 'é', '"', 'a.b@c.de ',
  '0660 123456 ', '\ufffd', '\u00a0', 'A', 'a, ', '1 1', '1 ', '0 ', '001 ', '+1 ', '(0)1 ', '12345678, ',
  '+61 2 6249 9111 ', '+61 2 6249 9112 ', '2001-01-01T00:00Z ', '01-JAN-2001 ', '-35.2 ', '+352359.99 ', '35 S ',
  '() ', '[a] ', '" ', '- ', '\u2013 ', 'a at b dot c ', ' at at ', 'http://a.b/ ', 'www.a ', 'and ', 'Maria ',
  'Maria and ', 'Maria, Sample ', 'Dr. ', 'Maria Sample ',
]; // prettier-ignore
const LABELS = [
  'Contact Name', 'Agency', 'E-mail', 'Telephone (primary)', 'Additional Information', 'City or Town',
  'Site Name', 'Receiver Type', 'Serial Number', 'Date Installed', 'Satellite System', 'Strange Label',
  'Date Prepared', 'Differential Components', 'Antenna Radome Type', 'Site Map', 'Event', 'Contact', 'Fax',
]; // prettier-ignore
const HEADINGS = [
  '1.   Site Identification', '2.   Site Location', '3.N  Receiver Type            : A',
  '4.N  Antenna Type             : A', '5.N  Tied Marker Name         : A', '8.1.N Humidity Sensor Model   : A',
  '11.  On-Site, Point of Contact Agency Information', '12.  Responsible Agency', '13.  More Information',
  'Contacts', '10.N Date                     : 2001-01-01', '     Antenna Graphics with Dimensions',
]; // prettier-ignore
const XML_SECTIONS = [
  'gnssReceiver', 'gnssAntenna', 'frequencyStandard', 'humiditySensor', 'surveyedLocalTie', 'localEpisodicEffect',
  'siteContact', 'unknownSection', 'formInformation', 'collocationInformation',
]; // prettier-ignore
const ELEMENTS = [
  'notes', 'igsModelCode', 'dateInstalled', 'dateRemoved', 'manufacturerSerialNumber', 'satelliteSystem', 'unknown',
  'standardType', 'validTime', 'event', 'preparedBy', 'individualName', 'dateDeleted',
]; // prettier-ignore

/** A section, with the rows of its values. */
interface Table {
  number: string;
  heading?: string;
  element: string;
  rows: Readonly<Record<string, Row>>;
}
const TABLES: Record<Form, readonly Table[]> = {
  text: [
    ...Object.values<Table>(SECTIONS),
    ...Object.entries(AGENCIES).map(([element, agency]) => ({ ...agency, element })),
  ],
  xml: [
    ...Object.values<Table>(SECTIONS),
    ...Object.entries(AGENCIES).map(([element, { number }]) => ({
      number,
      element,
      rows: PARTY_ROWS,
    })),
  ],
};

/** A value that is looked for. */
interface Place {
  table: Table;
  /** As the form names it. */
  name: string;
}

/** All values of all sections, as each form names them. */
const VALUES: Record<Form, Place[]> = {
  text: TABLES.text.flatMap((table) =>
    Object.values(table.rows).flatMap(({ label }) =>
      label === undefined ? [] : [{ table, name: label }],
    ),
  ),
  xml: TABLES.xml.flatMap((table) =>
    Object.entries(table.rows).flatMap(([member, { element }]) =>
      element === null ? [] : [{ table, name: element ?? member }],
    ),
  ),
};

/** The text of receivers that has no form of its own. */
const NOTES: Record<Form, Place> = {
  text: { table: SECTIONS.gnssReceivers, name: 'Additional Information' },
  xml: { table: SECTIONS.gnssReceivers, name: 'notes' },
};

/** The most characters of a value that is published whole. */
const LONGEST_WHOLE = 65_536;

/**
 * Values that fill a log, of 0.8 to 2 MB: one piece of text, again and again. One value that is cut
 * where it is published, or as many that are not.
 */
function largeValues(random: Random): string[] {
  const piece = Array.from({ length: random.few(4) }, () => random.pick(PIECES)).join('');
  const length = Math.floor(LARGEST_FILE * random.pick([0.4, 0.7, 0.95])) - 10_000;
  return valuesOf(piece, length, random.chance(0.5) ? length : LONGEST_WHOLE - 1000);
}

/**
 * Values that repeat a piece of text.
 * @param length how many bytes they have
 * @param one how many bytes each of them has
 */
function valuesOf(piece: string, length: number, one: number): string[] {
  const value = piece.repeat(Math.ceil(one / Buffer.byteLength(piece)));
  const cut = Buffer.from(value).subarray(0, one).toString();
  return Array.from({ length: Math.floor(length / one) }, () => cut);
}

/** A log in the text form of which one value, or the same one of many items, is nearly all. */
function bombText(values: readonly string[], { table, name }: Place): string {
  const labels = Object.values(table.rows).flatMap(({ label }) => label ?? []);
  const heading = `${table.number.padEnd(4)} ${table.heading ?? 'Section'}\n`;
  const hasItems = /^(?:[3-8]|9|10)/.test(table.number);
  const sections = values.map((value, index) => {
    const item = `${table.number}.${index + 1}  ${labels[0]!.padEnd(25)}: A\n`;
    return `${hasItems ? item : heading}${line(name, value.replaceAll('\n', `\n${more}`))}`;
  });
  const contact = table.number === '11' ? '' : CONTACT.text;
  return `${logText({ id: 'SLOW' })}${contact}${sections.join('')}`;
}

/** The same in GeodesyML. */
function bombXml(values: readonly string[], { table, name }: Place): string {
  const names = name
    .replace(/\[.*?\]|#\d/g, '')
    .split('/')
    .map((each) => (each.includes(':') ? each : `geo:${each}`));
  const open = names.map((each) => `<${each}>`).join('');
  const close = names.toReversed().map((each) => `</${each}>`);
  const object = table.element[0]!.toUpperCase() + table.element.slice(1);
  const isParty = table.rows === PARTY_ROWS;
  const sections = values.map((value) => {
    const text = value.replace(/[&<](?!#38;|amp;)/g, '');
    const path = `${open}${text}${close.join('')}`;
    const inside = isParty ? path : `<geo:${object}>${path}</geo:${object}>`;
    return `<geo:${table.element}>${inside}</geo:${table.element}>`;
  });
  return document(sections.join('\n') + (isParty ? '' : CONTACT.xml));
}

/** What a generated log repeats: some text, numbered or not, of some length. */
function repeatedText(random: Random): (number: number) => string {
  const pick = Array.from({ length: random.few(4) }, () => random.pick(PIECES)).join('');
  const text = pick.repeat(random.pick([1, 10, 1000, 100_000]));
  const isNumbered = random.chance(0.5);
  return (number) => (isNumbered ? `${text}${number}` : text);
}

/** Joins what a function returns, up to nearly the largest size. */
function repeatToSize(head: string, one: (number: number) => string): string {
  const parts = [head];
  let size = head.length;
  for (let number = 1; size < LARGEST_FILE - 1; number++) {
    const part = one(number);
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, LARGEST_FILE - 100_000);
}

function slowText(random: Random): string {
  const textOf = repeatedText(random);
  const hasHeadings = random.chance(0.4);
  // Lines that are neither labels nor continuations.
  const isBare = random.chance(0.2);
  const heading = random.pick(HEADINGS);
  const labels = Array.from({ length: random.few(3) }, () => random.pick(LABELS));
  const head = `${logText({ id: 'SLOW' })}${heading.replace('N', '1')}\n`;
  return repeatToSize(head, (number) => {
    const begin = hasHeadings ? `${heading.replace('N', String((number % 1000) + 1))}\n` : '';
    const value = textOf(number);
    if (isBare) return `${begin}${value}\n`;
    const isLabelled = random.chance(0.5);
    return `${begin}${isLabelled ? line(labels[number % labels.length]!, value) : `${more}${value}\n`}`;
  });
}

function slowXml(random: Random): string {
  const textOf = repeatedText(random);
  const section = random.pick(XML_SECTIONS);
  const elements = Array.from({ length: random.few(5) }, () => random.pick(ELEMENTS));
  const isFlat = random.chance(0.3);
  const valuesOf = (number: number): Record<string, string> =>
    Object.fromEntries(
      elements.map((name) => [name, textOf(number).replace(/&(?!#38;|amp;)/g, '')]),
    );
  const one = (number: number): string =>
    isFlat
      ? Object.entries(valuesOf(number))
          .map(([name, text]) => `<geo:${name}>${text}</geo:${name}>`)
          .join('')
      : block(section, valuesOf(number));
  const body = repeatToSize('', one);
  // The last element may be cut.
  const whole = body.slice(
    0,
    Math.max(0, body.lastIndexOf(`</geo:${isFlat ? elements.at(-1)! : section}>`)),
  );
  const end = whole === '' ? '' : `</geo:${isFlat ? elements.at(-1)! : section}>`;
  const inside = `${whole}${end}`;
  return document(isFlat ? `<geo:${section}>${inside}</geo:${section}>` : inside);
}

/** The bytes of a text, of which every second line is not UTF-8. */
function inTwoEncodings(text: string): Buffer {
  const lines = text.split('\n').map((each, index) => {
    const isOther = index % 2 === 1;
    return Buffer.from(isOther ? `${each}\u00e9\n` : `${each}\n`, isOther ? 'latin1' : 'utf8');
  });
  return Buffer.concat(lines).subarray(0, LARGEST_FILE);
}

/** A log of which one value, or the same one of many items, is nearly all. */
const bomb = (form: Form, values: readonly string[], place: Place): Buffer =>
  form === 'xml'
    ? Buffer.from(bombXml(values, place))
    : Buffer.from(bombText(values, place)).subarray(0, LARGEST_FILE);

/**
 * A large log: in turn, one of which the next value of the form is most, one whose notes repeat the
 * next piece of text and are just not cut, and one that repeats one thing or another.
 * @param turn how many logs of this form came before
 */
function slowLog(random: Random, form: Form, turn: number): Buffer {
  const next = Math.floor(turn / KINDS);
  const kind = turn % KINDS;
  const values = VALUES[form];
  if (kind === 0) return bomb(form, largeValues(random), values[next % values.length]!);
  if (kind === 1) {
    const piece = PIECES[next % PIECES.length]!;
    return bomb(form, valuesOf(piece, LARGEST_NOTES, LONGEST_WHOLE - 1000), NOTES[form]);
  }
  const text = form === 'text' ? slowText(random) : slowXml(random);
  const isMixed = form === 'text' && random.chance(0.2);
  return isMixed ? inTwoEncodings(text) : Buffer.from(text);
}

/** The processor time of a command for a log, in milliseconds. */
async function processorTime(command: string, log: string, folder: string): Promise<number> {
  const timer = join(folder, 'timed.cjs');
  writeFileSync(timer, TIMED);
  const { ended, output } = startNode([
    '--require',
    timer,
    MAIN,
    ...COMMANDS[command]!(log, folder),
  ]);
  await ended;
  const found = /\nprocessor ([\d.]+)\s*$/.exec(output.stderr);
  if (found === null) throw new Error(`${command} ended early: ${output.stderr.slice(-300)}`);
  return Number(found[1]);
}

/** The processor time of a request, in milliseconds. */
async function requestTime(service: Service, client: Client, target: string): Promise<number> {
  const before = processorTimeOf(service.pid);
  await client.get(target);
  return processorTimeOf(service.pid) - before;
}

/** How long each command and request takes for a log. */
type Times = Map<string, number>;

/** Measures commands and requests. What takes longer than `limitOf` says is measured again. */
async function measure(
  log: string,
  campaign: Campaign,
  limitOf: (what: string) => number,
): Promise<Times> {
  const folder = mkdtempSync(join(campaign.folder, 'run-'));
  const times: Times = new Map();
  const leastOf = async (what: string, run: () => Promise<number>): Promise<void> => {
    let least = await run();
    for (let again = 0; again < REPETITIONS && least > limitOf(what); again++)
      least = Math.min(least, await run());
    times.set(what, least);
  };
  for (const command of Object.keys(COMMANDS)) {
    await leastOf(command, () => {
      rmSync(join(folder, 'a.sqlite'), { force: true });
      return processorTime(command, log, folder);
    });
    // A log that is rejected is in no database.
    const database = join(folder, 'a.sqlite');
    if (command === 'import' && existsSync(database)) await measureRequests(database, leastOf);
  }
  rmSync(folder, { recursive: true });
  return times;
}

/** Measures the requests to a service over a database. */
async function measureRequests(
  database: string,
  leastOf: (what: string, run: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const service = await startService(database, ['--cache-megabytes', '0']);
  const client = new Client(service.port, 60_000);
  for (const target of REQUESTS) await leastOf(target, () => requestTime(service, client, target));
  client.close();
  for (const problem of await service.stop()) throw new Error(problem);
}

/** Compares logs with an ordinary one of the same size and form, by processor time in one run. */
export async function fuzzSlowLogs(campaign: Campaign, budget: Budget): Promise<void> {
  const usual = new Map<Form, Times>();
  for (const form of FORMS) {
    const ordinary = join(campaign.folder, `ordinary.${form === 'text' ? 'log' : 'xml'}`);
    writeFileSync(ordinary, ORDINARY[form]());
    usual.set(form, await measure(ordinary, campaign, () => 0));
  }
  let worst = { times: 0, what: '' };
  await campaign.cases('slow-logs', budget, async (random, number) => {
    const form = FORMS[number % 2]!;
    const log = join(campaign.folder, `slow-${number}.${form === 'text' ? 'log' : 'xml'}`);
    // With each seed, the values begin with another one.
    const turn = Math.floor(number / FORMS.length) + KINDS * FIRST_VALUE_STEP * campaign.seed;
    writeFileSync(log, slowLog(random, form, turn));
    const ordinary = usual.get(form)!;
    const limitOf = (what: string): number => Math.max(MOST_TIMES * ordinary.get(what)!, NOISE);
    const times = await measure(log, campaign, limitOf);
    const findings: string[] = [];
    for (const [what, time] of times) {
      const factor = time / Math.max(ordinary.get(what)!, NOISE / MOST_TIMES);
      if (factor > worst.times) worst = { times: factor, what };
      if (time > limitOf(what))
        findings.push(
          `${what} took ${time.toFixed(0)} ms; an ordinary log ${ordinary.get(what)!.toFixed(0)}`,
        );
    }
    rmSync(log);
    return findings;
  });
  const { times, what } = worst;
  campaign.note('slow-logs', `at most ${times.toFixed(1)} times an ordinary log (${what})`);
}
