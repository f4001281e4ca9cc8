import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';

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
