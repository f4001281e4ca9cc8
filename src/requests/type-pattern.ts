/** A type of equipment as patterns compare it: in upper case, with runs of blanks as one. */
export const foldType = (type: string): string => type.trim().replace(/\s+/g, ' ').toUpperCase();

/** Whether a text is a type as {@link foldType} gives it, and no pattern. */
export const isPlainType = (text: string): boolean =>
  foldType(text) === text && !text.includes('*');

/**
 * Compiles a pattern for types of equipment to a test. `LEIAR25.R3 LEIT` matches the type
 * `LEIAR25.R3      LEIT`, and `lei*leit` does too.
 */
export function compileTypePattern(pattern: string): (type: string) => boolean {
  const [start = '', ...parts] = foldType(pattern).split('*');
  const end = parts.pop();
  if (end === undefined) return (type) => foldType(type) === start;
  return (type) => {
    const folded = foldType(type);
    let place = start.length;
    // The first place of each part leaves the most for the others.
    for (const part of parts) {
      const found = folded.indexOf(part, place);
      if (found < 0) return false;
      place = found + part.length;
    }
    return folded.startsWith(start) && folded.endsWith(end) && folded.length >= place + end.length;
  };
}
