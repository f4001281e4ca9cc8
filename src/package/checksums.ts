import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Writes the file `SHA256SUMS`, which `sha256sum --check` reads, beside packages.
 * @param folder where the packages are
 * @returns its path
 */
export function writeChecksums(folder: string, packages: string[]): string {
  const lines = packages.map(
    (file) => `${hash('sha256', readFileSync(file))}  ${basename(file)}\n`,
  );
  const path = join(folder, 'SHA256SUMS');
  writeFileSync(path, lines.join(''));
  return path;
}
