import { parentPort } from 'node:worker_threads';
import { readFile } from './read-file.js';
import type { SiteLogFile } from './site-log-files.js';

// The entry point of a thread that reads files. Its first message says that it is ready; then it
// answers each file in turn.

const port = parentPort!;

/** The bytes of the file, which are moved to the other thread instead of copied. */
function movable(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
}

port.on('message', (file: SiteLogFile) => {
  const answer = readFile(file);
  port.postMessage(answer, typeof answer.read === 'string' ? [] : movable(answer.read.original));
});
port.postMessage('ready');
