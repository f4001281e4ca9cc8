import type { Command } from '../cli/commands.js';
import { COMMANDS } from '../cli/commands.js';
import { type Setting, type SettingName, SETTINGS, variableOf } from '../cli/settings.js';
import { DATABASE } from './places.js';

const HEAD = `# Settings of gnss-site-setups.service and gnss-site-setups-import.service, as environment variables.
# After a change: systemctl restart gnss-site-setups
# A line that begins with # has no effect. Values are as in gnss-site-setups(1).
`;

/** The file `/etc/gnss-site-setups/config`: every setting of the units, commented, with its help and default. */
export async function configFile(): Promise<string> {
  const commands: Command[] = await Promise.all([COMMANDS.serve!(), COMMANDS.import!()]);
  const names = new Set<SettingName>(commands.flatMap(({ command }) => command.settings));
  const entries = [...names].map((name) => {
    const { description, default: fallback, argument }: Setting<unknown> = SETTINGS[name];
    const value = name === 'database' ? DATABASE : (fallback ?? argument);
    return `# ${description}${fallback === null ? '' : ` Default: ${value}.`}\n#${variableOf(name)}=${value}\n`;
  });
  return [HEAD, ...entries].join('\n');
}
