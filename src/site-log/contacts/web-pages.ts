/** Finds web pages in text. They are published whole. */

const WEB_PAGE = /\b(?:https?:|ftp:|www\.)[^\s<>"]+/gi;

/** The web pages in a text. */
export const webPagesIn = (text: string): string[] => text.match(WEB_PAGE) ?? [];

/** A text with a line end in place of each web page. */
export const withoutWebPages = (text: string): string => text.replace(WEB_PAGE, '\n');

/** A text in which only what is not a web page was replaced. */
export function replacedOutsideWebPages(text: string, replaced: (rest: string) => string): string {
  const pages = webPagesIn(text);
  const rest = pages.length === 0 ? [text] : text.split(WEB_PAGE);
  return rest.map((each, index) => replaced(each) + (pages[index] ?? '')).join('');
}
