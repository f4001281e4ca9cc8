import { EQUIPMENT, type InstalledInstrument, type Instant } from '../../schemas/index.js';
import { href, pathOf } from '../links.js';
import { renderDownloads } from './downloads.js';
import { renderLongText } from './folding.js';
import { type Content, type Html, html, tableHead } from './html.js';
import { typeText } from './type-lists.js';
import { capitalized, configurationSentences, kindName, notesOf, sentence, shortTime, useWords, when } from './words.js';

/** The section of a Site page with the instruments, which are in no Setup. */

const ROOT = '..';

/** Whether an instrument is in use at an instant, as far as the site log says. */
const isInUse = ({ content: { period } }: InstalledInstrument, at: Instant): boolean =>
  (period.from === null || period.from <= at) && (period.to === null || period.to > at);

function card(instrument: InstalledInstrument): Html {
  const { id, period } = instrument.content;
  const notes = notesOf(instrument);
  const identity = [id.manufacturer && `Made by ${id.manufacturer}`, id.serialNumber && `Serial number ${id.serialNumber}`];
  const sentences = identity.flatMap((each) => (each === null || each === '' ? [] : [sentence(each)]));
  return html`<li class="card">
    <h3><span class="kind">${capitalized(kindName(id.equipmentType))}</span> ${typeText(id.type)}</h3>
    <p>
      ${[...sentences, ...configurationSentences(instrument)].join(' ')} In this configuration
      <span class="period">${useWords(period)}</span>.
    </p>
    ${notes !== null && html`<div class="notes">${renderLongText(notes)}</div>`}
  </li> `;
}

function row({ content: { id, period } }: InstalledInstrument): Html {
  // The catalogue may spell the type as a newer log does.
  const device = id.serialNumber === null ? { type: id.type ?? undefined } : { serialNumber: id.serialNumber };
  const query = { equipmentType: id.equipmentType, ...device, projection: 'installations' };
  return html`<tr>
    <td data-label="Kind">${capitalized(kindName(id.equipmentType))}</td>
    <td data-label="Type">${typeText(id.type)}</td>
    <td data-label="Serial number">${id.serialNumber ?? 'unknown'}</td>
    <td data-label="From">${period.from === null ? 'unknown' : when(period.from)}</td>
    <td data-label="To">${period.to === null ? 'in use, or unknown' : when(period.to)}</td>
    <td data-label="JSON"><a href="${href(ROOT, pathOf(EQUIPMENT), { query })}">/${EQUIPMENT.name}</a></td>
  </tr> `;
}

/** The kinds of the instruments, in their order. */
const kindsOf = (instruments: InstalledInstrument[]): string[] => [...new Set(instruments.map(({ content }) => content.id.equipmentType))];

/**
 * The section with the instruments of a Site; nothing if it has none.
 * @param site the id of the Site in links
 * @param at the time of the page; null for now
 */
export function instrumentSection(site: string, instruments: InstalledInstrument[], at: Instant | null, now: Instant): Content {
  if (instruments.length === 0) return null;
  const inUse = instruments.filter((each) => isInUse(each, at ?? now));
  return html`<section id="instruments" aria-labelledby="instruments-heading">
    <h2 id="instruments-heading">${at === null ? 'Instruments in use' : `Instruments at ${shortTime(at)}`}</h2>
    <p>
      Pressure sensors, temperature sensors, water vapour radiometers and other instruments are not part of a Setup.
      ${inUse.length === 0 && 'The site log has none in use at this time.'}
    </p>
    ${
      inUse.length > 0 &&
      html`<ul class="cards">
        ${inUse.map(card)}
      </ul>`
    }
    <table class="stack">
      <caption>
        All instruments in the site log.
      </caption>
      ${tableHead('Kind', 'Type', 'Serial number', 'From', 'To', 'JSON')}
      <tbody>
        ${instruments.map(row)}
      </tbody>
    </table>
    ${renderDownloads(ROOT, 'installations', { site, equipmentType: kindsOf(instruments) }, 'these instruments')}
  </section>`;
}
