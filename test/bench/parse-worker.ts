import { readFile, stat } from 'node:fs/promises';
import { SaxesParser } from 'saxes';
import { findSiteLogFiles } from '../../src/import-site-logs.js';
import { decode } from '../../src/site-log/decode.js';

/** `parse-worker FOLDER`: finds and reads the files as an import does, only parses them, and prints a {@link Parse} as JSON. */

/** What parsing a folder took. */
export interface Parse {
  /** Without the start of Node and the loading of modules, in milliseconds. */
  milliseconds: number;
  elements: number;
}

const [folder = ''] = process.argv.slice(2);
const start = performance.now();
let elements = 0;
for (const { path } of await findSiteLogFiles([folder])) {
  await stat(path);
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', () => elements++);
  // Saxes leaves out the work for what nobody listens to.
  parser.on('text', () => undefined);
  try {
    parser.write(decode(await readFile(path))).close();
  } catch {
    // Not well-formed: the import refuses such a file at the same place.
  }
}
const milliseconds = performance.now() - start;
const measured: Parse = { milliseconds, elements };
process.stdout.write(JSON.stringify(measured));
