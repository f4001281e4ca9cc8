import { type Content, type Html, html } from './html.js';

/** A column of a table. Its cell is null for an item to which it does not apply. */
export type Column<T> = [
  label: string,
  cell: (item: T) => Content,
  /** The class of its cells, and whether they name their rows. */
  special?: { name?: string; isHeader?: boolean },
];

interface TableOptions<T> {
  caption?: Content;
  /** The class of the table. */
  name?: string;
  /** The attributes of the row of an item. */
  row?: (item: T) => Content;
  /** The header of a column, if it is more than its name. */
  head?: (label: string, index: number) => Html;
  /** What follows an item in a row of its own; nothing for most. */
  after?: (item: T) => Content[];
}

const classOf = (name: string | undefined): Content => name !== undefined && html` class="${name}"`;

/** Renders the cells of a column. What all of them share is rendered once. */
function cellsOf<T>(
  [label, cell, { name, isHeader } = {}]: Column<T>,
  isLabelled: boolean,
): (item: T) => Html {
  const of = isLabelled && html` data-label="${label}"`;
  const none = html`<td class="none" ${of}>–</td>`;
  const attributes = html`${classOf(name)}${of}`;
  return (item) => {
    const content = cell(item);
    if (content === null) return none;
    return isHeader
      ? html`<th scope="row" ${attributes}>${content}</th>`
      : html`<td${attributes}>${content}</td>`;
  };
}

/**
 * The header of a column by which a table can be sorted.
 * @param url of the table in that order
 * @param sort the order of the table now; null if it is that of another column
 * @param name the class of its cells
 */
export const sortableHead = (
  label: string,
  url: string,
  sort: { descending: boolean } | null,
  name?: string,
): Html =>
  html`<th
    scope="col"
    ${classOf(headClass(name))}
    ${sort !== null && html`aria-sort="${sort.descending ? 'descending' : 'ascending'}"`}
  >
    <a href="${url}">${label}</a>
  </th> `;

/** The class of the header of a column: some cells need the same. */
const headClass = (name: string | undefined): string | undefined =>
  name === 'bar' || name?.startsWith('number') ? name : undefined;

/** The header of a column with its name, aligned as its cells; an empty cell if it has none. */
const plainHead =
  <T>(columns: Column<T>[]) =>
  (label: string, index: number): Html =>
    label === ''
      ? html`<td ${classOf(headClass(columns[index]![2]?.name))}></td>`
      : html`<th scope="col" ${classOf(headClass(columns[index]![2]?.name))}>${label}</th>`;

/**
 * A table with a row for each item. On a narrow screen, the class `rows` makes each row two lines:
 * the cells of the classes `main` and `second` are on the second one, those of the class `rest`
 * appear while the row is pointed at. The class `stack` makes each row a list of its cells.
 */
export function table<T>(
  columns: Column<T>[],
  items: readonly T[],
  options: TableOptions<T> = {},
): Html {
  const { caption, name = 'stack', row, after } = options;
  const head = options.head ?? plainHead(columns);
  // The style of these classes, and of no other, shows the labels.
  const isLabelled = /^(stack|rows)/.test(name);
  const cells = columns.map((column) => cellsOf(column, isLabelled));
  const rows = items.map((item) => {
    const attributes = row?.(item);
    const more = after?.(item) ?? [];
    return [
      html`<tr${attributes && html` ${attributes}`}>
        ${cells.map((cellOf) => cellOf(item))}
      </tr> `,
      more.length > 0 &&
        html`<tr class="findings">
          <td colspan="${columns.length}">${more}</td>
        </tr> `,
    ];
  });
  return html`<table class="${name}">
    ${
      caption !== undefined &&
      html`<caption>
        ${caption}
      </caption>`
    }
    <thead>
      <tr>
        ${columns.map(([label], index) => head(label, index))}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
