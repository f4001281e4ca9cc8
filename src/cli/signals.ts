const ENDING = ['SIGTERM', 'SIGINT'] as const;

/** Calls `stop` at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function onStop(stop: (signal: string) => void): void {
  const first = (signal: string): void => {
    for (const each of ENDING) process.removeListener(each, first).once(each, () => process.exit(1));
    stop(signal);
  };
  for (const each of ENDING) process.once(each, first);
}
