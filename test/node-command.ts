import { readFileSync } from 'node:fs';

/** The flags of Node in the first line of a program, which a shell passes when it runs the file. */
export function nodeFlagsOf(file: string): string[] {
  const [, flags] = /^#!\/usr\/bin\/env -S node (.*)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  return flags?.split(' ') ?? [];
}

/**
 * The program and arguments that run Node as a user does. tap adds a module to NODE_OPTIONS of all child processes, which
 * doubles the time that they take to start.
 */
export function nodeCommand(...args: string[]): [program: string, args: string[]] {
  return ['/usr/bin/env', ['-u', 'NODE_OPTIONS', process.execPath, ...args]];
}
