import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './ask.js';

/** `bare-server ANSWER`: plain `node:http`, which answers every request with the {@link Answer} in that JSON file. */

const { headers, body } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Answer;
const bytes = Buffer.from(body);
/** Header fields that Node writes itself. */
const OF_NODE = ['date', 'connection', 'keep-alive'];
const fields = Object.fromEntries(headers.filter(([name]) => !OF_NODE.includes(name.toLowerCase())));
const keepAlive = headers.find(([name]) => name.toLowerCase() === 'keep-alive')?.[1];

const server = createServer((_request, response) => {
  response.writeHead(200, fields).end(bytes);
});
const seconds = /timeout=(\d+)/.exec(keepAlive ?? '')?.[1];
if (seconds !== undefined) server.keepAliveTimeout = Number(seconds) * 1000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Serving at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
