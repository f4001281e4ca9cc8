import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SHARED } from '../../project-files.js';
import { attempt } from '../reading.js';

/** Logs in which the beginning of an item is damaged as in real logs; they lie beside the project. */

const FOLDER = join(SHARED, '..', 'cases', 'logs');
const skip = !existsSync(FOLDER) && 'no logs with such mistakes beside the project';

const ONE = ['1001 from 2010-01-01T00:00:00Z'];
const TWO = ['1001 from 2010-01-01T00:00:00Z', '1002 from 2015-01-01T00:00:00Z'];
/** The receivers of each log, by serial number. */
const RECEIVERS: Record<string, string[]> = {
  'k1-filled-x-block.log': TWO,
  'k1-no-number.log': ONE,
  'k1-number-touches-label.log': ONE,
  'k1-number-with-letter.log': ONE,
  'k1-two-digit-item-touches-label.log': TWO,
};

t.test('an item is read although its beginning is damaged', { skip }, async (t) => {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith('k1-'));
  t.strictSame(names.sort(), Object.keys(RECEIVERS));
  for (const name of names) {
    const { log, findings } = attempt(readFileSync(join(FOLDER, name)), name);
    const items = log!.items.map(({ id, from }) => [id.equipmentType, id.serialNumber, from]);
    const receivers = items.flatMap(([type, serial, from]) =>
      type === 'gnss receiver' ? [`${serial} from ${from}`] : [],
    );
    t.strictSame(receivers, RECEIVERS[name], name);
    t.equal(findings.length, 1, `${name}: and a finding says so`);
  }
});
