import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/**
 * `load-generator URL FILE CONNECTIONS SECONDS STATUS`: requests the paths in the file, one per
 * line, in turn, and prints the answers per second. Any other status ends it. Each connection sends
 * a request when the answer to the last one is complete. It reads no more of an answer than it
 * must, to cost less than the server. It never sleeps: to wake a sleeping process costs the server
 * that writes to it a third of a lookup, and the slower server more often.
 */

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 60_000;
const END_OF_HEAD = '\r\n\r\n';

const [url = '', file = '', connections = '', seconds = '', status = ''] = process.argv.slice(2);
const { host, hostname, port } = new URL(url);
const paths = readFileSync(file, 'utf8').split('\n');
const clients = Number(connections);

let answers = 0;
let isOver = false;

function fail(message: string): never {
  process.stderr.write(`${url}${paths[0]} …: ${message}; expected nothing but ${status}\n`);
  process.exit(1);
}

/** How many bytes an answer has, by its head. */
function lengthOf(head: string): number {
  if (!head.startsWith(`HTTP/1.1 ${status} `)) fail(`the answer ${head.split('\r\n')[0]}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) fail('an answer without Content-Length');
  return head.length + END_OF_HEAD.length + Number(length);
}

/** Sends requests over one connection until the time is over. */
function load(own: string[]): Socket {
  const requests = own.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}${END_OF_HEAD}`);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let sent = 0;
  /** The beginning of an answer whose head is incomplete. */
  let text = '';
  /** How many bytes of the answer are still to come; null before its head is complete. */
  let missing: number | null = null;
  const send = (): void => {
    socket.write(requests[sent % requests.length]!);
    sent++;
  };
  const read = (chunk: Buffer): void => {
    let added = chunk.length;
    if (missing === null) {
      // One character per byte.
      text += chunk.toString('latin1');
      const end = text.indexOf(END_OF_HEAD);
      if (end < 0) return;
      missing = lengthOf(text.slice(0, end));
      added = text.length;
      text = '';
    }
    missing -= added;
    if (missing < 0) fail('more bytes than Content-Length says');
    if (missing > 0) return;
    missing = null;
    if (isOver) return;
    answers++;
    send();
  };
  socket.on('connect', send).on('data', read);
  socket.setTimeout(TIMEOUT, () => fail(`no answer within ${TIMEOUT} ms`));
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => isOver || fail('the server closed a connection'));
  return socket;
}

// Each connection has its own paths, if there are enough.
const sockets = Array.from({ length: clients }, (_, client) =>
  load(paths.length < clients ? paths : paths.filter((_path, index) => index % clients === client)),
);
const stayAwake = (): void => {
  if (!isOver) setImmediate(stayAwake);
};
stayAwake();
const start = performance.now();
setTimeout(
  () => {
    isOver = true;
    const elapsed = performance.now() - start;
    if (answers === 0) fail('no answers');
    process.stdout.write(`${(answers / elapsed) * 1000}\n`);
    for (const socket of sockets) socket.destroy();
  },
  Number(seconds) * 1000,
);
