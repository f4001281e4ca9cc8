import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './places.js';

/**
 * The documents that packages contain, all in one folder: their names there, and in the project.
 */
const GUIDES: Record<string, string> = {
  'operation.md': 'src/cli/README.md',
  'postgresql.md': 'src/cli/POSTGRESQL.md',
  'api.md': 'schemas/README.md',
  'check.md': 'src/check/README.md',
  'security.md': 'SECURITY.md',
  'changes.md': 'CHANGELOG.md',
};

/**
 * The documents that packages contain, by their name there. Links between them lead to these names.
 */
export const guides = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(GUIDES).map(([name, path]) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const linked = text.replace(/\]\(([^)#\s]+)/g, (link, target: string) => {
        const guide = Object.keys(GUIDES).find(
          (each) => GUIDES[each] === join(dirname(path), target),
        );
        return guide === undefined ? link : `](${guide}`;
      });
      return [name, linked];
    }),
  );
