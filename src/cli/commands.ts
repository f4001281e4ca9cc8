import type { CommandLine, Given } from './line/command-line.js';

/** A command: its command line, and the function that runs it. */
interface Command {
  command: CommandLine;
  /** Returns the exit code. @param given what was parsed with this command line */
  run(given: Given<CommandLine>): Promise<number>;
}

/** Commands are loaded on demand, so that none loads the imports of another. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: () => import('./commands/serve.js'),
  import: () => import('./commands/import.js'),
  'check-log': () => import('./commands/check-log.js'),
  'compare-logs': () => import('./commands/compare-logs.js'),
  'check-rinex': () => import('./commands/check-rinex.js'),
  'fix-rinex': () => import('./commands/fix-rinex.js'),
  convert: () => import('./commands/convert.js'),
  lookup: () => import('./commands/lookup.js'),
  sites: () => import('./commands/sites.js'),
  export: () => import('./commands/export.js'),
  log: () => import('./commands/log.js'),
  site: () => import('./commands/site.js'),
  backup: () => import('./commands/backup.js'),
  restore: () => import('./commands/restore.js'),
  migrate: () => import('./commands/migrate.js'),
  copy: () => import('./commands/copy.js'),
  verify: () => import('./commands/verify.js'),
  'export-schemas': () => import('./commands/export-schemas.js'),
  completion: async () => {
    const { command, printCompletion } = await import('./commands/completion.js');
    // It is about all commands.
    return { command, run: (given) => printCompletion(given, commandLines) };
  },
};

/** The command lines of all commands, for the manual page and shell completion. */
export async function commandLines(): Promise<CommandLine[]> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return commands.map(({ command }) => command);
}
