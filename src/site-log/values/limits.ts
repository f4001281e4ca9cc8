/** How long the values of a site log may be, in characters. */

/** The longest text, in characters, that is parsed as a number, an angle or a date. */
export const LONGEST_VALUE = 200;

/** The most characters of a text value that are kept; the longest in 471 real logs has 2432. */
export const LONGEST_TEXT = 4000;

/**
 * The most characters of a value that identifies a device; the longest in 471 real logs has 44. In
 * any encoding, so many fit into an entry of an index.
 */
export const LONGEST_NAME = 600;

/** The most characters of a value as written, of any kind: no request can interrupt work on it. */
export const LONGEST_WRITTEN = 64 * 1024;
/** What stands in place of the end of a value that is cut. */
export const CUT = ' … (cut)';
