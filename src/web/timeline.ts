import { EQUIPMENT_TYPES, type EquipmentInUse, type EquipmentType, type Instant, type Setup } from '../../schemas/index.js';
import type { DerivedChange } from '../derive/changes.js';
import { type Content, type Html, html } from './html.js';
import { scaleOf, type Span, spanFrom } from './time-scale.js';
import { type KindLayout, layoutOf, type Mark, type Overlap, type Run } from './timeline-layout.js';
import {
  capitalized,
  changeWords,
  configurationSentences,
  counted,
  deviceWords,
  durationWords,
  kindName,
  named,
  notesOf,
  periodWords,
  sentence,
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
const CURSOR = 16;
const HEADING = 20;
const MARKS = 16;
const DEVICE = 20;
const CONFIGURATION = 16;
const BAR = DEVICE + CONFIGURATION;
const LANE = BAR + 6;
const SPACE = 12;

/** The most labels on the axis: they must not touch on a narrow screen. */
const MOST_LABELS = 8;
/** Distances of labels, in months. */
const STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12000];
/** The most characters of details that are shown at a bar; the rest is on the page as of that time. */
const LONGEST_DETAILS = 500;
/** Up to which width, in percent, a bar is hard to point at. */
const NARROW = 0.5;

/** What the marks stand for: shape and words. */
const SHAPES: Record<Mark['kind'], [path: string, words: string]> = {
  installed: ['M-4,0H4M0,-4V4', 'installed'],
  removed: ['M-4,-4L4,4M-4,4L4,-4', 'removed'],
  replaced: ['M-5,-4H5L0,5Z', 'replaced by another device (swap)'],
  firmware: ['M0,-4A4,4 0 1 1 -0.01,-4Z', 'same device, other firmware'],
  reconfigured: ['M-3.5,-3.5H3.5V3.5H-3.5Z', 'same device, other settings'],
  reinstalled: ['M-2.5,-4V4M2.5,-4V4', 'same device, removed and installed again'],
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
  const notes = notesOf(equipment);
  const text = [...configurationSentences(equipment), ...(notes === null ? [] : [`Notes: ${notes}`])].join(' ');
  return {
    title: `${capitalized(kindName(id.equipmentType))} ${deviceWords(id)}, ${periodWords(period)}`,
    text: text.length > LONGEST_DETAILS ? `${text.slice(0, LONGEST_DETAILS)}…` : text,
  };
}

/** What is in use at once, by name. */
const namesOf = (items: EquipmentInUse[]): string => sentence(named(items.map(({ content: { id } }) => deviceWords(id))));

/** An overlap in words. */
function overlapWords(equipmentType: EquipmentType, { items, devices }: Overlap): string {
  const name = kindName(equipmentType);
  return devices === 1 ? `One ${name} listed ${items.length} times at once` : `${counted(devices, name)} in use at once`;
}

/** Draws the timeline of one Site. */
class Drawing {
  readonly kinds: (KindLayout & { top: number })[] = [];
  private readonly height: number;
  private readonly span: Span;
  private readonly x: ReturnType<typeof scaleOf>['x'];
  private readonly part: ReturnType<typeof scaleOf>['width'];

  constructor(private readonly timeline: Timeline) {
    const { setups, changes, now } = timeline;
    this.span = spanFrom(setups[0]!.effectivePeriod.from, now, setups.at(-1)!.effectivePeriod.from);
    ({ x: this.x, width: this.part } = scaleOf(this.span));
    let top = timeline.cursor === null ? AXIS : AXIS + CURSOR;
    for (const layout of layoutOf(setups, changes, EQUIPMENT_TYPES, this.span)) {
      this.kinds.push({ ...layout, top });
      top += HEADING + MARKS + layout.lanes.length * LANE + SPACE;
    }
    this.height = top - SPACE;
  }

  /** "since 2011-07-20" where it goes on until the end. */
  between({ from, to }: Span): string {
    return periodWords({ from, to: to === this.span.to ? null : to });
  }

  /**
   * First what is only seen, then what is pointed at: that is transparent, so that the details of a bar, which stand
   * below it over whatever is there, are covered by no later one.
   */
  render(): Html {
    return html`<svg class="timeline" width="100%" height="${this.height}" role="group" aria-label="Timeline of the equipment">
      <defs>
        <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="7" height="7" />
          <path d="M0,0V7" />
        </pattern>
      </defs>
      <g aria-hidden="true">${this.axis()}${this.kinds.map((kind) => this.picture(kind))}${this.cursor()}</g>
      ${this.kinds.map((kind) => this.targets(kind))}
    </svg>`;
  }

  private line(name: string, percent: number): Html {
    return html`<line class="${name}" x1="${percent}%" x2="${percent}%" y1="0" y2="${this.height}" />`;
  }

  private axis(): Html {
    // One further to the right would not fit a narrow screen.
    const labels = labelsOf(this.span).filter(({ at }) => this.x(at) < 95);
    return html`<g class="axis"
      >${labels.map(({ at, label }) => [this.line('grid', this.x(at)), html`<text x="${this.x(at)}%" dx="3" y="14">${label}</text>`])}</g
    >`;
  }

  /** The instant to which the page belongs; an arrow where that is outside. */
  private cursor(): Content {
    const { cursor } = this.timeline;
    if (cursor === null) return null;
    const percent = this.x(cursor);
    const label = cursor < this.span.from ? `← ${shortTime(cursor)}` : cursor > this.span.to ? `${shortTime(cursor)} →` : shortTime(cursor);
    const place = percent > 85 ? html`x="${percent}%" dx="-3" text-anchor="end"` : html`x="${percent}%" dx="3"`;
    return html`<g class="cursor"
      >${label === shortTime(cursor) && this.line('at', percent)}<text ${place} y="${AXIS + 8}">${label}</text></g
    >`;
  }

  private rect(name: string, { from, to }: { from: Instant; to: Instant | null }, y: number, height: number): Html {
    return html`<rect class="${name}" x="${this.x(from)}%" y="${y}" width="${this.part(from, to)}%" height="${height}" />`;
  }

  /** A text that is cut off where its time ends. */
  private text(text: string | null, { from, to }: { from: Instant; to: Instant | null }, y: number, name = ''): Content {
    return (
      text !== null &&
      html`<svg x="${this.x(from)}%" y="${y}" width="${this.part(from, to)}%" height="${DEVICE}">
        <text class="${name}" x="4" y="13">${text}</text>
      </svg>`
    );
  }

  private picture({ equipmentType, marks, lanes, gaps, overlaps, top }: Drawing['kinds'][number]): Html {
    const first = top + HEADING + MARKS;
    const bar = ({ items, shade }: Run, y: number): Html => {
      const { id, period } = items[0]!.content;
      const whole = { from: period.from, to: items.at(-1)!.content.period.to };
      const name =
        id.equipmentType === 'clock' ? typeWords(id.type) : `${typeWords(id.type)} · ${id.serialNumber ?? 'serial number unknown'}`;
      return html`<g class="${shade === 1 ? 'run odd' : 'run'}"
        >${this.rect('device', whole, y, DEVICE)}${this.rect('configured', whole, y + DEVICE, CONFIGURATION)}${this.text(name, whole, y, 'name')}${items.map(
          (item) => [
            this.text(shortConfiguration(item), item.content.period, y + DEVICE),
            html`<rect class="edge" x="${this.x(item.content.period.from)}%" y="${y + DEVICE}" width="1" height="${CONFIGURATION}" />`,
          ],
        )}</g
      >`;
    };
    return html`<g class="${equipmentType.replaceAll(' ', '-')}"
      ><text class="heading" x="0" y="${top + 14}">${capitalized(kindName(equipmentType))}s</text>${[
        overlaps.map((overlap) => this.rect('overlap', overlap, first - 5, 5)),
        lanes.map((lane, index) => lane.map((run) => bar(run, first + index * LANE))),
        gaps.map((gap) => this.rect('gap', gap, first, BAR)),
        marks.map(({ at, kind }) => html`<svg class="at" x="${this.x(at)}%" y="${top + HEADING + 5}">${shape(kind)}</svg>`),
      ]}</g
    >`;
  }

  /** What is read at a place of the timeline, below it. */
  private details(title: string, text: string, at: Instant, y: number): Html {
    return html`<foreignObject class="${this.x(at) > 50 ? 'details end' : 'details'}" x="0" y="${y}" width="100%" height="1"
      ><div><strong>${title}</strong><br />${text}</div></foreignObject
    >`;
  }

  private targets({ equipmentType, marks, lanes, gaps, overlaps, top }: Drawing['kinds'][number]): Html {
    const name = kindName(equipmentType);
    const first = top + HEADING + MARKS;
    const item = (equipment: EquipmentInUse, y: number, again: boolean): Html => {
      const { period } = equipment.content;
      const { title, text } = detailsOf(equipment);
      return html`<a
        class="item"
        href="${this.timeline.hrefAt(period.from)}"
        ${again ? html`tabindex="-1" aria-hidden="true"` : html`aria-label="${`${title}. ${text}`}"`}
        >${this.rect(again ? 'hit narrow' : 'hit', period, y, BAR)}${this.details(title, text, period.from, y + BAR + 2)}</a
      > `;
    };
    const spot = (span: Span, y: number, height: number, title: string, text: string): Html =>
      html`<g class="spot" tabindex="0" role="img" aria-label="${`${title}. ${text}`}"
        >${this.rect('hit', span, y, height)}${this.details(title, text, span.from, y + height + 2)}</g
      > `;
    const items = lanes.flatMap((lane, index) => lane.flatMap((run) => run.items.map((each) => [each, first + index * LANE] as const)));
    return html`<g
      >${[
        overlaps.map((each) =>
          spot(each, first - 6, 6, `${overlapWords(equipmentType, each)}, ${this.between(each)}`, namesOf(each.items)),
        ),
        items.map(([each, y]) => item(each, y, false)),
        gaps.map((gap) => {
          const length = durationWords(Date.parse(gap.to) - Date.parse(gap.from));
          return spot(gap, first, BAR, `No ${name} for ${length}`, sentence(capitalized(this.between(gap))));
        }),
        // Once more, above their neighbours: what is a few pixels wide could not be pointed at.
        items
          .filter(
            ([
              {
                content: { period },
              },
            ]) => this.part(period.from, period.to) < NARROW,
          )
          .map(([each, y]) => item(each, y, true)),
        marks.map(
          ({ at, changes }) =>
            html`<svg class="at" x="${this.x(at)}%" y="${top + HEADING + 5}" aria-hidden="true">
              <rect class="hit" x="-6" y="-6" width="12" height="12" />
              <title>${changes.map((change) => `${shortTime(change.at)}: ${changeWords(change)} `)}</title>
            </svg>`,
        ),
      ]}</g
    >`;
  }
}

/** The timeline with its legend; nothing where no equipment is in use at any time. */
export function renderTimeline(timeline: Timeline): Html {
  const drawing = new Drawing(timeline);
  const { kinds } = drawing;
  if (kinds.length === 0) return html`<p>The site log dates no equipment that was in use for any time.</p>`;
  const shown = new Set(kinds.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  const swatch = (name: string, y: number, height: number, words: string): Html =>
    html`<li>
      <svg width="20" height="12" aria-hidden="true"><rect class="${name}" y="${y}" width="20" height="${height}" /></svg> ${words}
    </li> `;
  return html`<p class="hint">Point at a bar, or go to it by the Tab key, to read about it; open it for the page as of then.</p>
    ${drawing.render()}
    <ul class="legend">
      ${Object.entries(SHAPES).flatMap(([name, [, words]]) => {
        const mark = name as Mark['kind'];
        const picture = html`<svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">${shape(mark)}</svg>`;
        return shown.has(mark) ? [html`<li>${picture} ${words}</li> `] : [];
      })}
      ${kinds.some(({ gaps }) => gaps.length > 0) && swatch('gap', 0, 12, 'none in use')}
      ${kinds.some(({ overlaps }) => overlaps.length > 0) && swatch('overlap', 4, 5, 'several at once')}
    </ul>
    ${gapsAndOverlaps(drawing)}`;
}

/** The gaps and overlaps in words. */
function gapsAndOverlaps(drawing: Drawing): Content {
  const lines = drawing.kinds.flatMap(({ equipmentType, gaps, overlaps }) => [
    ...gaps.map((gap) => {
      const length = durationWords(Date.parse(gap.to) - Date.parse(gap.from));
      return `No ${kindName(equipmentType)} ${drawing.between(gap)} (${length}).`;
    }),
    ...overlaps.map((each) => `${overlapWords(equipmentType, each)} ${drawing.between(each)}: ${namesOf(each.items)}`),
  ]);
  if (lines.length === 0) return null;
  return html`<details>
    <summary>Gaps and overlaps (${lines.length})</summary>
    <ul>
      ${lines.map((line) => html`<li>${line}</li> `)}
    </ul>
  </details>`;
}
