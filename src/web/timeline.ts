import { EQUIPMENT_TYPES, type EquipmentInUse, type Instant, type Setup } from '../../schemas/index.js';
import type { DerivedChange } from '../derive-changes.js';
import { type Content, type Html, html } from './html.js';
import { type KindLayout, layoutOf, type Mark, type Run } from './timeline-layout.js';
import { scaleOf, type Span, spanFrom } from './time-scale.js';
import {
  capitalized,
  changeWords,
  configurationSentences,
  counted,
  deviceWords,
  durationWords,
  kindName,
  listed,
  periodWords,
  shortConfiguration,
  shortTime,
  typeWords,
} from './words.js';

/**
 * The equipment of a Site over the years as SVG. Times are percentages of the width and heights are pixels, so that it
 * fits any width with text that stays readable.
 */

/** What a timeline shows. */
export interface Timeline {
  /** In order of time; at least one. */
  setups: Setup[];
  changes: DerivedChange[];
  /** The end of the timeline where nothing is later. */
  now: Instant;
  /** The instant to mark; null: none. */
  cursor: Instant | null;
  /** The URL of the page as of an instant. */
  hrefAt: (instant: Instant) => string;
}

/** Heights in pixels. */
const AXIS = 22;
const HEADING = 20;
const MARKS = 16;
const DEVICE = 20;
const CONFIGURATION = 16;
const LANE = DEVICE + CONFIGURATION + 6;
const SPACE = 12;
const DETAILS = 100;

/** The most labels on the axis: they must not touch on a narrow screen. */
const MOST_LABELS = 8;
/** Distances of labels, in months. */
const STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12000];
/** The most characters of details that are shown at a bar; the rest is on the page as of that time. */
const LONGEST_DETAILS = 380;

/** What the marks stand for: shape and words. */
const SHAPES: Record<Mark['kind'], [path: string, words: string]> = {
  installed: ['M-4,0H4M0,-4V4', 'installed'],
  removed: ['M-4,-4L4,4M-4,4L4,-4', 'removed'],
  replaced: ['M-5,-4H5L0,5Z', 'replaced by another device (swap)'],
  firmware: ['M0,-4A4,4 0 1 1 -0.01,-4Z', 'same device, other firmware'],
  reconfigured: ['M-3.5,-3.5H3.5V3.5H-3.5Z', 'same device, other settings'],
};

const shape = (kind: Mark['kind']): Html => html`<path class="mark ${kind}" d="${SHAPES[kind][0]}" />`;

/** The labels of the axis: years, or months where they are few. */
export function labelsOf({ from, to }: Span): { at: Instant; label: string }[] {
  const monthOf = (instant: Instant): number => Number(instant.slice(0, 4)) * 12 + Number(instant.slice(5, 7)) - 1;
  const [first, last] = [monthOf(from) + (from.slice(8, 19) > '01T00:00:00' ? 1 : 0), monthOf(to)];
  const step = STEPS.find((each) => (last - first) / each < MOST_LABELS) ?? STEPS.at(-1)!;
  const labels = [];
  for (let month = Math.ceil(first / step) * step; month <= last; month += step) {
    const [year, number] = [String(Math.floor(month / 12)).padStart(4, '0'), String((month % 12) + 1).padStart(2, '0')];
    labels.push({ at: `${year}-${number}-01T00:00:00Z`, label: step < 12 ? `${year}-${number}` : year });
  }
  return labels;
}

/** What is to be read at a bar. */
function detailsOf(equipment: EquipmentInUse): { title: string; text: string } {
  const { id, period } = equipment.content;
  const text = configurationSentences(equipment).join(' ');
  return {
    title: `${capitalized(kindName(id.equipmentType))} ${deviceWords(id)}, ${periodWords(period)}`,
    text: text.length > LONGEST_DETAILS ? `${text.slice(0, LONGEST_DETAILS)}…` : text,
  };
}

/** The timeline with its legend. */
export function renderTimeline({ setups, changes, now, cursor, hrefAt }: Timeline): Html {
  const span = spanFrom(setups[0]!.effectivePeriod.from, now, setups.at(-1)!.effectivePeriod.from);
  const { x, width: part } = scaleOf(span);
  const kinds = layoutOf(setups, changes, EQUIPMENT_TYPES, span);
  const tops: number[] = [];
  let bottom = AXIS;
  for (const { lanes } of kinds) {
    tops.push(bottom);
    bottom += HEADING + MARKS + lanes.length * LANE + SPACE;
  }

  const width = (from: Instant, to: Instant | null): string => `${part(from, to)}%`;
  // What is read at a bar stands below all of them, so that no later bar covers it.
  const details = (title: string, text: string): Html =>
    html`<foreignObject class="details" x="0" y="${bottom}" width="100%" height="${DETAILS}"
      ><div><strong>${title}</strong><br />${text}</div></foreignObject
    >`;

  const spot = (kind: string, { from, to }: Span, y: number, height: number, title: string, text: string): Html =>
    html`<g class="spot" tabindex="0" role="img" aria-label="${`${title}. ${text}`}"
      ><rect class="${kind}" x="${x(from)}%" y="${y}" width="${width(from, to)}" height="${height}" />${details(title, text)}</g
    >`;

  const run = ({ items, shade }: Run, y: number): Content => {
    const { id, period } = items[0]!.content;
    const end = items.at(-1)!.content.period.to;
    const name =
      id.equipmentType === 'clock' ? typeWords(id.type) : `${typeWords(id.type)} · ${id.serialNumber ?? 'serial number unknown'}`;
    return html`<svg
      class="run ${shade === 1 && 'odd'}"
      x="${x(period.from)}%"
      y="${y}"
      width="${width(period.from, end)}"
      height="${DEVICE + CONFIGURATION}"
      aria-hidden="true"
    >
      <rect class="device" width="100%" height="${DEVICE}" />
      <rect class="configured" y="${DEVICE}" width="100%" height="${CONFIGURATION}" />
      <text x="4" y="14">${name}</text>
    </svg>`;
  };

  const item = (equipment: EquipmentInUse, y: number): Content => {
    const { period } = equipment.content;
    const { title, text } = detailsOf(equipment);
    const [left, wide] = [`${x(period.from)}%`, width(period.from, period.to)];
    return html`<a class="item" href="${hrefAt(period.from)}" aria-label="${`${title}. ${text}`}"
      ><svg x="${left}" y="${y + DEVICE}" width="${wide}" height="${CONFIGURATION}">
        <text x="4" y="12">${shortConfiguration(equipment)}</text></svg
      ><rect class="edge" x="${left}" y="${y + DEVICE}" width="1" height="${CONFIGURATION}" /><rect
        class="hit"
        x="${left}"
        y="${y}"
        width="${wide}"
        height="${DEVICE + CONFIGURATION}"
      />${details(title, text)}</a
    > `;
  };

  const kind = ({ equipmentType, marks, lanes, gaps, overlaps }: KindLayout, top: number): Html => {
    const name = kindName(equipmentType);
    const first = top + HEADING + MARKS;
    return html`<g class="kind ${equipmentType.replaceAll(' ', '-')}"
      ><text class="heading" x="0" y="${top + 14}">${capitalized(name)}s</text> ${overlaps.map((overlap) => {
        const title = `${counted(overlap.items.length, name)} in use at once, ${shortTime(overlap.from)} to ${shortTime(overlap.to)}`;
        return spot('overlap', overlap, first - 5, 5, title, listed(overlap.items.map(({ content: { id } }) => deviceWords(id))));
      })}
      ${lanes.map((lane, index) => {
        const y = first + index * LANE;
        return [lane.map((each) => run(each, y)), lane.flatMap(({ items }) => items).map((each) => item(each, y))];
      })}
      ${gaps.map((gap) => {
        const length = durationWords(Date.parse(gap.to) - Date.parse(gap.from));
        return spot(
          'gap',
          gap,
          first,
          DEVICE + CONFIGURATION,
          `No ${name} for ${length}`,
          `${shortTime(gap.from)} to ${shortTime(gap.to)}`,
        );
      })}
      ${marks.map(
        (mark) =>
          html`<svg class="at" x="${x(mark.at)}%" y="${top + HEADING + 5}" aria-hidden="true">
            ${shape(mark.kind)}
            <title>${mark.changes.map((change) => `${shortTime(change.at)}: ${changeWords(change)} `)}</title>
          </svg> `,
      )}</g
    >`;
  };

  const anchored = (percent: number): Html =>
    percent > 90 ? html`x="${percent}%" dx="-3" text-anchor="end"` : html`x="${percent}%" dx="3"`;
  // One further to the right would not fit a narrow screen.
  const labels = labelsOf(span).filter(({ at }) => x(at) < 95);
  const vertical = (name: string, percent: number): Html =>
    html`<line class="${name}" x1="${percent}%" x2="${percent}%" y1="0" y2="${bottom - SPACE}" />`;

  const shown = new Set(kinds.flatMap(({ marks }) => marks.map((mark) => mark.kind)));
  return html`<svg class="timeline" width="100%" height="${bottom + DETAILS}" role="group" aria-label="Timeline of the equipment">
      <defs>
        <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="7" height="7" />
          <path d="M0,0V7" />
        </pattern>
      </defs>
      <g class="axis" aria-hidden="true">
        ${labels.map(({ at, label }) => [vertical('grid', x(at)), html`<text x="${x(at)}%" dx="3" y="14">${label}</text>`])}
      </g>
      <foreignObject class="hint" x="0" y="${bottom}" width="100%" height="${DETAILS}" aria-hidden="true"
        ><div>Point at a bar, or go to it by the Tab key, to read about it here; open it for the page as of then.</div></foreignObject
      >
      ${kinds.map((each, index) => kind(each, tops[index]!))}
      ${
        cursor !== null &&
        html`<g class="cursor">${vertical('at', x(cursor))}<text ${anchored(x(cursor))} y="${AXIS + 10}">${shortTime(cursor)}</text></g>`
      }
    </svg>
    <ul class="legend">
      ${Object.entries(SHAPES).flatMap(([name, [, words]]) => {
        const mark = name as Mark['kind'];
        return shown.has(mark)
          ? [html`<li><svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">${shape(mark)}</svg> ${words}</li> `]
          : [];
      })}
      ${
        kinds.some(({ gaps }) => gaps.length > 0) &&
        html`<li>
          <svg width="20" height="12" aria-hidden="true"><rect class="gap" width="20" height="12" /></svg> none in use
        </li> `
      }
      ${
        kinds.some(({ overlaps }) => overlaps.length > 0) &&
        html`<li>
          <svg width="20" height="12" aria-hidden="true"><rect class="overlap" y="4" width="20" height="5" /></svg> several at once
        </li>`
      }
    </ul>
    ${gapsAndOverlaps(kinds)}`;
}

/** The gaps and overlaps in words. */
function gapsAndOverlaps(kinds: KindLayout[]): Content {
  const lines = kinds.flatMap(({ equipmentType, gaps, overlaps }) => {
    const name = kindName(equipmentType);
    const between = ({ from, to }: Span): string => `${shortTime(from)} to ${shortTime(to)}`;
    return [
      ...gaps.map((gap) => `No ${name} ${between(gap)} (${durationWords(Date.parse(gap.to) - Date.parse(gap.from))}).`),
      ...overlaps.map(
        (each) =>
          `${counted(each.items.length, name)} at once ${between(each)}: ${listed(each.items.map(({ content: { id } }) => deviceWords(id)))}.`,
      ),
    ];
  });
  if (lines.length === 0) return null;
  return html`<details>
    <summary>Gaps and overlaps (${lines.length})</summary>
    <ul>
      ${lines.map((line) => html`<li>${line}</li> `)}
    </ul>
  </details>`;
}
