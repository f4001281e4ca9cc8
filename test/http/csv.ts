/**
 * The records of a CSV text (RFC 4180), as objects. A line may also end as programs of Unix end it.
 * @throws {Error} if a record has more or fewer fields than the first
 */
export function parseCsv(text: string): Record<string, string>[] {
  const records: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g,
  )) {
    records.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end !== ',') records.push([]);
  }
  const [names, ...rows] = records.slice(0, -1) as [string[], ...string[][]];
  const incomplete = rows.filter(({ length }) => length !== names.length);
  if (incomplete.length > 0) throw new Error(`incomplete records: ${JSON.stringify(incomplete)}`);
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index]!, value])));
}
