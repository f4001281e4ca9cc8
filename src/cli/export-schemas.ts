import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED, toJsonSchema } from '../../schemas/index.js';
import { CommandFailed, type CommandLine, type Given, UsageError } from './settings.js';

const DEFAULT_FOLDER = join('schemas', 'json');

export const command = {
  usage: 'export-schemas [DIR]',
  description: `Writes the contract as JSON Schema (2020-12), one file a type, to DIR [${DEFAULT_FOLDER}].`,
  settings: [],
  flags: {},
} as const satisfies CommandLine<never, never>;

/** Writes the files, and returns the exit code. */
export async function run({ arguments: [folder = DEFAULT_FOLDER, ...rest] }: Given<never, never>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`export-schemas takes one DIR: "${rest[0]}" is one too many`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of Object.keys(PUBLISHED)) {
      writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(toJsonSchema(name), null, 2)}\n`);
    }
  } catch (error) {
    throw new CommandFailed(
      `"${folder}" cannot be written (${(error as NodeJS.ErrnoException).code}); name a folder that this user may write`,
    );
  }
  process.stdout.write(`${Object.keys(PUBLISHED).length} schemas written to ${folder}\n`);
  return 0;
}
