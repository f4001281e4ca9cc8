import fc from 'fast-check';
import { PARTY_ROLES, type SiteLogSections } from '../../schemas/index.js';
import { BlockFindings, Fields } from '../../src/site-log/fields.js';
import { PARTY_ROWS } from '../../src/site-log/sections/parties.js';
import {
  type Row,
  type SectionName,
  SECTIONS,
  TRACKING,
} from '../../src/site-log/sections/index.js';
import { SectionsBuilder } from '../../src/site-log/sections-builder.js';
import { Findings } from '../../src/findings/findings.js';

/** Site logs with any text in any value, and more often with what turns up in real ones. */

// prettier-ignore
const FOUND = [
  '', ' ', 'none', 'n/a', 'unknown', '(multiple lines)', '(multiple lines) two\nlines', '(A4)', 'NaN', '(withheld)', ':', ': :', '&#233;',
  '0', '0.0', '-0.0', '+0.0025', '000.0300', '.5', '5.', '12 m (on 6 pillars)', '0,5 deg', 'approx. 30 cm', '2.4 m', '10M Hz', '1e400', '1e-7',
  'deg', 'N/A deg', '11 m m', '1 minute sec', '±2', '< 0.1', '0.055 +/- 0.001', '10 MHz and 1pps', '0 degrees/no offset deg',
  '5 MHz', '30 sec', '2.0 (% rel h)', '0.1 hPa', '20 deg C', '18.0', '1.23456789012345678901234567', '999999999999',
  '2011-07-20', '2011-07-20T01:02Z', '2011-07-20T01:02:03Z', '2011-20-07', '9999-99-99T99:99Z', '2011-07-20 (a remark)', '(CCYY-MM-DD)',
  '2011-07-20/2012-07-20', '2011-07-20/', '/2012-07-20', '2011-07-20/CCYY-MM-DD', 'CCYY-MM-DD/CCYY-MM-DD', '2011-07-20T10:00Z/x', 'a/b',
  '-234012.45', '+1335307.85', '-23.6701', '67.4207861111', '359.5', '-741726.1', '91', 'ALIC', 'ALIC00AUS', '00NA00AUS', 'alic', 'AUS',
  'Australia', 'Korea (Republic of)', 'Nowhere', 'TES', 'GPS+GLO', 'GPS/GLONASS', 'GPS, GAL', 'LEIAR25.R3      NONE', 'a  b', '3.1 Not an item',
  'x'.repeat(60), 'word '.repeat(20), 'first\n\n  indented\n\nlast', '\tTab', '<b>&amp;</b>]]>', '13.  More Information', 'Zürich — 東京 😀', '"',
];

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FOUND) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...FOUND), { minLength: 2, maxLength: 3 })
      .map((parts) => parts.join('\n')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 120 }) },
);

/** The texts of a block: most of them blank. */
const block = (rows: Readonly<Record<string, Row>>): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(fc.constantFrom(...Object.keys(rows)), text, { noNullPrototype: true });

const sections = fc.record(
  Object.fromEntries(
    Object.entries(SECTIONS).map(([name, { rows, once }]) => [
      name,
      fc.array(block({ ...rows, ...(once !== true && TRACKING) }), {
        maxLength: once === true ? 1 : 3,
      }),
    ]),
  ),
) as fc.Arbitrary<Record<SectionName, Record<string, string>[]>>;

const parties = fc.array(fc.tuple(fc.constantFrom(...PARTY_ROLES), block(PARTY_ROWS)), {
  maxLength: 5,
});

/** Any site log, as it would be read from a file with these texts. */
export const siteLogs: fc.Arbitrary<SiteLogSections> = fc
  .tuple(sections, parties)
  .map(([blocks, people]) => {
    const findings = new Findings('arbitrary');
    const builder = new SectionsBuilder(findings);
    const fieldsOf = (texts: Record<string, string>): Fields => {
      const fields = new Fields(1, new BlockFindings(findings));
      for (const [name, each] of Object.entries(texts))
        fields.set(name, { label: name, text: each, line: 1 });
      return fields;
    };
    for (const [name, list] of Object.entries(blocks))
      for (const texts of list) builder.add(name as SectionName, fieldsOf(texts));
    for (const [role, texts] of people) builder.addParty(role, fieldsOf(texts));
    return builder.build('IGS site log 1');
  });
