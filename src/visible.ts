/**
 * Control characters and bidirectional formatting characters, which terminals and browsers act on.
 */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes text from a site log safe to display: writes control and bidirectional formatting
 * characters as `\uXXXX`.
 */
export const visible = (text: string): string =>
  text.search(UNSAFE) < 0
    ? text
    : text.replace(
        UNSAFE,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
