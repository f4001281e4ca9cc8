import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';

/** `parse-worker FOLDER`: reads the GeodesyML files of a folder and only parses them; the least that an import must do. */

const [folder = ''] = process.argv.slice(2);
let elements = 0;
for (const name of readdirSync(folder)) {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', () => elements++);
  // Saxes leaves out the work for what nobody listens to.
  parser.on('text', () => undefined);
  try {
    parser.write(readFileSync(join(folder, name), 'utf8')).close();
  } catch {
    // Not well-formed: the import refuses such a file at the same place.
  }
}
if (elements === 0) throw new Error(`${folder}: nothing was parsed`);
