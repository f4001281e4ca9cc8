import { globSync, readFileSync } from 'node:fs';

// Prints the files of `TEST_ALL=rest npm test`: what `npm test` leaves out, and what has tests with
// the options of `effort.ts`. Otherwise prints nothing, and tap runs `test/**/*.test.ts`.
const hasLongTests = (file) => /from '[./]+effort\.js'/.test(readFileSync(file, 'utf8'));
if (process.env.TEST_ALL === 'rest') {
  const files = [
    ...globSync('test/**/*.long.ts'),
    ...globSync('test/**/*.test.ts').filter(hasLongTests),
  ];
  console.log(files.sort().join(' '));
}
