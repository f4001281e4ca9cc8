/** Works for some milliseconds, so that nothing else runs. */
export function workFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
