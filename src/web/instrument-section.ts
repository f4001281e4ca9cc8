import { EQUIPMENT, type InstalledInstrument, type Instant } from '../../schemas/index.js';
import { href, pathOf } from '../links.js';
import { renderDownloads } from './downloads.js';
import { equipmentCard } from './equipment.js';
import { type Content, type Html, html, list } from './page/html.js';
import { section } from './page/layout.js';
import { table } from './page/table.js';
import { typeText } from './type-lists.js';
import { capitalized, kindName, shortTime, when } from './page/words.js';

/** The section of a Site page with the instruments, which are in no Setup. */

const ROOT = '..';

/** Whether an instrument is in use at an instant, as far as the site log says. */
const isInUse = ({ content: { period } }: InstalledInstrument, at: Instant): boolean =>
  (period.from === null || period.from <= at) && (period.to === null || period.to > at);

/** The link to where the device has been. The catalogue may spell its type as a newer log does. */
function historyLink({ content: { id } }: InstalledInstrument): Html {
  const device =
    id.serialNumber === null ? { type: id.type ?? undefined } : { serialNumber: id.serialNumber };
  const query = { equipmentType: id.equipmentType, ...device, projection: 'installations' };
  return html`<a href="${href(ROOT, pathOf(EQUIPMENT), { query })}">/${EQUIPMENT.name}</a>`;
}

/**
 * The section with the instruments of a Site; nothing if it has none.
 * @param site the id of the Site in links
 * @param at the time of the page; null for now
 */
export function instrumentSection(
  site: string,
  instruments: InstalledInstrument[],
  at: Instant | null,
  now: Instant,
): Content {
  if (instruments.length === 0) return null;
  const inUse = instruments.filter((each) => isInUse(each, at ?? now));
  const kinds = [...new Set(instruments.map(({ content }) => content.id.equipmentType))];
  return section(
    'instruments',
    at === null ? 'Instruments in use' : `Instruments at ${shortTime(at)}`,
    [
      html`<p>
        Pressure sensors, temperature sensors, water vapour radiometers and other instruments are
        not part of a Setup. ${inUse.length === 0 && 'The site log has none in use at this time.'}
      </p>`,
      inUse.length > 0 &&
        list(
          inUse.map((each) => equipmentCard(ROOT, each)),
          'cards',
        ),
      table(
        [
          ['Kind', ({ content: { id } }) => capitalized(kindName(id.equipmentType))],
          ['Type', ({ content: { id } }) => typeText(id.type)],
          ['Serial number', ({ content: { id } }) => id.serialNumber ?? 'unknown'],
          [
            'From',
            ({ content: { period } }) => (period.from === null ? 'unknown' : when(period.from)),
          ],
          [
            'To',
            ({ content: { period } }) =>
              period.to === null ? 'in use, or unknown' : when(period.to),
          ],
          ['JSON', historyLink],
        ],
        instruments,
        { caption: 'All instruments in the site log.' },
      ),
      renderDownloads(ROOT, 'installations', { site, equipmentType: kinds }, 'these instruments'),
    ],
  );
}
