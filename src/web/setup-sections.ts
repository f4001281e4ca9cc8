import {
  type EquipmentInUse,
  type EquipmentType,
  type Instant,
  type Period,
  type Setup,
  SETUPS,
} from '../../schemas/index.js';
import { LONGEST_GAP } from '../derive/visits.js';
import { mergeGaps, type MergedChange, staysAt } from '../derive/gaps.js';
import { deviceInWords } from '../words.js';
import { isOf, placesOf, textsOf } from '../findings/findings.js';
import { href, itemPathOf } from '../links.js';
import type { SiteRecord, SiteThen } from '../store/read/sites/sites.js';
import { renderDownloads, renderSoftwareDownloads } from './downloads.js';
import { type ChangeWithGap, changeWords, gapWords } from './change-words.js';
import { equipmentTables } from './equipment.js';
import { findingText, placeOfFinding } from './finding-links.js';
import { foldedLines, renderFold } from './page/folding.js';
import { type Content, type Html, html } from './page/html.js';
import { section } from './page/layout.js';
import { type Column, table } from './page/table.js';
import { typeText } from './type-lists.js';
import {
  counted,
  kindName,
  lengthWords,
  numberWords,
  periodWords,
  shortTime,
  unbroken,
  when,
} from './page/words.js';

/** The sections of a Site page that show Setups. */

const ROOT = '..';

type Finding = SiteRecord['findings'][number];

/**
 * Whether a finding says that the start of an item is unknown, so that the period shown follows
 * from other dates.
 */
function isAboutStart(finding: Finding, { content: { id } }: EquipmentInUse): boolean {
  if (!isOf(finding, 'missing-value')) return false;
  const { kind, members } = finding.values;
  return (
    members.some((each) => each === 'dateInstalled' || each === 'effectiveDates') &&
    kind === id.equipmentType &&
    placesOf(finding).some(({ text }) => text === deviceInWords(id))
  );
}

/**
 * Whether a finding is about an item of equipment that the log has in use. Older items may have the
 * same finding.
 */
function concerns(finding: Finding, { content: { id, configuration } }: EquipmentInUse): boolean {
  if (isOf(finding, 'several-in-use')) return id.equipmentType === finding.values.kind;
  if (isOf(finding, 'radome-missing'))
    return placesOf(finding).some(({ text }) => text === id.type);
  return (
    isOf(finding, 'radome-contradiction') &&
    'radomeType' in configuration &&
    finding.text === configuration.radomeType &&
    finding.values.quoted[0] === id.type?.slice(16)
  );
}

/**
 * What to say about a kind of equipment, below its last item. Of several findings with the same
 * message, the last one.
 * @param isOpen whether the Setup is the current one; of others, only the periods are doubtful
 */
const concerning =
  (record: SiteThen, items: EquipmentInUse[], isFileShown: boolean, isOpen: boolean) =>
  (item: EquipmentInUse): Html[] => {
    const same = items.filter(
      ({ content: { id } }) => id.equipmentType === item.content.id.equipmentType,
    );
    if (item !== same.at(-1)) return [];
    const about = record.findings.filter((finding) =>
      same.some((each) => isAboutStart(finding, each) || (isOpen && concerns(finding, each))),
    );
    const distinct = new Map(about.map((each) => [`${each.code} ${textsOf(each)}`, each]));
    return [...distinct.values()].map((each) =>
      findingText(ROOT, each, placeOfFinding(each, record, isFileShown)),
    );
  };

/** What changed when a Setup that is not the first one of its Site began. */
function changesAtStart(setups: Setup[], changes: MergedChange[], setup: Setup): Content {
  const { effectivePeriod } = setup;
  const sentences = sentencesOf(changes, effectivePeriod);
  if (setup === setups[0] || sentences.length === 0) return null;
  const label = setup === setups.at(-1) ? 'Last change' : 'Changed';
  return html`<p>
    ${label} ${when(effectivePeriod.from)}: ${foldedLines(sentences, MOST_CHANGES)}
  </p>`;
}

/** How long ago a date was, in brackets; empty on that day, and for a date in the future. */
function agoWords(date: string, now: Instant): string {
  const from = `${date}T00:00:00Z`;
  return date < now.slice(0, date.length) ? ` (${lengthWords({ from, to: now })} ago)` : '';
}

/** What limits the trust in the present state: the age of the site log, and its findings. */
function reliability({ siteLog, findings }: SiteRecord, now: Instant): Content {
  if (siteLog === null) return null;
  const { datePrepared } = siteLog;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  const age =
    datePrepared === null
      ? 'The site log does not say when it was prepared.'
      : html`The site log was prepared on
          <time>${datePrepared}</time>${agoWords(datePrepared, now)}. Later changes are not known;
          the equipment is assumed to be unchanged.`;
  return html`<p>
    ${age} The checks of the log gave
    ${
      warnings === 0 ? 'no warnings' : html`<a href="#findings">${counted(warnings, 'warning')}</a>`
    }.
  </p>`;
}

/** The Setup with the site log in which it first appeared, as JSON. */
const provenanceHref = ({ id }: Setup): string =>
  href(ROOT, itemPathOf(SETUPS), { id, query: { projection: 'provenance' } });

/**
 * The section with one Setup.
 * @param setup undefined if there is none at that time
 * @param at the time of the page; null for now
 * @param isFileShown whether findings link to the lines of the file
 * @param now the current time
 * @param controls what leads to other Setups
 */
export function setupSection(
  setup: Setup | undefined,
  at: Instant | null,
  record: SiteThen,
  isFileShown: boolean,
  now: Instant,
  controls: Content,
): Html {
  const heading = at === null ? 'Current Setup' : `Setup at ${shortTime(at)}`;
  if (setup === undefined) {
    const first = record.setups[0]?.effectivePeriod.from;
    const why =
      first === undefined
        ? 'None: the site log gives no dates for its equipment.'
        : html`None yet: the first Setup begins ${when(first)}.`;
    return section('setup', heading, [html`<p>${why}</p>`, controls]);
  }
  const { effectivePeriod, equipmentInUse } = setup;
  const isOpen = effectivePeriod.to === null;
  const changes = mergeGaps(record.changes, LONGEST_GAP);
  const stayOf = staysAt(changes, effectivePeriod.from);
  // Of several receivers, the one that came last is most likely the one that is asked for.
  const latestFirst = equipmentInUse.toSorted(
    (a, b) => Date.parse(stayOf(b).installed) - Date.parse(stayOf(a).installed),
  );
  return section('setup', heading, [
    html`<p>
      In effect ${unbroken(periodWords(effectivePeriod))}.
      ${equipmentInUse.length === 0 && 'No equipment is in use.'}
      <a href="${provenanceHref(setup)}">Which log it comes from</a>
    </p>`,
    changesAtStart(record.setups, changes, setup),
    isOpen && reliability(record, now),
    gapsAround(changes, effectivePeriod).map((change) => html`<p>${gapWords(ROOT, change)}</p>`),
    equipmentTables(
      ROOT,
      latestFirst,
      stayOf,
      concerning(record, latestFirst, isFileShown, isOpen),
    ),
    controls,
  ]);
}

/** How many types a cell shows before it folds the others. */
const MOST_TYPES = 2;

/** The types of a kind of equipment in a Setup. They are no links: most rows repeat them. */
function typesOf({ equipmentInUse }: Setup, kind: EquipmentType): Content {
  const items = equipmentInUse.filter(({ content: { id } }) => id.equipmentType === kind);
  if (items.length === 0) return 'none';
  return foldedLines(
    items.map(({ content: { id } }) => typeText(id.type)),
    MOST_TYPES,
  );
}

/** How many Setups are shown before the others are folded. */
const MOST_SETUPS = 20;
/** How many changes a row shows before it folds the others. */
const MOST_CHANGES = 4;

/** The changes with a gap in which a Setup lies. */
const gapsAround = (changes: MergedChange[], { from, to }: Period): ChangeWithGap[] =>
  changes
    .filter((change): change is ChangeWithGap => change.gap !== null)
    .filter(({ gap }) => gap.from <= from && to !== null && to <= gap.to);

/** Whether a Setup lies in a gap of a change, such as minutes without a receiver. */
export const isInGap = (changes: MergedChange[], { effectivePeriod }: Setup): boolean =>
  gapsAround(changes, effectivePeriod).length > 0;

/**
 * What changed at the start of a Setup, in sentences. A change with a gap is described where its
 * gap ends; where the gap begins, the table says only how long it is.
 */
const sentencesOf = (changes: MergedChange[], period: Period): Content[] => [
  ...changes
    .filter(({ at, gap }) => (gap?.to ?? at) === period.from)
    .map((change) => changeWords(ROOT, change)),
  ...gapsAround(changes, period)
    .filter(({ gap }) => gap.from === period.from)
    .map(({ equipmentType, gap }) => `No ${kindName(equipmentType)} for ${lengthWords(gap)}.`),
];

/**
 * The table of all Setups of a Site.
 * @param shown the Setup that the page shows
 * @param at when; null for now
 */
export function setupTable(
  { shortestId: site, setups, changes: all, asOf }: SiteThen,
  shown: Setup | undefined,
  hrefAt: (instant: Instant) => string,
  at: Instant | null,
): Html {
  const changes = mergeGaps(all, LONGEST_GAP);
  const columns: Column<Setup>[] = [
    ['From', ({ effectivePeriod: { from } }) => html`<a href="${hrefAt(from)}">${when(from)}</a>`],
    ['To', ({ effectivePeriod: { to } }) => (to === null ? 'open' : when(to)), { name: 'rest' }],
    ['Receiver', (setup) => typesOf(setup, 'gnss receiver'), { name: 'type-of' }],
    ['Antenna', (setup) => typesOf(setup, 'gnss antenna'), { name: 'type-of' }],
    [
      'Changes',
      ({ effectivePeriod }) => foldedLines(sentencesOf(changes, effectivePeriod), MOST_CHANGES),
      { name: 'main' },
    ],
  ];
  const rows = (some: Setup[]): Html =>
    table(columns, some, {
      name: 'rows',
      row: (setup) =>
        setup === shown ? html`class="shown"` : isInGap(changes, setup) && html`class="during-gap"`,
    });
  const latest = setups.toReversed();
  // Folding a single row would save nothing.
  const unfolded = latest.length > MOST_SETUPS + 1 ? MOST_SETUPS : latest.length;
  const earlier = latest.slice(unfolded);
  const isShownEarlier = shown !== undefined && earlier.includes(shown);
  return section('setups', `${counted(setups.length, 'Setup')}, latest first`, [
    rows(latest.slice(0, unfolded)),
    earlier.length > 0 &&
      renderFold(`${numberWords(earlier.length)} earlier Setups`, rows(earlier), isShownEarlier),
    renderDownloads(ROOT, 'setups', { site, invalidated: false, asOf }, 'these Setups'),
    renderDownloads(ROOT, 'changes', { site, asOf }, 'the changes'),
    renderSoftwareDownloads(
      ROOT,
      { site, asOf },
      at === null ? 'this site' : 'this site at that time',
      at ?? undefined,
    ),
  ]);
}
