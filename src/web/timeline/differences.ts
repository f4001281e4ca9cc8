import type { Comparison, Setup } from '../../../schemas/index.js';
import { compareSetups } from '../../derive/compare-setups.js';
import { setupAt } from '../../derive/setup-at.js';
import { renderFold } from '../page/folding.js';
import { type Html, html, list } from '../page/html.js';
import { labelsOf, scaleOf, type Span } from '../page/time-scale.js';
import { counted, periodWords } from '../page/words.js';

/** When Sites differed in their equipment, on one axis. */

/** What is compared over time, and its words. */
const ROWS = [
  { kind: 'gnss receiver', property: 'type', words: 'Receiver type' },
  { kind: 'gnss receiver', property: 'firmwareVersion', words: 'Firmware' },
  { kind: 'gnss antenna', property: 'type', words: 'Antenna type' },
  { kind: 'gnss antenna', property: 'markerArpUpEccentricity', words: 'Antenna height' },
] as const;
type Row = (typeof ROWS)[number];

/** Heights in pixels. */
const AXIS = 20;
const ROW = 32;
const BAR = 10;

/** Whether Setups that all have the item differ in a property. */
const differ = (equipment: Comparison['equipment'], { kind, property }: Row): boolean =>
  equipment.some(
    ({ equipmentType, since, properties }) =>
      equipmentType === kind &&
      !since.includes(null) &&
      properties.some((each) => each.property === property && each.differs),
  );

/** When Sites differ, while each of them has a Setup. */
function differencesOf(sites: Setup[][], axis: Span): { row: Row; spans: Span[] }[] {
  const bounds = sites.flat().flatMap(({ effectivePeriod: { from, to } }) => [from, to ?? axis.to]);
  const inside = bounds.filter((instant) => instant > axis.from && instant < axis.to);
  const instants = [...new Set([axis.from, ...inside, axis.to])].sort();
  const found = ROWS.map((row) => ({ row, spans: [] as Span[] }));
  instants.slice(0, -1).forEach((from, index) => {
    const setups = sites.map((each) => setupAt(each, from));
    if (setups.includes(undefined)) return;
    const equipment = compareSetups(setups);
    const to = instants[index + 1]!;
    for (const { row, spans } of found) {
      if (!differ(equipment, row)) continue;
      const last = spans.at(-1);
      if (last?.to === from) last.to = to;
      else spans.push({ from, to });
    }
  });
  return found;
}

/** The differences as bars, and as a list. @param sites the Setups of each Site */
export function renderDifferences(sites: Setup[][], axis: Span): Html {
  const { x, width } = scaleOf(axis);
  const rows = differencesOf(sites, axis);
  const height = AXIS + rows.length * ROW;
  const labels = labelsOf(axis).filter(({ at }) => x(at) < 95);
  const lines = rows.flatMap(({ row: { words }, spans }) =>
    spans.map(
      ({ from, to }) => `${words}: ${periodWords({ from, to: to === axis.to ? null : to })}`,
    ),
  );
  return html`<svg class="timeline over-time" width="100%" height="${height}" aria-hidden="true">
      <g class="axis">
        ${labels.map(
          ({ at, label }) =>
            html`<line class="grid" x1="${x(at)}%" x2="${x(at)}%" y1="0" y2="${height}" /><text
                x="${x(at)}%"
                dx="3"
                y="14"
                >${label}</text
              >`,
        )}
      </g>
      ${rows.map(({ row, spans }, index) => {
        const top = AXIS + index * ROW;
        return html`<text class="heading" y="${top + 12}">${row.words} differs</text> ${spans.map(
            ({ from, to }) =>
              html`<rect
                class="differing"
                x="${x(from)}%"
                y="${top + 16}"
                width="${width(from, to)}%"
                height="${BAR}"
              />`,
          )}`;
      })}
    </svg>
    ${
      lines.length === 0
        ? html`<p>They never differed in these.</p>`
        : renderFold(counted(lines.length, 'period') + ' with a difference', list(lines))
    }`;
}
