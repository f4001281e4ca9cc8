/**
 * The program and arguments that run Node as a user does. tap adds a module to NODE_OPTIONS of all
 * child processes, which doubles the time that they take to start.
 */
export function nodeCommand(...args: string[]): [program: string, args: string[]] {
  return ['/usr/bin/env', ['-u', 'NODE_OPTIONS', process.execPath, ...args]];
}
