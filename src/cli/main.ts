#!/usr/bin/env node
import { StoreUnusable } from '../store/store.js';
import { version } from './package-files.js';
import { CommandFailed, type CommandLine, type Given, helpOf, readCommandLine, type SettingName, UsageError } from './settings.js';

/** A command: what it takes, and what it does. */
interface Command {
  command: CommandLine<SettingName, string>;
  run: (given: Given<SettingName, string>) => Promise<number>;
}

/** Each command is loaded when it is called, so that none waits for what another needs. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: () => import('./serve.js') as unknown as Promise<Command>,
  import: () => import('./import.js') as unknown as Promise<Command>,
  lookup: () => import('./lookup.js') as unknown as Promise<Command>,
  'check-service': () => import('./check-service.js') as unknown as Promise<Command>,
  'export-schemas': () => import('./export-schemas.js') as unknown as Promise<Command>,
};

const USAGE = `Usage: gnss-site-setups COMMAND

What equipment is, or was, at a GNSS site: reads site logs, and publishes them over HTTP.

  serve                 Serve the database over HTTP.
  import PATH...        Read site logs into the database.
  lookup SITE           Show the Setup of a Site, now or at an instant.
  check-service URL     Check a running service against the contract.
  export-schemas [DIR]  Write the contract as JSON Schema.
  --help                Show this; COMMAND --help shows what a command takes.
  --version             Show the version.
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined) throw new UsageError('a COMMAND is missing');
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (name === '--version') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) throw new UsageError(`"${name}" is no command; expected ${Object.keys(COMMANDS).join(', ')}`);
  const { command, run } = await COMMANDS[name]!();
  const flags = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  if (flags.includes('--help') || flags.includes('-h')) {
    process.stdout.write(helpOf(command));
    return 0;
  }
  return run(readCommandLine(command, args, process.env));
}

// A reader that has gone away (`... | head`) ends the output, not the work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`gnss-site-setups: ${error.message}\nSee gnss-site-setups --help\n`);
    process.exitCode = 2;
  } else if (error instanceof StoreUnusable || error instanceof CommandFailed) {
    process.stderr.write(`gnss-site-setups: ${error.message}\n`);
    process.exitCode = 3;
  } else {
    throw error;
  }
}
