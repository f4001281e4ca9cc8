import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../project-files.js';
import { KEPT } from './networks.js';

/** Runs a program to its end, and returns what it prints. @throws {Error} unless it exits with 0 */
function run(cwd: string, program: string, ...args: string[]): string {
  // npm must not take the packages of this checkout.
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME };
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/**
 * Builds a revision of this project in a clone of its own, which stays in the folder for temporary
 * files.
 * @param revision as git names it: a commit, a branch
 * @returns the main file of its command line
 * @throws {Error} if git knows no such revision, or it cannot be built
 */
export function buildOf(revision: string): string {
  const commit = run(ROOT, 'git', 'rev-parse', '--verify', `${revision}^{commit}`).trim();
  const folder = join(KEPT, `build-${commit}`);
  if (!existsSync(folder)) {
    process.stdout.write(`building ${commit.slice(0, 8)} …\n`);
    const clone = `${folder}.new`;
    rmSync(clone, { recursive: true, force: true });
    run(ROOT, 'git', 'clone', '--quiet', '--no-checkout', '.', clone);
    run(clone, 'git', 'checkout', '--quiet', commit);
    run(clone, 'npm', 'ci');
    run(clone, 'npm', 'run', '--silent', 'build');
    renameSync(clone, folder);
  }
  return join(folder, 'dist', 'src', 'bundle', 'main.js');
}
