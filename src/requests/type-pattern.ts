/** What {@link compileTypePattern} accepts, in words. */
export const TYPE_PATTERN_FORM = 'a trailing * stands for any end, case is ignored, and several blanks count as one';

const fold = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();

/** Compiles a pattern for types of equipment to a test. `LEIAR25.R3 LEIT` matches the type `LEIAR25.R3      LEIT`, and `lei*` does too. */
export function compileTypePattern(pattern: string): (type: string) => boolean {
  const folded = fold(pattern);
  if (!folded.endsWith('*')) return (type) => fold(type) === folded;
  const start = folded.slice(0, -1);
  return (type) => fold(type).startsWith(start);
}
