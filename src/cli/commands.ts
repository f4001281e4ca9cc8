import type { CommandLine, Given } from './command-line.js';

/** A command: its command line, and the function that runs it. */
export interface Command {
  command: CommandLine;
  /** Returns the exit code. @param given what was parsed with this command line */
  run(given: Given<CommandLine>): Promise<number>;
}

/** Commands are loaded on demand, so that none loads the imports of another. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: () => import('./serve.js'),
  import: () => import('./import.js'),
  'check-log': () => import('./check-log.js'),
  'check-rinex': () => import('./check-rinex.js'),
  'fix-rinex': () => import('./fix-rinex.js'),
  convert: () => import('./convert.js'),
  lookup: () => import('./lookup.js'),
  sites: () => import('./sites.js'),
  export: () => import('./export.js'),
  log: () => import('./log.js'),
  site: () => import('./site.js'),
  backup: () => import('./backup.js'),
  restore: () => import('./restore.js'),
  migrate: () => import('./migrate.js'),
  copy: () => import('./copy.js'),
  verify: () => import('./verify.js'),
  'check-service': () => import('./check-service.js'),
  'export-schemas': () => import('./export-schemas.js'),
  completion: () => import('./completion.js'),
};

/** The command lines of all commands, for the manual page and shell completion. */
export async function commandLines(): Promise<CommandLine[]> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return commands.map(({ command }) => command);
}
