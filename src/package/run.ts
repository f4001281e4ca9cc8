import { execFile } from 'node:child_process';
import { PackageFailed } from './places.js';

/**
 * Runs a program to its end, and returns what it printed.
 * @throws {PackageFailed} if it is not installed, or fails
 */
export const run = (
  program: string,
  args: string[],
  cwd?: string,
  env: Record<string, string> = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (error.code === 'ENOENT') reject(new PackageFailed(`${program} is not installed`));
        else
          reject(
            new PackageFailed(`${program} ${args.join(' ')}: ${stderr.trim() || error.message}`),
          );
      },
    );
  });

/**
 * Runs `tar` in a folder. The same content gives the same archive.
 * @param date the time of all files
 */
export const tar = (folder: string, date: Date, args: string[]): Promise<string> => {
  const time = `--mtime=@${date.getTime() / 1000}`;
  return run('tar', [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    time,
    '--format=ustar',
    '-C',
    folder,
    ...args,
  ]);
};
