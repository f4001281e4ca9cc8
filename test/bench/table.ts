/** One row of the results. */
export interface Row {
  name: string;
  /** The ratio or figure, with its unit. */
  result: string;
  /** The figures behind it. */
  raw: string;
  /** The target, if there is one. */
  target?: { text: string; met: boolean };
}

/** The rows as aligned columns. */
export function tableOf(rows: Row[]): string {
  const lines = [
    ['', 'result', 'target', '', 'from'],
    ...rows.map(({ name, result, raw, target }) => [
      name,
      result,
      target?.text ?? '',
      target === undefined ? '' : target.met ? 'met' : 'NOT MET',
      raw,
    ]),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) => `${line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd()).join('\n');
}
