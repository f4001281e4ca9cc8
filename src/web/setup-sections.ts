import { type EquipmentInUse, type EquipmentType, type Instant, type Period, type Setup, SETUPS } from '../../schemas/index.js';
import { completenessOf, unknownMembers } from '../derive/completeness.js';
import { LONGEST_GAP, mergeGaps, type MergedChange } from '../derive/gaps.js';
import { href, itemPathOf } from '../links.js';
import type { SiteRecord } from '../store/read/sites.js';
import { renderDownloads, renderSoftwareDownloads } from './downloads.js';
import { equipmentTable } from './equipment-table.js';
import { findingHref, findingText } from './finding-links.js';
import { renderFold, renderLongText } from './folding.js';
import { type Content, type Html, html, joined, tableHead } from './html.js';
import { devicesPathOf, linkedWords, typeList, typeText } from './type-lists.js';
import { gapSentence, mergedChangeWords } from './change-words.js';
import {
  capitalized,
  configurationSentences,
  counted,
  kindName,
  labelOf,
  listed,
  notesOf,
  periodWords,
  sentence,
  shortTime,
  unbroken,
  when,
  type Words,
} from './words.js';

/** The sections of a Site page that show Setups. */

const ROOT = '..';

type Finding = SiteRecord['findings'][number];

/** Whether a finding is about an item of equipment that the log has in use. Older items may have the same finding. */
const concerns = ({ code, message, text }: Finding, { content: { id, configuration } }: EquipmentInUse): boolean =>
  (code === 'radome-missing' && text.trim() === id.type) ||
  (code === 'radome-contradiction' &&
    'radomeType' in configuration &&
    text.trim() === configuration.radomeType &&
    message.includes(`are ${id.type?.slice(16) ?? '?'},`));

/** One item of equipment: its identity, its configuration, and what is unknown about it. */
function equipmentCard(equipment: EquipmentInUse): Html {
  const { id, period } = equipment.content;
  const { equipmentType, type, manufacturer, serialNumber } = id;
  const page = devicesPathOf(equipmentType);
  const unknown = unknownMembers(equipment).map(labelOf);
  const notes = notesOf(equipment);
  const identity = [manufacturer && `Made by ${manufacturer}`, serialNumber && `Serial number ${serialNumber}`];
  const sentences = identity.flatMap((each) => (each === null || each === '' ? [] : [sentence(each)]));
  const path = { type: type ?? '', serialNumber: serialNumber ?? undefined };
  const name = kindName(equipmentType);
  return html`<li class="card">
    <h3><span class="kind">${capitalized(name)}</span> ${typeText(type)}</h3>
    <p>
      ${[...sentences, ...configurationSentences(equipment)].join(' ')} In this configuration
      ${unbroken(`${period.to === null ? '' : 'from '}${periodWords(period)}`)}.
    </p>
    ${notes !== null && html`<div class="notes">${renderLongText(notes)}</div>`}
    ${unknown.length > 0 && html`<p class="unknown">Unknown: ${listed(unknown)}.</p>`}
    ${
      page !== undefined &&
      html`<p class="history">
        <a href="${href(ROOT, page, { query: path })}">${serialNumber === null ? 'All devices of this type' : `History of this ${name}`}</a>
      </p>`
    }
  </li> `;
}

/**
 * The section with one Setup.
 * @param setup undefined if there is none at that time
 * @param at the time of the page; null for now
 * @param isFileShown whether findings link to the lines of the file
 * @param controls what leads to other Setups
 */
export function setupSection(
  setup: Setup | undefined,
  at: Instant | null,
  { setups, changes, findings, shortestId, siteLog }: SiteRecord,
  isFileShown: boolean,
  controls: Content,
): Html {
  const first = setups[0]?.effectivePeriod.from;
  if (setup === undefined) {
    return html`<section id="setup" aria-labelledby="setup-heading">
      <h2 id="setup-heading">${at === null ? 'Current Setup' : `Setup at ${shortTime(at)}`}</h2>
      <p>
        ${first === undefined ? 'None: the site log gives no dates for its equipment.' : html`None yet: the first Setup begins ${when(first)}.`}
      </p>
      ${controls}
    </section>`;
  }
  const { effectivePeriod, equipmentInUse } = setup;
  const { asked, known } = completenessOf(equipmentInUse);
  /** What was found about the current items of a kind; if a finding is about several items, the last one. */
  const concerning = (kind: EquipmentType): Html[] => {
    const items = equipmentInUse.filter(({ content: { id } }) => id.equipmentType === kind);
    const several = kind === 'gnss receiver' ? /^\d+ receivers / : kind === 'gnss antenna' ? /^\d+ antennas / : /^$/;
    const about = findings.filter(
      (each) => (each.code === 'several-in-use' && several.test(each.message)) || items.some((item) => concerns(each, item)),
    );
    const last = about.filter(({ code, text }, index) => !about.slice(index + 1).some((each) => each.code === code && each.text === text));
    return last.map((each) => findingText(findingHref(ROOT, shortestId, each, isFileShown), each));
  };
  return html`<section id="setup" aria-labelledby="setup-heading">
    <h2 id="setup-heading">${at === null ? 'Current Setup' : `Setup at ${shortTime(at)}`}</h2>
    <p>
      In effect ${unbroken(periodWords(effectivePeriod))}.
      ${equipmentInUse.length === 0 ? 'No equipment is in use.' : `${known} of ${asked} applicable values are known.`}
      ${effectivePeriod.to === null && siteLog?.datePrepared != null && unbroken(`The site log was prepared on ${siteLog.datePrepared}; it does not include later changes.`)}
    </p>
    ${gapsAround(mergeGaps(changes, LONGEST_GAP), effectivePeriod).map((change) => html`<p>${linkedWords(ROOT, gapSentence(change))}</p>`)}
    ${equipmentInUse.length > 0 && equipmentTable(ROOT, setup, effectivePeriod.to === null ? concerning : () => [])} ${controls}
  </section>`;
}

/** The section that describes each item of a Setup in words; nothing without items. */
export const equipmentSection = (setup: Setup | undefined): Content =>
  setup !== undefined &&
  setup.equipmentInUse.length > 0 &&
  html`<section aria-labelledby="equipment-heading">
    <h2 id="equipment-heading">The equipment in words</h2>
    <ul class="cards">
      ${setup.equipmentInUse.map(equipmentCard)}
    </ul>
  </section>`;

const typesOf = ({ equipmentInUse }: Setup, kind: EquipmentType): Content =>
  typeList(
    ROOT,
    kind,
    equipmentInUse.flatMap(({ content: { id } }) => (id.equipmentType === kind ? [id.type] : [])),
  );

/** How many changes a row shows before it folds the others. */
const MOST_CHANGES = 4;

/** The changes at the start of a Setup, in sentences; a long list is folded. */
function changeList(sentences: Words[]): Content {
  const lines = (some: Words[]): Html =>
    joined(
      some.map((words) => linkedWords(ROOT, words)),
      html`<br />`,
    );
  if (sentences.length <= MOST_CHANGES + 1) return lines(sentences);
  return [
    lines(sentences.slice(0, MOST_CHANGES)),
    renderFold(`${sentences.length - MOST_CHANGES} more`, lines(sentences.slice(MOST_CHANGES))),
  ];
}

/** A change with a gap in it. */
type ChangeWithGap = MergedChange & { gap: NonNullable<MergedChange['gap']> };
const hasGap = (change: MergedChange): change is ChangeWithGap => change.gap !== null;

/** The changes with a gap in which a Setup lies. */
const gapsAround = (changes: MergedChange[], { from, to }: Period): ChangeWithGap[] =>
  changes.filter(hasGap).filter(({ gap }) => gap.from <= from && to !== null && to <= gap.to);

/** What changed at the start of a Setup, in sentences. A change with a gap is described where its gap ends. */
const sentencesOf = (changes: MergedChange[], period: Period): Words[] => [
  ...changes.filter(({ at, gap }) => (gap?.to ?? at) === period.from).map(mergedChangeWords),
  ...gapsAround(changes, period)
    .filter(({ gap }) => gap.from === period.from)
    .map(gapSentence),
];

/** The table of all Setups of a Site. @param shown the Setup that the page shows @param at when; null for now */
export function setupTable(
  { shortestId, setups, changes: all }: SiteRecord,
  shown: Setup | undefined,
  hrefAt: (instant: Instant) => string,
  at: Instant | null,
): Html {
  const changes = mergeGaps(all, LONGEST_GAP);
  return html`<section id="setups" aria-labelledby="setups-heading">
    <h2 id="setups-heading">${counted(setups.length, 'Setup')}, latest first</h2>
    <table class="stack">
      ${tableHead('From', 'To', 'Receiver', 'Antenna', 'Changes', 'JSON')}
      <tbody>
        ${setups.toReversed().map((setup) => {
          const { from, to } = setup.effectivePeriod;
          const isInGap = gapsAround(changes, setup.effectivePeriod).length > 0;
          return html`<tr ${setup === shown ? html`class="shown"` : isInGap && html`class="during-gap"`}>
            <td data-label="From"><a href="${hrefAt(from)}">${when(from)}</a></td>
            <td data-label="To">${to === null ? 'open' : when(to)}</td>
            <td data-label="Receiver">${typesOf(setup, 'gnss receiver')}</td>
            <td data-label="Antenna">${typesOf(setup, 'gnss antenna')}</td>
            <td data-label="Changes">${changeList(sentencesOf(changes, setup.effectivePeriod))}</td>
            <td data-label="JSON"><a href="${href(ROOT, itemPathOf(SETUPS), { id: setup.id })}">/setups/${setup.id}</a></td>
          </tr> `;
        })}
      </tbody>
    </table>
    ${renderDownloads(ROOT, 'setups', { site: shortestId, invalidated: false }, 'these Setups')}
    ${renderDownloads(ROOT, 'changes', { site: shortestId }, 'the changes')}
    ${renderSoftwareDownloads(ROOT, { site: shortestId }, at === null ? 'this site' : 'this site at that time', at ?? undefined)}
  </section>`;
}
