import { type Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { fieldsOf } from './answers.js';

/** Requests over real sockets, where transport matters. */

/** Lets an app listen. @returns its port */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** An answer, without the header fields of the transport. */
export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

interface Options {
  address?: string;
  host?: string;
  method?: string;
  agent?: Agent | false;
}

/** Sends a request. Without an agent, it has a connection of its own. */
export function ask(
  port: number,
  path: string,
  { address = '127.0.0.1', host = 'gnss.example.org', method = 'GET', agent = false }: Options = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: address, port, path, method, agent, headers: { host } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: fieldsOf(response.headers), body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/**
 * Sends bytes on a connection of its own.
 * @returns all that comes back until the service closes it, each byte as a character
 * @param more what is sent once everything received so far matches
 */
export function exchange(
  t: Test,
  port: number,
  bytes: string,
  more?: { when: RegExp; bytes: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    let isSent = false;
    // Never close first: a client that neither sends nor closes must not keep its connection.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write(bytes),
    );
    t.teardown(() => socket.destroy());
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      if (more === undefined || isSent || !more.when.test(received)) return;
      isSent = true;
      socket.write(more.bytes);
    });
    for (const event of ['end', 'close']) socket.on(event, () => resolve(received));
    socket.on('error', reject);
  });
}

/** Splits what came back into answers. @throws {Error} if one is incomplete */
export function answersIn(received: string, { withoutBody = false } = {}): Answer[] {
  const answers: Answer[] = [];
  for (let rest = received; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine, ...fields] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      fields
        .map((field) => /^([^:]*): *(.*)$/.exec(field)!.slice(1))
        .map(([name, value]) => [name!.toLowerCase(), value!]),
    );
    const length = withoutBody ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (end < 0 || body.length < length) throw new Error(`incomplete: ${rest.slice(0, 300)}`);
    answers.push({ status: Number(statusLine!.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
