import type { Parameter, Reads } from './client.js';

/**
 * Reads thousands of rows with a few short columns. They come as one row with a JSON array for each column: the driver would
 * take longer for the rows than the server.
 * @param names the columns
 */
export async function readNarrowRows<Row extends object>(
  reads: Pick<Reads, 'get'>,
  names: (keyof Row & string)[],
  statement: string,
  ...values: Parameter[]
): Promise<Row[]> {
  const arrays = names.map((name) => `coalesce(json_agg("${name}"), '[]')::text AS "${name}"`).join(', ');
  const found = await reads.get<Record<string, string>>(`SELECT ${arrays} FROM (${statement}) AS narrow`, ...values);
  const columns = names.map((name) => JSON.parse(found![name]!) as Row[keyof Row & string][]);
  return columns[0]!.map((_, index) => {
    const row: Partial<Row> = {};
    for (let column = 0; column < names.length; column++) row[names[column]!] = columns[column]![index]!;
    return row as Row;
  });
}
