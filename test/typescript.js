import { appendFileSync, readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// Stripping the types of all modules takes most of the start of a test.
enableCompileCache(join(import.meta.dirname, '..', 'dist', 'test-cache'));

// Node runs TypeScript, but looks for the `.js` file that an import names, which is only in `dist`.
// In the tests it is the `.ts` file beside it.
registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return nextResolve(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

/** The seconds of processor time of this process and of all its processes that have ended. */
function processorSeconds() {
  const [user, system, ofUsers, ofSystems] = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15);
  return (Number(user) + Number(system) + Number(ofUsers) + Number(ofSystems)) / 100;
}

// The file named by TEST_TIMES gets a line for each test file: its processor time and its name.
const times = process.env.TEST_TIMES;
const file = process.argv[1];
if (times !== undefined && isMainThread && file?.endsWith('.ts')) {
  process.on('exit', () => {
    const name = relative(join(import.meta.dirname, '..'), file);
    appendFileSync(times, `${processorSeconds().toFixed(2)} ${name}\n`);
  });
}
