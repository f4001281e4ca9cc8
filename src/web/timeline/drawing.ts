import { ASSUMPTION } from '../page/patterns.js';
import {
  EQUIPMENT_TYPES,
  type InstalledInstrument,
  type Instant,
  type Period,
  type Setup,
} from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { type Content, type Html, html, joined, LINE_FEED } from '../page/html.js';
import { labelsOf, scaleOf, type Span } from '../page/time-scale.js';
import {
  type KindLayout,
  layoutOf,
  type Mark,
  type Run,
  type TimelineItem,
  wholeOf,
} from './layout.js';
import { joinMarks } from './marks.js';
import {
  type Details,
  detailsOf,
  namesOf,
  overlapWords,
  shortNamesOf,
  valueLabelOf,
} from './words.js';
import { changeWords } from '../change-words.js';
import {
  capitalized,
  counted,
  kindName,
  lengthWords,
  periodWords,
  sentence,
  shortConfiguration,
  shortTime,
} from '../page/words.js';
import { cutting, labelsIn, NARROWEST, onlyIn, type View, VIEW_NAMES, VIEWS } from './labels.js';

/**
 * Draws the equipment history of a Site as SVG. Times are percentages of the width and heights are
 * pixels, so that the drawing fits any width and its text stays readable.
 */

/** The content of a timeline. */
export interface Timeline {
  /** At least one, in chronological order. */
  setups: Setup[];
  /** None by default. */
  instruments?: InstalledInstrument[];
  changes: DerivedChange[];
  /** The end of the timeline, unless a Setup starts later. */
  now: Instant;
  /**
   * The day on which the site log was prepared, `YYYY-MM-DD`. Later times are drawn as assumed;
   * null for none.
   */
  prepared: string | null;
  /** The instant to mark; null for none. */
  cursor: Instant | null;
  /** The part of time to draw; null for all. */
  zoom: Span | null;
  /** The URL of the Site page at an instant. */
  hrefAt: (instant: Instant) => string;
  /** If a page has several timelines: what is drawn, and whether this is the first. */
  one?: { label: string; isFirst: boolean };
}

/** The shape and the legend of each mark. */
export const SHAPES: Record<Mark['kind'], [path: string, words: string]> = {
  installed: ['M-4,0H4M0,-4V4', 'installed'],
  removed: ['M-4,-4L4,4M-4,4L4,-4', 'removed'],
  replaced: ['M-5,-4H5L0,5Z', 'replaced by another device'],
  firmware: ['M0,-4A4,4 0 1 1 -0.01,-4Z', 'firmware changed'],
  reconfigured: ['M-3.5,-3.5H3.5V3.5H-3.5Z', 'settings changed'],
  reinstalled: ['M-2.5,-4V4M2.5,-4V4', 'removed and reinstalled'],
};

/** The shape of a mark. */
export const shape = (kind: Mark['kind']): Html =>
  html`<path class="mark ${kind}" d="${SHAPES[kind][0]}" />`;

/** The patterns for gaps and for what is assumed. Their ids are used once in a page. */
const HATCHING = html`<defs>
  <pattern
    id="hatch"
    width="7"
    height="7"
    patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)"
  >
    <rect width="7" height="7" />
    <path d="M0,0V7" />
  </pattern>
  ${ASSUMPTION}
</defs>`;

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

/** The width of the details of a bar, in percent. A narrow window shows hardly more. */
const DETAILS = 33;
/** The width, in percent, below which a bar is hard to point at. */
const NARROW = 0.5;
/** The width, in percent, of the thinnest gap or overlap to point at; the list in words has all. */
const THINNEST = 0.1;

/** The width of a mark with some space, in percent of the narrowest drawing. */
const MARK_WIDTH = (13 / NARROWEST) * 100;
/** The space that the label of an instant takes at the axis, in pixels. */
const AXIS_LABEL = 45;
/** The space that the label of the cursor takes, in percent. */
const CURSOR_LABEL = 15;

const rounded = (percent: number): number => Math.round(percent * 1e3) / 1e3;

const classesOf = (classes: string): Content => classes !== '' && html`class="${classes}"`;

/** The number of marks that are joined. */
const countOf = (marks: number): Html =>
  html`<circle class="mark count" r="6.5" /><text class="count" y="3.5">${marks}</text>`;

/** What a mark stands for. */
const markTitle = ({ change }: Mark): Html =>
  html`${shortTime(change.at)}: ${changeWords(null, change)}`;

/** The most changes that the title of joined marks names. The table of Setups has all. */
const MOST_NAMED = 5;

/** What joined marks stand for, in lines. */
function titleLines(marks: Mark[]): Content[] {
  const lines: Content[] = marks.slice(0, MOST_NAMED).map(markTitle);
  const rest = marks.length - lines.length;
  return rest > 0 ? [...lines, `and ${counted(rest, 'later change')}`] : lines;
}

/** The value below a bar, if it is known. */
function valuesOf(item: TimelineItem): string[] {
  const value = shortConfiguration(item.content);
  return value === null ? [] : [value];
}

/** Whether the log has the device of a bar in use. */
const isOpen = ({ items }: Run): boolean => items.at(-1)!.content.period.to === null;

/** Draws the timeline of one Site. */
export class Drawing {
  readonly kinds: (KindLayout & { top: number })[] = [];
  /** The bars in the order of their numbers, from 1. */
  readonly runs: Run[];
  /** The bars that last beyond the knowledge of the log are hatched from here; null if none is. */
  readonly assumedFrom: Instant | null;
  /** All that there is to draw, of which {@link span} may be a part. */
  readonly whole: Span;
  readonly span: Span;
  private readonly height: number;
  private readonly x: ReturnType<typeof scaleOf>['x'];
  private readonly part: ReturnType<typeof scaleOf>['width'];

  constructor(private readonly timeline: Timeline) {
    this.whole = wholeOf(timeline.setups, timeline.now);
    this.span = timeline.zoom ?? this.whole;
    ({ x: this.x, width: this.part } = scaleOf(this.span));
    let top = timeline.cursor === null ? AXIS : AXIS + CURSOR;
    for (const layout of layoutOf(timeline, EQUIPMENT_TYPES, this.whole, this.span)) {
      this.kinds.push({ ...layout, top });
      top += HEADING + MARKS + Math.max(layout.lanes.length, 1) * LANE + SPACE;
    }
    this.runs = this.kinds.flatMap(({ lanes }) => lanes.flat());
    const known = timeline.prepared === null ? this.span.to : `${timeline.prepared}T00:00:00Z`;
    this.assumedFrom = known < this.span.to && this.runs.some(isOpen) ? known : null;
    this.height = top - SPACE;
  }

  /** A span in words; "since 2011-07-20" if it lasts until the end of the timeline. */
  between({ from, to }: Span): string {
    return periodWords({ from, to: to === this.whole.to ? null : to });
  }

  /**
   * Renders the visible picture first, then transparent targets for the pointer. The details of a
   * bar, which appear below it, are therefore not covered by later bars.
   */
  render(): Html {
    return html`<svg
      class="timeline"
      width="100%"
      height="${this.height}"
      role="group"
      aria-label="${this.timeline.one?.label ?? 'Timeline of the equipment'}"
    >
      ${this.timeline.one?.isFirst !== false && HATCHING}
      <g aria-hidden="true">
        ${this.axis()}${this.kinds.map((kind) => this.picture(kind))}${this.cursor()}
      </g>
      ${this.kinds.map((kind) => this.targets(kind))}
    </svg>`;
  }

  /** Whether some marks are joined. */
  hasJoinedMarks(): boolean {
    return this.kinds.some(({ marks }) => this.joined(marks).length < marks.length);
  }

  /** The marks of a row, joined where they would overlap. */
  private joined(marks: Mark[]): ReturnType<typeof joinMarks> {
    return joinMarks(
      marks.map((mark) => ({ x: this.x(mark.change.at), items: [mark] })),
      MARK_WIDTH,
    );
  }

  private axis(): Html {
    // A label further to the right would not fit on a narrow screen.
    const labels = labelsOf(this.span).filter(({ at }) => this.x(at) < 95);
    const viewsOf = (at: Instant): View[] => {
      const cut = cutting(this.x(at), this.x(at) + (AXIS_LABEL / NARROWEST) * 100);
      return VIEW_NAMES.filter((view) => !cut.includes(view));
    };
    return html`<g class="axis"
      >${labels.map(({ at, label }) => [
        this.line('grid', at),
        html`<text ${classesOf(onlyIn(viewsOf(at)))} x="${this.x(at)}%" dx="3" y="14"
          >${label}</text
        >`,
      ])}</g
    >`;
  }

  private line(name: string, at: Instant): Html {
    return html`<line
      class="${name}"
      x1="${this.x(at)}%"
      x2="${this.x(at)}%"
      y1="0"
      y2="${this.height}"
    />`;
  }

  /** The cursor at the time of the page, or an arrow if that is outside the timeline. */
  private cursor(): Content {
    const { cursor } = this.timeline;
    if (cursor === null) return null;
    const isBefore = cursor < this.span.from;
    const isAfter = cursor > this.span.to;
    const label = [isBefore && '← ', shortTime(cursor), isAfter && ' →'];
    const x = this.x(cursor);
    const isLeft = x > 85 || cutting(x, x + CURSOR_LABEL).length > 0;
    const place = isLeft ? html`dx="-3" text-anchor="end"` : html`dx="3"`;
    return html`<g class="cursor"
      >${!isBefore && !isAfter && this.line('at', cursor)}<text x="${x}%" ${place} y="${AXIS + 8}"
        >${label}</text
      ></g
    >`;
  }

  private rect(name: string, { from, to }: Period, y: number, height: number): Html {
    return html`<rect
      class="${name}"
      x="${this.x(from)}%"
      y="${y}"
      width="${this.part(from, to)}%"
      height="${height}"
    />`;
  }

  /** The label of a bar in each window: the first of some texts that fits. */
  private text(texts: string[], { from, to }: Period, y: number, name: 'name' | '' = ''): Content {
    const left = this.x(from);
    const right = left + this.part(from, to);
    const labels = labelsIn(left, right, texts, from < this.span.from, name);
    return labels.map((label) => {
      const classes = [name, onlyIn(label.views)].filter((each) => each !== '').join(' ');
      const width = rounded(right - label.from);
      return html`<svg x="${rounded(label.from)}%" y="${y}" width="${width}%" height="${DEVICE}">
        <text ${classesOf(classes)} x="4" y="13">${label.text}</text>
      </svg>`;
    });
  }

  /** What follows the Date Prepared of the log in a bar without an end. */
  private assumed(from: Instant, y: number): Content {
    const known = this.assumedFrom;
    return (
      known !== null &&
      this.rect('assumed', { from: known > from ? known : from, to: null }, y, BAR)
    );
  }

  private picture({
    equipmentType,
    marks,
    lanes,
    gaps,
    overlaps,
    top,
  }: Drawing['kinds'][number]): Html {
    const first = top + HEADING + MARKS;
    const bar = (run: Run, y: number): Html => {
      const { items, shade } = run;
      const whole = { from: items[0]!.content.period.from, to: items.at(-1)!.content.period.to };
      return html`<g class="${shade === 1 ? 'run odd' : 'run'}"
        >${[
          this.rect('device', whole, y, DEVICE),
          this.rect('configured', whole, y + DEVICE, CONFIGURATION),
          isOpen(run) && this.assumed(whole.from, y),
          this.text(shortNamesOf(run), whole, y, 'name'),
        ]}${items.map((item, index) => [
          this.text(valuesOf(item), item.content.period, y + DEVICE),
          // The first one begins at the edge of the bar.
          index > 0 &&
            html`<rect
              class="edge"
              x="${this.x(item.content.period.from)}%"
              y="${y + DEVICE}"
              width="1"
              height="${CONFIGURATION}"
            />`,
        ])}</g
      >`;
    };
    const value = valueLabelOf(equipmentType);
    const heading = html`${capitalized(kindName(equipmentType))}s${
      value !== null && html`<tspan class="below">, below: ${value}</tspan>`
    }`;
    return html`<g class="${equipmentType.replaceAll(' ', '-')}"
      >${[
        VIEW_NAMES.map((view) => {
          // A window that scrolls has the heading at both of its ends.
          const classes = `heading ${view === 'wide' ? '' : onlyIn([view])}`.trim();
          return html`<text class="${classes}" x="${rounded(VIEWS[view])}%" y="${top + 14}"
            >${heading}</text
          >`;
        }),
        overlaps.map((overlap) => this.rect('overlap', overlap, first - 5, 5)),
        lanes.map((lane, index) => lane.map((run) => bar(run, first + index * LANE))),
        gaps.map((gap) => this.rect('gap', gap, first, BAR)),
        this.joined(marks).map(
          ({ x, items }) =>
            html`<svg class="at" x="${x}%" y="${top + HEADING + 5}">
              ${items.length === 1 ? shape(items[0]!.kind) : countOf(items.length)}
            </svg>`,
        ),
      ]}</g
    >`;
  }

  /** A target for the pointer with its details, which are shown below it and inside the drawing. */
  private target(
    name: string,
    span: Period,
    y: number,
    height: number,
    [title, text]: Details,
  ): Html {
    const x = Math.max(Math.min(this.x(span.from), 100 - DETAILS), 0);
    const isRight = this.x(span.from) > 100 - DETAILS;
    return html`${this.rect(name, span, y, height)}<foreignObject
        class="${isRight ? 'details end' : 'details'}"
        x="${x}%"
        y="${y + height + 2}"
        width="${DETAILS}%"
        height="1"
        ><div><strong>${title}</strong><br />${text}</div></foreignObject
      >`;
  }

  private spot(span: Span, y: number, height: number, details: Details): Html {
    return html`<g class="spot" tabindex="0" role="img" aria-label="${details.join('. ')}"
      >${this.target('hit', span, y, height, details)}</g
    > `;
  }

  private item(item: TimelineItem, y: number): Html {
    const { period } = item.content;
    const details = detailsOf(item);
    return html`<a
      class="item"
      href="${this.timeline.hrefAt(period.from)}"
      aria-label="${details.join('. ')}"
      >${this.target(this.isNarrow(item) ? 'hit narrow' : 'hit', period, y, BAR, details)}</a
    > `;
  }

  private isNarrow({ content: { period } }: TimelineItem): boolean {
    return this.part(period.from, period.to) < NARROW;
  }

  /**
   * The items of a lane from the bottom to the top. A narrow bar is above both of its neighbours,
   * because its target is wider than itself.
   */
  private stacked(lane: Run[]): TimelineItem[] {
    const stack: TimelineItem[] = [];
    let narrow: TimelineItem[] = [];
    for (const item of lane.flatMap(({ items }) => items)) {
      if (this.isNarrow(item)) {
        narrow.push(item);
        continue;
      }
      stack.push(item, ...narrow);
      narrow = [];
    }
    return [...stack, ...narrow];
  }

  private targets({
    equipmentType,
    marks,
    lanes,
    gaps,
    overlaps,
    top,
  }: Drawing['kinds'][number]): Html {
    const first = top + HEADING + MARKS;
    const isVisible = (span: Span): boolean => this.part(span.from, span.to) >= THINNEST;
    return html`<g
      >${[
        overlaps
          .filter(isVisible)
          .map((each) =>
            this.spot(each, first - 6, 6, [
              `${overlapWords(equipmentType, each)}, ${this.between(each)}`,
              namesOf(each.items),
            ]),
          ),
        gaps
          .filter(isVisible)
          .map((gap) =>
            this.spot(gap, first, BAR, [
              `No ${kindName(equipmentType)} for ${lengthWords(gap)}`,
              sentence(capitalized(this.between(gap))),
            ]),
          ),
        lanes.map((lane, index) =>
          this.stacked(lane).map((item) => this.item(item, first + index * LANE)),
        ),
        this.joined(marks).map(
          ({ x, items }) =>
            html`<svg class="at" x="${x}%" y="${top + HEADING + 5}" aria-hidden="true">
              <rect class="hit" x="-6" y="-6" width="12" height="12" />
              <title>${joined(titleLines(items), LINE_FEED)}</title>
            </svg>`,
        ),
      ]}</g
    >`;
  }
}
