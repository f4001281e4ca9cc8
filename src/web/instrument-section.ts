import type { InstalledInstrument, Instant } from '../../schemas/index.js';
import { isInUseAt } from '../derive/periods.js';
import type { SiteThen } from '../store/read/sites/sites.js';
import { renderDownloads } from './downloads.js';
import { furtherWords } from './equipment.js';
import { renderFold } from './page/folding.js';
import { type Content, type Html, html } from './page/html.js';
import { section } from './page/layout.js';
import { type Column, table } from './page/table.js';
import { typeText } from './type-lists.js';
import { capitalized, counted, kindName, shortTime, when } from './page/words.js';

/** The section of a Site page with the instruments, which are in no Setup. */

const ROOT = '..';

/** The members that the table of instruments shows. */
const SHOWN_MEMBERS = ['serialNumber'];

const COLUMNS: Column<InstalledInstrument>[] = [
  ['Kind', ({ content: { id } }) => capitalized(kindName(id.equipmentType))],
  ['Type', ({ content: { id } }) => typeText(id.type), { isHeader: true }],
  ['Serial number', ({ content: { id } }) => id.serialNumber ?? 'unknown'],
  ['From', ({ content: { period } }) => (period.from === null ? 'unknown' : when(period.from))],
  ['To', ({ content: { period } }) => (period.to === null ? 'open' : when(period.to))],
];

/**
 * The section with the instruments of a Site; nothing if it has none.
 * @param at the time of the page; null for now
 */
export function instrumentSection(
  { shortestId: site, instruments, asOf }: SiteThen,
  at: Instant | null,
  now: Instant,
): Content {
  if (instruments.length === 0) return null;
  const inUse = instruments.filter((each) => isInUseAt(each.content.period, at ?? now));
  const others = instruments.filter((each) => !inUse.includes(each));
  const kinds = [...new Set(instruments.map(({ content }) => content.id.equipmentType))];
  const rows = (some: InstalledInstrument[]): Html =>
    table(COLUMNS, some, {
      name: 'stack equipment',
      after: (each) => furtherWords(each, SHOWN_MEMBERS),
    });
  return section(
    'instruments',
    at === null ? 'Instruments in use' : `Instruments at ${shortTime(at)}`,
    [
      html`<p>
        Pressure sensors, temperature sensors, water vapour radiometers and other instruments are
        not part of a Setup. ${inUse.length === 0 && 'The site log has none in use at this time.'}
      </p>`,
      inUse.length > 0 && rows(inUse),
      others.length > 0 &&
        renderFold(`${counted(others.length, 'instrument')} of other times`, rows(others)),
      renderDownloads(
        ROOT,
        'installations',
        { site, equipmentType: kinds, asOf },
        'these instruments',
      ),
    ],
  );
}
