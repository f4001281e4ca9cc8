import { readFileSync } from 'node:fs';

/** The flags of Node in the first line of a program, which a shell passes when it runs the file. */
export function nodeFlagsOf(file: string): string[] {
  const [, flags] = /^#!\/usr\/bin\/env -S node (.*)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  return flags?.split(' ') ?? [];
}
