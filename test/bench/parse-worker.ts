import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';

/**
 * `parse-worker FOLDER`: parses the GeodesyML files of a folder, which is the least that an import
 * must do.
 */

const [folder = ''] = process.argv.slice(2);
let elements = 0;
for (const name of readdirSync(folder)) {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', () => elements++);
  // saxes skips the work for events without a listener.
  parser.on('text', () => undefined);
  try {
    parser.write(readFileSync(join(folder, name), 'utf8')).close();
  } catch {
    // Not well-formed. The import rejects such a file at the same place.
  }
}
if (elements === 0) throw new Error(`${folder}: nothing was parsed`);
