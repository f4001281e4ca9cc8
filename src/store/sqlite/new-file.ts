import { existsSync, rmSync } from 'node:fs';
import { replaceInOneStep } from '../../whole-file.js';
import { StoreUnusable } from '../database.js';

/**
 * Fills a database. One that does not exist gets its name only once it is complete.
 * @param fill fills the file with this name, which it creates if there is none
 */
export function fillFile<T>(file: string, fill: (file: string) => Promise<T>): Promise<T> {
  if (existsSync(file)) return fill(file);
  return replaceInOneStep(file, async (partial) => {
    // The store creates its files itself, with the owner of their folder.
    rmSync(partial);
    const result = await fill(partial);
    if (existsSync(file))
      throw new StoreUnusable(
        `database "${file}" was created meanwhile; copy to an empty database`,
      );
    return result;
  });
}
