/** The tests that compare words with files, for `npm run snapshots`. */
import './findings/sentences.test.ts';
import './http/pages/snapshots.test.ts';
