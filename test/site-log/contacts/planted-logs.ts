import fc from 'fast-check';
import { readSections } from '../../../src/site-log/read-sections.js';
import { writeSections, WRITTEN_FORMS, type WrittenForm } from '../../../src/site-log/write.js';
import { withNineCharacters } from '../../../src/site-log/write/identity.js';
import { Findings } from '../../../src/findings/findings.js';

/** Site logs in all forms, with planted contacts that vanish, or with values that stay. */

/** The values of a planted log. */
export interface Plan {
  siteName: string;
  city: string;
  agency: string;
  address: string;
  dataCenter: string;
  url: string;
  preparedBy: string;
  contactName: string;
  telephone: string;
  fax: string;
  email: string;
  /** A remark, which stands in several sections. */
  remark: string;
  /** A text where a date is expected, so that a finding quotes it. */
  notADate: string;
  accuracy: string;
}

/** A log with what must not be published of it; a log of which everything else must be. */
export interface Planted {
  plan: Plan;
  secrets: string[];
}

export const FORMS = [...WRITTEN_FORMS, 'sopac'] as const;
export type PlantedForm = WrittenForm | 'sopac';

const field = (label: string, value: string): string =>
  value
    .split('\n')
    .map((line, index) => `     ${(index === 0 ? label : '').padEnd(25)}: ${line}`)
    .join('\n');

/** A log in version 1 of the text form. */
function textOf(plan: Plan, id: string): string {
  const contact = [
    field('Agency', plan.agency),
    field('Mailing Address', plan.address),
    '     Primary Contact',
    field('  Contact Name', plan.contactName),
    field('  Telephone (primary)', plan.telephone),
    field('  Fax', plan.fax),
    field('  E-mail', plan.email),
  ];
  return [
    `     ${id} Site Information Form (site log)`,
    '0.   Form',
    field('Prepared by (full name)', plan.preparedBy),
    field('Date Prepared', '2020-03-01'),
    '1.   Site Identification of the GNSS Monument',
    field('Site Name', plan.siteName),
    field('Four Character ID', id),
    field('Monument Description', plan.remark),
    field('Date Installed', plan.notADate),
    '2.   Site Location Information',
    field('City or Town', plan.city),
    field('Country', 'Australia'),
    '3.   GNSS Receiver Information',
    '3.1  Receiver Type            : TRIMBLE NETR9',
    field('Serial Number', '5001'),
    field('Date Installed', '2010-01-01T00:00Z'),
    field('Colour of the Case', plan.remark),
    field('Additional Information', plan.remark),
    '4.   GNSS Antenna Information',
    '4.1  Antenna Type             : TRM57971.00     NONE',
    field('Serial Number', '1440'),
    field('Date Installed', '2010-01-01T00:00Z'),
    field('Additional Information', plan.remark),
    '8.   Meteorological Instrumentation',
    '8.2.1 Pressure Sensor Model   : PTB330',
    field('  Accuracy', plan.accuracy),
    field('  Notes', plan.remark),
    '10.  Local Episodic Effects Possibly Affecting Data Quality',
    field('Event', plan.remark).replace(/^ {5}/, '10.1 '),
    '11.  On-Site, Point of Contact Agency Information',
    ...contact,
    '12.  Responsible Agency (if different from 11.)',
    ...contact,
    '13.  More Information',
    field('Primary Data Center', plan.dataCenter),
    field('URL for More Information', plan.url),
    field('Site Map', plan.remark),
    '',
  ].join('\n');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Elements with the given texts. */
const elements = (texts: Record<string, string>): string =>
  Object.entries(texts)
    .map(([name, text]) => `<${name}>${escaped(text)}</${name}>`)
    .join('');

/** A log in SOPAC's XML. */
function sopacOf(plan: Plan, id: string): string {
  const agency = `${elements({ agency: plan.agency, mailingAddress: plan.address })}<primaryContact>${elements(
    {
      name: plan.contactName,
      telephonePrimary: plan.telephone,
      fax: plan.fax,
      'e-mail': plan.email,
    },
  )}</primaryContact>`;
  return `<igsSiteLog xmlns="http://sopac.ucsd.edu/ns/geodesy/doc/igsSiteLog/2004">
<formInformation>${elements({ preparedBy: plan.preparedBy, datePrepared: '2020-03-01' })}</formInformation>
<siteIdentification>${elements({ siteName: plan.siteName, fourCharacterID: id, monumentDescription: plan.remark, dateInstalled: plan.notADate })}</siteIdentification>
<siteLocation>${elements({ city: plan.city, country: 'Australia' })}</siteLocation>
<gnssReceiver>${elements({ receiverType: 'TRIMBLE NETR9', serialNumber: '5001', dateInstalled: '2010-01-01T00:00Z', colour: plan.remark, notes: plan.remark })}</gnssReceiver>
<gnssAntenna>${elements({ antennaType: 'TRM57971.00     NONE', serialNumber: '1440', dateInstalled: '2010-01-01T00:00Z', notes: plan.remark })}</gnssAntenna>
<contactAgency>${agency}</contactAgency>
<responsibleAgency>${agency}</responsibleAgency>
<moreInformation>${elements({ primaryDataCenter: plan.dataCenter, urlForMoreInformation: plan.url, siteMap: plan.remark })}</moreInformation>
</igsSiteLog>`;
}

/** A planted log in a form. @param id its four characters */
export function plantedText(plan: Plan, form: PlantedForm, id = 'QXAA'): string {
  if (form === 'sopac') return sopacOf(plan, id);
  const text = textOf(plan, id);
  if (form === 'text1') return text;
  const log = withNineCharacters(readSections(Buffer.from(text), new Findings('')), '00AUS');
  return writeSections(log, form, new Findings(''));
}

/** The values of a log that is about nobody. */
const NOBODY: Plan = {
  siteName: 'Quarry Hill',
  city: 'Testford',
  agency: 'Example Survey',
  address: '1 Long Street\n430077 Testford',
  dataCenter: 'EXDC',
  url: 'http://www.example.org/20200101/map',
  preparedBy: 'Field Team',
  contactName: '',
  telephone: '',
  fax: '',
  email: '',
  remark: 'grey, 2 m above the ground',
  notADate: '2010-01-01',
  accuracy: '0.3',
};

const GIVEN = ['Erika', 'Jean-Luc', 'Søren', 'Ángel', 'Zofia', 'MARIA', 'Q.', 'Mary Ann'] as const;
/** A family name that is in no other text of a planted log. */
const family = fc
  .tuple(
    fc.constantFrom('Quorv', 'Zwint', 'Øxbra', "O'Zv", 'Vlaqh', 'KREQZ', 'Żmiqu'),
    fc.constantFrom('blax', 'elmqu', 'opqeur', 'izkaya', 'anqvist', 'EROWQ'),
  )
  .map((parts) => parts.join(''));

/** Other ways to write a telephone number of digits and the signs between them. */
const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => number.replace(/[\s./()-]/g, ''),
  (number) => number.replace(/[\s./()-]+/g, ' ').trim(),
  (number) => number.replace(/^\D*\d+[\s./()-]+(?=\d{4})/, ''),
  (number) => number.replace(/^\+/, '00').replace(/[\s./()-]+/g, '.'),
  (number) => number.replace(/\d(?=\d{3}\D*$)/, '$& '),
];

const digits = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[1-9]{${length}}$`));
const telephone = fc
  .tuple(digits(2), digits(4), digits(4), fc.nat(6))
  .map(
    ([area, first, last, style]) =>
      [
        `+${area} 2 ${first} ${last}`,
        `(0${area}) ${first}-${last}`,
        `0${area}/${first}${last}`,
        `+${area}-${first}-${last}`,
        `0${area}${first}${last}`,
        `${area}.${first}.${last}`,
        `(+${area}) 0${first} ${last}`,
      ][style]!,
  );

/** Ways to write an email address. */
const MAIL: readonly ((name: string) => string)[] = [
  (name) => `${name}@mail.example.org`,
  (name) => `${name}@163.com`,
  (name) => `${name} (at) example.org`,
  (name) => `${name} [at] example dot org`,
  (name) => `${name}(at)example(dot)org`,
  (name) => `${name} @ example.org`,
];

/** Ways to write the name of a contact, each with what must vanish elsewhere. */
const NAMES: readonly ((
  given: string,
  last: string,
) => [written: string, ...elsewhere: string[]])[] = [
  (given, last) => [`${given} ${last}`, `${given} ${last}`],
  (given, last) => [`Dr. ${given} ${last} (Example Survey)`, `Dr. ${given} ${last}`],
  (given, last) => [`${last}, ${given}`, last, `${last}, ${given}`],
  (given, last) => [`${given} ${last} / Otto ${last}son`, `${given} ${last}`, `Otto ${last}son`],
  (given, last) => [`${given} ${last}\nOtto ${last}son`, `${given} ${last}`, `Otto ${last}son`],
  (_given, last) => [last, last],
  // Titles, and what joins several names.
  (given, last) => [`Mr. ${given} ${last}`, `${given} ${last}`],
  (given, last) => [`Prof. Dr.-Ing. ${given} ${last}, PhD`, `${given} ${last}`],
  (given, last) => [`Mrs ${given} ${last} - Example Survey`, `${given} ${last}`],
  (given, last) => [`${given} ${last} and Otto ${last}son`, `Otto ${last}son`, `${given} ${last}`],
  (given, last) => [`${given} ${last} or Otto ${last}son`, `${given} ${last}`],
  (given, last) => [`${given} ${last} & Otto ${last}son`, `Otto ${last}son`],
  (given, last) => [`${given} ${last} \u2013 Otto ${last}son`, `Otto ${last}son`],
  (_given, last) => [`Maria & Otto ${last}`, `Otto ${last}`, `Maria ${last}`],
  // The family name first.
  (given, last) => [`${given} ${last}`, `${last.toUpperCase()} ${given}`, `${last}, ${given}`],
  (given, last) => [`${last.toUpperCase()} ${given}`, `${given} ${last}`],
  (given, last) => [`${last}, ${given}`, `${given} ${last}`, `${last} ${given}`],
];

/** Logs of which the contacts must vanish. */
export const vanishing: fc.Arbitrary<Planted> = fc
  .record({
    given: fc.constantFrom(...GIVEN),
    last: family,
    name: fc.constantFrom(...NAMES),
    mail: fc.constantFrom(...MAIL),
    telephone,
    fax: telephone,
    isPrepared: fc.boolean(),
    isUpper: fc.boolean(),
    spelling: fc.constantFrom(...SPELLINGS),
  })
  .map(({ given, last, name, mail, isPrepared, isUpper, spelling, ...numbers }) => {
    const [written, ...elsewhere] = name(given, last);
    const box = last.toLowerCase().replace(/[^a-z]/g, 'x');
    const email = mail(box);
    const cased = elsewhere.map((each) => (isUpper ? each.toUpperCase() : each));
    const number = spelling(numbers.telephone);
    const reach = `${email}, ${number}`;
    return {
      plan: {
        ...NOBODY,
        ...numbers,
        email,
        agency: `Example Survey, ${email}`,
        address: `${NOBODY.address}\n${reach}`,
        dataCenter: `EXDC ${email}`,
        url: `${NOBODY.url} ${number}`,
        contactName: isPrepared ? '' : written,
        preparedBy: isPrepared ? written : 'Field Team',
        remark: `ask ${cased.join(' or ')}; ${numbers.fax}; ${reach}`,
        notADate: `by ${cased[0]}`,
      },
      secrets: [last, numbers.telephone, number, numbers.fax, email, box],
    };
  });

/** Values that only resemble something about a contact. */
const ALIKE = [
  '+/-0.1 @ 20.0C',
  '44.9@1.57GHz',
  'none',
  'n/a',
  'unknown',
  'not applicable',
  'ext. 12345',
  'Additional Information',
] as const;

/** Words for things and roles, which may also name a contact. */
const COMMON_REMARK =
  'Australian plate, PILLAR, the steel and concrete of the mast; Network Engineer called';

/** Logs of which all that is not about contacts must stay. */
export const staying: fc.Arbitrary<Planted> = fc
  .record({
    last: family,
    alike: fc.constantFrom(...ALIKE),
    filler: fc.constantFrom('none', 'n/a', 'N/A', 'unknown', 'not applicable', '', '(none)'),
    where: fc.constantFrom('agency', 'address', 'siteName', 'city', 'dataCenter', 'url', 'longer'),
    common: fc.constantFrom(
      null,
      'Pillar',
      'Australian',
      'Network Engineer',
      'Dr. Mast',
      'Steel and Concrete',
    ),
    affiliation: fc.constantFrom('Federal Office of Mapping', 'NRCan', 'Tide Gauge'),
    isPrepared: fc.boolean(),
  })
  .map(({ last, alike, filler, where, common, affiliation, isPrepared }) => {
    const name = last.replace("O'", 'O');
    const isAffiliated = where === 'longer';
    const written = isAffiliated ? `Zoe ${name} (${affiliation})` : name;
    const named = common ?? written;
    const contact = isPrepared ? { preparedBy: named } : { contactName: named };
    const resembling: Record<typeof where, Partial<Plan>> = {
      agency: { agency: `${name} Institute, Garden of ${name}` },
      address: { address: `${name} Street 12345\n430077 Testford` },
      siteName: { siteName: `Mount ${name}` },
      city: { city: name },
      dataCenter: { dataCenter: `${name}; Archive of ${name}` },
      url: { url: `http://www.${name}.example/${name}?at=20200101` },
      longer: { agency: `Example ${affiliation}`, city: `${name}ton` },
    };
    const remark = isAffiliated ? `${affiliation}, ${name}ton` : `mark of ${name}`;
    return {
      plan: {
        ...NOBODY,
        ...contact,
        ...resembling[where],
        telephone: filler,
        fax: '12345',
        remark: `${remark}, ${alike}; see www.${name}.example; ${COMMON_REMARK}`,
        accuracy: alike,
        notADate: alike,
      },
      secrets: [],
    };
  });
