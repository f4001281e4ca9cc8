import type { Command } from '../cli/commands.js';
import { COMMANDS } from '../cli/commands.js';
import { type Setting, type SettingName, SETTINGS, variableOf } from '../cli/settings.js';
import { DATABASE } from './places.js';

const HEAD = `# Settings of gnss-site-setups, for its services and the command. The environment and flags take precedence.
# After a change: systemctl restart gnss-site-setups
# Lines that begin with # have no effect. Those without a default have an example. gnss-site-setups(1) explains the values.
`;

/** The file `/etc/gnss-site-setups/config`: every setting of the units, with its help and default, commented out except for the database. */
export async function configFile(): Promise<string> {
  const commands: Command[] = await Promise.all([COMMANDS.serve!(), COMMANDS.import!()]);
  const names = new Set<SettingName>(commands.flatMap(({ command }) => command.settings));
  const entries = [...names].map((name) => {
    const { description, default: fallback, example }: Setting<unknown> = SETTINGS[name];
    if (name === 'database') return `# ${description}\n${variableOf(name)}=${DATABASE}\n`;
    return `# ${description}${fallback === null ? '' : ` Default: ${fallback}.`}\n#${variableOf(name)}=${fallback ?? example}\n`;
  });
  return [HEAD, ...entries].join('\n');
}
