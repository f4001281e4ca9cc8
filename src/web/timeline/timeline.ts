import { type Content, type Html, html, list } from '../page/html.js';
import { Drawing, shape, SHAPES, type Timeline } from './drawing.js';
import { itemsBefore, type Mark } from './layout.js';
import { namesOf, overlapWords } from './words.js';
import {
  kindName,
  lengthWords,
  named,
  typeWords,
  unbroken,
  useWords,
  when,
} from '../page/words.js';

/** How to use the timeline. */
const HINT = html`<p class="hint how">
  Click or tap a bar to see the Setup at its time. For details, point at it, or move to it with the
  Tab key.
</p>`;

/** What the hatched part of the bars means. @param prepared when the log was prepared */
const assumption = (prepared: Content): Html =>
  html`<p>
    The site log was prepared on ${prepared}. Bars are hatched after that day: they assume that
    nothing has changed.
  </p>`;

/** An entry of the legend. */
const swatch = (name: string, y: number, height: number, words: string): Html =>
  html`<li>
    <svg width="20" height="12" aria-hidden="true">
      <rect class="${name}" y="${y}" width="20" height="${height}" />
    </svg>
    ${words}
  </li> `;

/** The legend of one or more drawings. */
function legend(drawings: Drawing[]): Html {
  const kinds = drawings.flatMap((drawing) => drawing.kinds);
  const shown = new Set(kinds.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  const hasJoined = drawings.some((drawing) => drawing.hasJoinedMarks());
  const hasGaps = kinds.some(({ gaps }) => gaps.length > 0);
  const hasOverlaps = kinds.some(({ overlaps }) => overlaps.length > 0);
  return html`<ul class="legend">
    ${Object.entries(SHAPES).flatMap(([name, [, words]]) => {
      const mark = name as Mark['kind'];
      const picture = html`<svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
        ${shape(mark)}
      </svg>`;
      return shown.has(mark) ? [html`<li>${picture} ${words}</li> `] : [];
    })}
    ${hasJoined && html`<li>a number: several changes that are close to each other</li> `}
    ${hasGaps && swatch('gap', 0, 12, 'none in use')}
    ${hasOverlaps && swatch('overlap', 4, 5, 'several in use')}
    ${
      drawings.some(({ assumedFrom }) => assumedFrom !== null) &&
      swatch('assumed', 0, 12, 'assumed')
    }
  </ul>`;
}

/** What began before the first receiver and antenna, and so before the timeline. */
function leftOut(timeline: Timeline, { whole }: Drawing): Content {
  const items = itemsBefore(timeline, whole);
  if (timeline.zoom !== null || items.length === 0) return null;
  const words = items.map(
    ({ content: { id, period } }) =>
      `${kindName(id.equipmentType)} ${typeWords(id.type)} (${useWords(period)})`,
  );
  return html`<p>
    The timeline begins ${when(whole.from)}, with the first receiver or antenna. It leaves out what
    was in use before: ${unbroken(named(words))}.
  </p>`;
}

/** What follows a drawing in words. */
const remarks = (timeline: Timeline, drawing: Drawing): Content => [
  drawing.assumedFrom !== null && assumption(when(drawing.assumedFrom)),
  leftOut(timeline, drawing),
  gapsAndOverlaps(drawing),
];

const frame = (drawing: Drawing): Html => html`<div class="frame">${drawing.render()}</div>`;

/** The timeline with its legend, or a sentence if there is nothing to draw. */
export function renderTimeline(timeline: Timeline): Html {
  const drawing = new Drawing(timeline);
  if (drawing.kinds.length === 0)
    return html`<p>The site log has no equipment with a known period of use.</p>`;
  return html`${HINT} ${frame(drawing)} ${legend([drawing])} ${remarks(timeline, drawing)}`;
}

/** Several timelines with one legend. @param timelines with their headings, at least one */
export function renderTimelines(timelines: [heading: Content, Timeline][]): Html {
  const drawings = timelines.map(([, timeline]) => new Drawing(timeline));
  return html`${HINT} ${legend(drawings)}
  ${timelines.map(([heading, timeline], index) => [
    heading,
    frame(drawings[index]!),
    remarks(timeline, drawings[index]!),
  ])}`;
}

/** The gaps and overlaps as a list in words. */
function gapsAndOverlaps(drawing: Drawing): Content {
  const lines = drawing.kinds.flatMap(({ equipmentType, gaps, overlaps }) => [
    ...gaps.map(
      (gap) => `No ${kindName(equipmentType)} ${drawing.between(gap)} (${lengthWords(gap)}).`,
    ),
    ...overlaps.map(
      (each) =>
        `${overlapWords(equipmentType, each)} ${drawing.between(each)}: ${namesOf(each.items)}`,
    ),
  ]);
  return (
    lines.length > 0 &&
    html`<details>
      <summary>Gaps and overlaps (${lines.length})</summary>
      ${list(lines)}
    </details>`
  );
}
