/** Control characters, and those that turn the direction of text: what a terminal or a browser would obey. */
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What comes from a site log is shown without the characters that a terminal or a browser would obey, each as `\uXXXX`. */
export const visible = (text: string): string =>
  text.search(OBEYED) < 0 ? text : text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
