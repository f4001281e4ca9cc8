#!/usr/bin/env node
import module from 'node:module';
import { COMMANDS } from './commands.js';
import { helpOf } from './line/help.js';
import { COMPILE_CACHE, thisBuild } from './line/package-files.js';
import { readCommandLine } from './line/command-line.js';
import { CommandFailed, didYouMean, reportFailure, UsageError } from './line/failures.js';
import { GONE_COMMANDS } from './line/gone.js';
import { say } from './line/terminal.js';

const USAGE = `Usage: gnss-site-setups COMMAND

Publishes the equipment history of GNSS sites, imported from their site logs,
over HTTP.

  serve                 Serve the database over HTTP.
  import PATH...        Import site logs into the database.
  check-log FILE...     Check site logs against the rules, without a database.
  compare-logs A B      Show what changed between two versions of a site log.
  check-rinex FILE...   Check headers of RINEX files against the record.
  fix-rinex FILE...     Write copies of RINEX files with corrected headers.
  convert FILE...       Convert site logs to another form, without a database.
  lookup SITE...        Show the Setups of Sites, now or at a given time.
  sites                 List the Sites, or those that match.
  export NAME [SITE...] Write a table, or a file for geodetic software.
  log ACTION SITE [LOG] List the site logs of a Site, withdraw or restore one.
  site ACTION SITE      Retire, unretire or rename a Site.
  backup FILE           Copy the database while it is in use.
  restore FILE          Put a backup in place of the database.
  migrate               Bring a database of an earlier version up to date.
  copy                  Copy everything to an empty database of either engine.
  verify                Check the database against the stored site logs.
  export-schemas [DIR]  Export the contract as JSON Schema and OpenAPI.
  completion SHELL      Print a script that completes commands in bash or zsh.
  --help                Show this help. COMMAND --help shows that of a command.
  --version             Show the version.
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined) throw new UsageError('missing COMMAND');
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (name === '--version') {
    process.stdout.write(`${thisBuild().build}\n`);
    return 0;
  }
  if (Object.hasOwn(GONE_COMMANDS, name))
    throw new UsageError(`the command ${name} has been removed: ${GONE_COMMANDS[name]}`);
  if (!Object.hasOwn(COMMANDS, name)) {
    const names = Object.keys(COMMANDS);
    throw new UsageError(
      `unknown command "${name}"${didYouMean(name, names) || `; expected ${names.join(', ')}`}`,
    );
  }
  const { command, run } = await COMMANDS[name]!();
  const flags = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  if (flags.includes('--help') || flags.includes('-h')) {
    process.stdout.write(helpOf(command));
    return 0;
  }
  return run(readCommandLine(command, args, process.env));
}

// If the reader of a pipe exits early (`... | head`) or the terminal is closed, the output ends but
// the command continues.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'EIO') return;
  say(`stdout cannot be written: ${error.code === 'ENOSPC' ? 'the disk is full' : error.message}`);
  process.exit(3);
});
// Nothing can be said about an error of stderr: a log that cannot be written must not end the
// service.
process.stderr.on('error', () => undefined);

/** The oldest version of Node.js that works: the SQLite binding crashes older ones. */
const OLDEST_NODE = 22;

/** @throws {CommandFailed} before anything loads the SQLite binding */
function checkNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return;
  throw new CommandFailed(
    `Node.js ${process.versions.node} is too old; expected ${OLDEST_NODE} or later ` +
      '(npx gnss-site-setups uses the one in the project)',
  );
}

/**
 * Lets Node.js keep the code of a command, compiled, from one start to the next. It is next to the
 * code itself, because whoever could write to it could run code as this user. Where this user
 * cannot write, Node.js compiles the code each time.
 */
function keepCompiledCode(): void {
  // Node.js 22.0 does not have it.
  (module as Partial<typeof module>).enableCompileCache?.(COMPILE_CACHE);
}

try {
  checkNode();
  keepCompiledCode();
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const [name = ''] = process.argv.slice(2);
  process.exitCode = reportFailure(error, Object.hasOwn(COMMANDS, name) ? name : undefined);
}
