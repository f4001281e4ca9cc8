import { type Setting, SETTING_NAMES, SETTINGS, variableOf } from '../cli/line/settings.js';
import { DATABASE } from './places.js';

const HEAD = `# Settings of gnss-site-setups, for its services and the command. The environment and flags take
# precedence. After a change: systemctl restart gnss-site-setups
# Lines that begin with # have no effect. Those without a default have an example.
# gnss-site-setups(1) explains the values.
`;

/**
 * The file `/etc/gnss-site-setups/config`: every setting, with its help and default, commented out
 * except for the database.
 */
export function configFile(): string {
  const entries = SETTING_NAMES.map((name) => {
    const { description, default: fallback, example }: Setting<unknown> = SETTINGS[name];
    if (name === 'database') return `# ${description}\n${variableOf(name)}=${DATABASE}\n`;
    const byDefault = fallback === null ? '' : ` Default: ${fallback}.`;
    return `# ${description}${byDefault}\n#${variableOf(name)}=${fallback ?? example}\n`;
  });
  return [HEAD, ...entries].join('\n');
}
