import type { CommandLine, Given } from '../line/command-line.js';
import { completionScript, SHELLS } from '../line/completion.js';
import { UsageError } from '../line/failures.js';

export const command = {
  usage: 'completion bash|zsh',
  description: [
    'Prints a shell script that completes the commands, flags and values of gnss-site-setups.',
    'The Debian package installs both scripts. Otherwise, for bash: source ' +
      '<(gnss-site-setups completion bash)',
  ].join('\n'),
  examples: [
    ['Print the script for bash.', 'completion bash'],
    ['Print the script for zsh.', 'completion zsh'],
  ],
  completes: SHELLS,
  settings: [],
  flags: {},
} as const satisfies CommandLine;

/**
 * Prints the script and returns the exit code.
 * @param commandLines gives the command lines of all commands
 */
export async function printCompletion(
  { arguments: given }: Given<typeof command>,
  commandLines: () => Promise<CommandLine[]>,
): Promise<number> {
  const shell = SHELLS.find((each) => each === given[0]);
  if (shell === undefined || given.length > 1)
    throw new UsageError(`completion takes one shell: bash or zsh; got "${given.join(' ')}"`);
  process.stdout.write(completionScript(shell, await commandLines()));
  return 0;
}
