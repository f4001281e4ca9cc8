/** How many letters must be changed, added or left out to make one text of another. Pure. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length]!;
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Whether a text is probably a misspelling of another: at most two letters differ, and at most one
 * in five. Different digits mean a different model.
 */
export function isNearMiss(right: string, text: string): boolean {
  const most = Math.min(2, Math.floor(right.length / 5));
  return (
    right !== text &&
    digitsOf(right) === digitsOf(text) &&
    Math.abs(right.length - text.length) <= most &&
    editDistance(right, text) <= most
  );
}
