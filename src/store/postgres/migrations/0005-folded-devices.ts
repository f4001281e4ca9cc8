/** What is searched of a device, without differences of case and accents. The code that computes it is a frozen copy. */

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** How many devices are read at once. */
const BATCH = 10_000;

/** What this migration needs of a transaction. */
interface Transaction {
  all<Row extends object>(sql: string, ...parameters: number[]): Promise<Row[]>;
  run(sql: string, parameter: string): Promise<number>;
}

interface Row {
  id: number;
  type: string | null;
  manufacturer: string | null;
  serial_number: string | null;
}

const ROWS = `
  SELECT id, type, document::json ->> 'manufacturer' AS manufacturer, serial_number FROM equipment WHERE id > $1 ORDER BY id LIMIT $2`;
const SAVE = `
  UPDATE equipment SET search_text = given.search_text
  FROM json_to_recordset($1::json) AS given (id bigint, search_text text) WHERE equipment.id = given.id`;

/** Fills the column. */
async function fill(transaction: Transaction): Promise<void> {
  for (let last = 0; ;) {
    const rows = await transaction.all<Row>(ROWS, last, BATCH);
    if (rows.length === 0) return;
    const texts = rows.map(({ id, type, manufacturer, serial_number }) => ({
      id,
      search_text: fold([type, manufacturer, serial_number].filter((value) => value !== null).join('\n')),
    }));
    await transaction.run(SAVE, JSON.stringify(texts));
    last = rows.at(-1)!.id;
  }
}

/** Adds the text to each device. */
export const foldedDevices = [`ALTER TABLE equipment ADD COLUMN search_text text COLLATE "C" NOT NULL DEFAULT ''`, fill];
