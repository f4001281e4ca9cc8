import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { Json, JsonObject } from '../../src/client/check/json.js';
import { type Answer, Client } from '../campaigns/client.js';

/** A request to a broken server. */
export interface Asked {
  url: URL;
  method: string;
}

/** What a server does wrong. */
export interface Fault {
  /** Changes the URL before the service sees it. */
  request?: (url: URL) => unknown;
  /** Changes the response. */
  answer?: (answer: Answer, asked: Asked) => unknown;
}

/** Transport header fields, which each hop sets itself. */
const HOP = new Set(['date', 'connection', 'keep-alive']);

/** Replaces or adds a header field; null removes it. */
export function setField(answer: Answer, name: string, value: string | null): void {
  const index = answer.headers.findIndex(([each]) => each.toLowerCase() === name);
  if (index >= 0 && value === null) answer.headers.splice(index, 1);
  else if (index >= 0) answer.headers[index]![1] = value!;
  else if (value !== null) answer.headers.push([name, value]);
}

/** Replaces the body and sets Content-Length accordingly. */
export function setBody(answer: Answer, text: string): void {
  answer.body = Buffer.from(text);
  setField(answer, 'transfer-encoding', null);
  setField(answer, 'content-length', String(answer.body.length));
}

/**
 * Replaces each object in a body with the result of `change`, which gets the object and its name.
 */
export function changeObjects(
  answer: Answer,
  change: (object: JsonObject, name: string) => JsonObject,
): void {
  const walk = (value: Json, name: string): Json => {
    if (Array.isArray(value)) return value.map((each) => walk(each, name));
    if (typeof value !== 'object' || value === null) return value;
    return change(
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, key)])),
      name,
    );
  };
  if (answer.status === 200 && answer.body.length > 0)
    setBody(answer, JSON.stringify(walk(JSON.parse(answer.body.toString()) as Json, '')));
}

/** A server in front of the service that does one thing wrong. It ends with the test. */
export class BrokenServer {
  /** What it does wrong at the moment. */
  fault: Fault = {};
  /** The answers of the service, which only reads: by method and URL. */
  private readonly answers = new Map<string, Promise<Answer>>();
  private client: Client | undefined;

  private constructor(readonly base: string) {}

  /**
   * Listens on a free port.
   * @param upstream returns the URL of the service, given that of this server
   * @param path the path below which the server has the service
   */
  static async open(
    t: Test,
    upstream: (base: string) => string | Promise<string>,
    path = '',
  ): Promise<BrokenServer> {
    const server = createServer((request, response) => {
      Promise.resolve(service)
        .then((each) =>
          broken.pass(
            (broken.client ??= new Client(Number(new URL(each).port))),
            request,
            response,
            path,
          ),
        )
        .catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      broken.client?.close();
      server.closeAllConnections();
      server.close();
    });
    const broken = new BrokenServer(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    );
    const service = upstream(broken.base);
    return broken;
  }

  private async pass(
    client: Client,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    const url = new URL(request.url!.slice(path.length), `http://${request.headers.host}`);
    this.fault.request?.(url);
    const method = request.method!;
    const key = `${method} ${url.href}`;
    const fields = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const asked = { method, target: url.pathname + url.search, headers: fields };
    if (!this.answers.has(key)) this.answers.set(key, client.ask(asked));
    const { status, headers, body } = await this.answers.get(key)!;
    const own = headers
      .filter(([name]) => !HOP.has(name))
      .map(([name, value]): [string, string] => [name, value]);
    const answer: Answer = { status, headers: own, body };
    await this.fault.answer?.(answer, { url, method });
    response.writeHead(answer.status, answer.headers.flat()).end(answer.body);
    const announced = answer.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    // A client would wait for the missing bytes if Content-Length is too large.
    if (Number(announced) > answer.body.length) response.on('finish', () => request.socket.end());
  }
}
