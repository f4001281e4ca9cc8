import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../campaigns/client.js';

/** What the bare server sends. */
export interface BareAnswers {
  headers: Answer['headers'];
  /** By path. */
  bodies: Record<string, string>;
}

/**
 * `bare-server FILE`: plain `node:http`, which sends the {@link BareAnswers} in that JSON file.
 * Each path has its own body, as with the service: one constant body would stay in the processor's
 * cache.
 */

const { headers, bodies } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as BareAnswers;
const bytes = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]));
/** Header fields that differ between the answers, or that Node writes itself. */
const OWN = ['content-length', 'date', 'connection', 'keep-alive'];
const fields = Object.fromEntries(headers.filter(([name]) => !OWN.includes(name)));
const keepAlive = headers.find(([name]) => name === 'keep-alive')?.[1];

const server = createServer(({ url }, response) => {
  const body = bytes.get(url!)!;
  response.writeHead(200, { ...fields, 'Content-Length': body.length }).end(body);
});
const seconds = /timeout=(\d+)/.exec(keepAlive ?? '')?.[1];
if (seconds !== undefined) server.keepAliveTimeout = Number(seconds) * 1000;
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(
    `{"msg":"serving at http://127.0.0.1:${(server.address() as AddressInfo).port}"}\n`,
  );
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
