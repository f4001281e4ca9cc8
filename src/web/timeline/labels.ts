/** The labels of the bars in a drawing: windows of different sizes show different ones. */

/** The width of the narrowest drawing, in pixels: what windows of 320 and of 864 pixels have. */
export const NARROWEST = 834;
/**
 * Where windows of three sizes begin to show a drawing, in percent of its width. Smaller ones show
 * its end first and scroll to the rest: the style sheet makes a drawing one and a half times and
 * three times as wide as them. Whatever crosses that place is labelled there once more, and a class
 * hides each label where it would be cut.
 */
export const VIEWS = { wide: 0, middle: 100 / 3, narrow: 200 / 3 } as const;
export type View = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as View[];

/** The classes that hide a label in all windows but some. */
export const onlyIn = (views: View[]): string =>
  VIEW_NAMES.filter((view) => !views.includes(view))
    .map((view) => `not-${view}`)
    .join(' ');

/** The views that would cut a text from one place to another, in percent. */
export const cutting = (from: number, to: number): View[] =>
  VIEW_NAMES.filter((view) => from < VIEWS[view] && VIEWS[view] < to);

/** A label of a bar, and the windows that show it. */
interface Label {
  text: string;
  /** In percent. */
  from: number;
  views: View[];
}

/** A generous width of a character of a device name, in pixels. */
const NAME_CHARACTER = 8.2;
/** A generous width of a character of other text, in pixels. */
const CHARACTER = 7;
/** The space on both sides of a text, in pixels. */
const PADDING = 8;

/**
 * The first of some texts that fits a width.
 * @param width in percent
 * @param isCut whether the bar began before
 */
function fitting(
  texts: string[],
  width: number,
  isCut: boolean,
  name: 'name' | '',
): string | undefined {
  const character = name === 'name' ? NAME_CHARACTER : CHARACTER;
  const space = (width / 100) * NARROWEST - PADDING;
  const written = isCut ? texts.map((each) => `← ${each}`) : texts;
  return written.find((each) => each.length * character <= space);
}

/**
 * The labels of a bar from one place to another, in percent: in each window the first of some texts
 * that fits; none if none does, because half a word would mislead.
 * @param isCut whether the bar begins before the drawing, which its labels say
 */
export function labelsIn(
  left: number,
  right: number,
  texts: string[],
  isCut: boolean,
  name: 'name' | '',
): Label[] {
  const labels: Label[] = [];
  for (const view of VIEW_NAMES) {
    const start = VIEWS[view];
    const isCutHere = left < start && start < right;
    const place = isCutHere ? start : left;
    const text = fitting(texts, right - place, isCutHere || isCut, name);
    const same = labels.find((label) => label.text === text && label.from === place);
    if (same !== undefined) same.views.push(view);
    else if (text !== undefined) labels.push({ text, from: place, views: [view] });
  }
  return labels;
}
