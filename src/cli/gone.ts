/** What earlier versions had, and what replaces it. An operator who still uses it gets that sentence. */

/** A flag of an earlier version. */
interface GoneFlag {
  /** The command that had it. */
  command: string;
  flag: string;
  /** The environment variable that meant the same; null if there was none. */
  variable: string | null;
  /** What to do instead. */
  instead: string;
}

const GONE_FLAGS: readonly GoneFlag[] = [
  {
    command: 'serve',
    flag: 'max-replica-lag',
    variable: 'MAX_REPLICA_LAG',
    instead:
      'a proxy leads to the primary, and standbys serve no reads; see "Several servers" in the guide to PostgreSQL',
  },
];

/** The message about a flag that a command had in an earlier version; undefined for any other. */
export function messageOfGoneFlag(command: string, flag: string): string | undefined {
  const gone = GONE_FLAGS.find((each) => each.command === command && each.flag === flag);
  return gone === undefined ? undefined : `--${flag} is gone: ${gone.instead}`;
}

/** The message about a variable of an earlier version, as it stands in a settings file; undefined for any other. */
export function messageOfGoneVariable(variable: string): string | undefined {
  const gone = GONE_FLAGS.find((each) => each.variable === variable);
  return gone === undefined ? undefined : `${variable} is gone: ${gone.instead}`;
}

/** The variables that a command had in an earlier version. */
export const goneVariables = (command: string): string[] =>
  GONE_FLAGS.filter((each) => each.command === command).flatMap(({ variable }) => variable ?? []);
