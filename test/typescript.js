import { registerHooks } from 'node:module';

// Node runs TypeScript, but looks for the `.js` file that an import names, which is only in `dist`. In the tests it is the `.ts` file beside it.
registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return nextResolve(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
