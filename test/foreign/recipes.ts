import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeCommand } from '../node-command.js';

/** Runs recipes of the API guide with the programs that they are for. */

/** The packages that recipes need, with their versions. */
export const RECIPE_PACKAGES = { papaparse: '5.7.1', '@duckdb/node-api': '1.5.6-r.1' };

/** How a recipe is run: by the language of its block, or its first word in a shell. */
interface Runner {
  /** The file without which the program is not there; null if npm installs it. */
  needs: string | null;
  /** The program and its arguments. @param recipe the text of the block */
  command: (recipe: string) => [program: string, args: string[]];
  /** What Debian calls the package. */
  debian?: string;
}

const shell = (recipe: string): [string, string[]] => ['sh', ['-c', recipe]];
const module = (text: string): [string, string[]] => nodeCommand('--input-type=module', '-e', text);

/** The runners. Those that read a table print it as CSV. */
export const RUNNERS: Record<string, Runner> = {
  python: {
    needs: '/usr/lib/python3/dist-packages/pandas',
    debian: 'python3-pandas',
    command: (recipe) => [
      '/usr/bin/python3',
      ['-c', `import pandas\n${recipe}\nprint(table.to_csv(index=False), end='')`],
    ],
  },
  r: {
    needs: '/usr/bin/Rscript',
    debian: 'r-base-core',
    command: (recipe) => ['Rscript', ['-e', `${recipe}\nwrite.csv(table, row.names = FALSE)`]],
  },
  sql: {
    needs: null,
    command: (recipe) =>
      module(`
        import { readFileSync } from 'node:fs';
        import { DuckDBInstance } from '@duckdb/node-api';
        const connection = await (await DuckDBInstance.create()).connect();
        await connection.run(${JSON.stringify(`COPY (${recipe}) TO 'duckdb.csv' (HEADER)`)});
        process.stdout.write(readFileSync('duckdb.csv', 'utf8'));`),
  },
  js: {
    needs: null,
    command: (recipe) =>
      module(`
        import { readFileSync } from 'node:fs';
        import Papa from 'papaparse';
        const text = readFileSync('installations.csv', 'utf8');
        ${recipe}
        process.stdout.write(Papa.unparse(data) + '\\n');`),
  },
  csvsort: { needs: '/usr/bin/csvsort', debian: 'csvkit', command: shell },
  jq: { needs: '/usr/bin/jq', debian: 'jq', command: shell },
  gpsbabel: { needs: '/usr/bin/gpsbabel', debian: 'gpsbabel', command: shell },
};

/** The runner of a block; undefined for one that is no recipe for another program. */
export const runnerOf = (language: string, text: string): string | undefined =>
  [language, text.split(' ')[0]!].find((name) => Object.hasOwn(RUNNERS, name));

/** Why a recipe cannot run here; undefined if it can. */
export function missingFor(name: string): string | undefined {
  const { needs, debian } = RUNNERS[name]!;
  return needs === null || existsSync(needs) ? undefined : `no ${name} (Debian: ${debian})`;
}

/** Runs a recipe in a folder. @returns what it prints */
export async function runRecipe(name: string, recipe: string, folder: string): Promise<string> {
  const [program, args] = RUNNERS[name]!.command(recipe.trimEnd());
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: folder,
    maxBuffer: 64 << 20,
  });
  return stdout;
}

/** The number of waypoints in a file of the recipe for gpsbabel. */
export const waypointsIn = (folder: string): number =>
  readFileSync(join(folder, 'sites.gpx'), 'utf8').split('<wpt ').length - 1;

/** Saves an export where recipes look for it. */
export const saveExport = (folder: string, name: string, body: string): void =>
  writeFileSync(join(folder, name), body);
