import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Given } from './campaign.js';
import { runTool } from './processes.js';
import { randomOf } from './random.js';
import { findInFile } from './interrupted.js';
import { SITES, SyntheticImports } from './synthetic-imports.js';

const ROW = 'disk full during an import';

/** The exit code if the database cannot be used. */
const UNUSABLE = 3;

/** A folder with a limited size, if this user may mount one. */
export function mountSmall(folder: string, kilobytes: number): (() => void) | null {
  mkdirSync(folder, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]).status !== 0) return null;
  const unmount = (): void => void spawnSync('umount', ['-l', folder]);
  process.once('exit', unmount);
  return () => {
    process.removeListener('exit', unmount);
    unmount();
  };
}

/** Imports with too little room, limited by a small file system or by the longest file. */
export async function fillDisk(given: Given<string>, rounds: number): Promise<void> {
  const { tally, seed, repeat, only } = given;
  const imports = await SyntheticImports.create(join(given.folder, 'full'));
  let [full, mounted] = [0, 0];
  const one = async (round: number): Promise<void> => {
    const random = randomOf(seed, 'disk', round);
    const version = 1 + (round % 2);
    // A second version starts with a copy of the first, which must fit.
    const least = version === 2 ? Math.ceil(statSync(imports.old).size / 1024) : 0;
    const kilobytes = 50 + random.below(4000) + least;
    const folder = join(given.folder, 'small-disk');
    const unmount = round % 4 < 2 ? mountSmall(folder, kilobytes) : null;
    mkdirSync(folder, { recursive: true });
    if (unmount !== null) mounted++;
    const database = join(folder, 'full.sqlite');
    const fail = (what: string): void => tally.failed(ROW, `${kilobytes} kB: ${what}`, repeat('disk', round));
    tally.tried(ROW);
    try {
      if (version === 2) copyFileSync(imports.old, database);
      // Blocks of 512 bytes, as POSIX has it. Where the shell counts in 1024, there is twice the room.
      const shell = unmount === null ? `ulimit -f ${kilobytes * 2}` : undefined;
      const { code, signal, stderr } = await runTool(
        ['import', imports.logs(version), '--database', database],
        shell === undefined ? {} : { shell },
      );
      if (code !== 0 && code !== UNUSABLE) fail(`the import ended with ${signal ?? code}: ${stderr.slice(-500)}`);
      if (code === UNUSABLE) {
        full++;
        const last = stderr.trimEnd().split('\n').at(-1)!;
        if (/^ {4}at /m.test(stderr)) fail(`a stack trace: ${stderr.slice(-500)}`);
        if (!/disk|space|full|written|write/i.test(last)) fail(`the message does not name the disk: ${last}`);
      }
      const elsewhere = join(given.folder, 'rescued.sqlite');
      for (const suffix of ['', '-wal']) {
        rmSync(elsewhere + suffix, { force: true });
        try {
          copyFileSync(database + suffix, elsewhere + suffix);
        } catch {
          // There is none.
        }
      }
      const rerun = await runTool(['import', imports.logs(version), '--database', elsewhere]);
      const left = imports.check(await findInFile(elsewhere), version);
      left.findings.forEach(fail);
      if (rerun.code !== 0 || left.after !== SITES)
        fail(`with more room, the import ended with ${rerun.code}, and saved ${left.after} of ${SITES} Sites`);
    } catch (error) {
      fail((error as Error).message);
    } finally {
      unmount?.();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  if (only !== null) return one(only.number);
  for (let round = 0; round < rounds; round++) await one(round);
  if (full === 0) tally.failed(ROW, 'the disk was never full', repeat('disk', 0));
  tally.note(ROW, `${full} did not fit; ${mounted} on a small file system, the others with a limited file size`);
}
