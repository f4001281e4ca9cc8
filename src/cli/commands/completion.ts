import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine, Given } from '../line/command-line.js';
import { COMPLETION_FOLDER } from '../line/package-files.js';
import { UsageError } from '../line/failures.js';

export const command = {
  usage: 'completion bash|zsh',
  description: [
    'Prints a shell script that completes the commands, flags and values of gnss-site-setups.',
    'The Debian package installs both scripts. Otherwise, for bash: source ' +
      '<(gnss-site-setups completion bash)',
  ].join('\n'),
  settings: [],
  flags: {},
} as const satisfies CommandLine;

/** Prints the script and returns the exit code. */
export function run({ arguments: [shell, ...rest] }: Given<typeof command>): Promise<number> {
  if ((shell !== 'bash' && shell !== 'zsh') || rest.length > 0) {
    throw new UsageError(
      `completion takes one shell: bash or zsh; got "${[shell, ...rest].join(' ')}"`,
    );
  }
  process.stdout.write(readFileSync(join(COMPLETION_FOLDER, `gnss-site-setups.${shell}`)));
  return Promise.resolve(0);
}
