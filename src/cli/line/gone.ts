/**
 * The flags, variables and commands that were removed since earlier versions, with what replaces
 * them. Operators who still use one get that sentence.
 */

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
    flag: 'workers',
    variable: 'WORKERS',
    instead:
      'for more cores, run two services on two ports behind the proxy, ' +
      'as "More cores" in the guide says',
  },
  {
    command: 'serve',
    flag: 'max-replica-lag',
    variable: 'MAX_REPLICA_LAG',
    instead:
      'use a proxy that leads to the primary; standbys serve no reads; ' +
      'see "Several servers" in the guide to PostgreSQL',
  },
  {
    command: 'import',
    flag: 'known-rejects',
    variable: null,
    instead:
      'use import --watch, which reports a rejected log once; the metric ' +
      'gnss_last_import_files{outcome="rejected"} counts those that remain',
  },
];

/** The commands of earlier versions, with what to do instead. */
export const GONE_COMMANDS: Readonly<Record<string, string>> = {
  rebuild:
    'use verify, which finds damage and says whether restore or an import into a new ' +
    'database repairs it',
};

/** The message about a flag that a command had in an earlier version; undefined for any other. */
export function messageOfGoneFlag(command: string, flag: string): string | undefined {
  const gone = GONE_FLAGS.find((each) => each.command === command && each.flag === flag);
  return gone === undefined ? undefined : `--${flag} has been removed: ${gone.instead}`;
}

/**
 * The message about a variable of an earlier version, as it stands in a settings file; undefined
 * for any other.
 */
export function messageOfGoneVariable(variable: string): string | undefined {
  const gone = GONE_FLAGS.find((each) => each.variable === variable);
  return gone === undefined ? undefined : `${variable} has been removed: ${gone.instead}`;
}

/** The variables that a command had in an earlier version. */
export const goneVariables = (command: string): string[] =>
  GONE_FLAGS.filter((each) => each.command === command).flatMap(({ variable }) => variable ?? []);
