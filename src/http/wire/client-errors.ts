import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Refusal } from './answers.js';
import { FIXED_FIELDS } from './header-fields.js';
import { PROBLEM_MEDIA_TYPE, problemType, problemTitle } from './problems.js';

/**
 * Not imported: an import evaluates all exports, and one of node:http loads the fetch client, which
 * takes 14 MB and 28 ms.
 */
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http');

/**
 * Errors of Node's parser, before there is a request: by code, the status and the reason phrase.
 * All others are 400.
 */
const REFUSALS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** How long a connection may stay half-open after its last answer, in milliseconds. */
const LINGER = 2000;

/**
 * Closes a connection after what has been written to it. It still reads for a while: closing with
 * unread bytes would reset the connection, and the client might never see the answer.
 */
function closeSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.resume().end();
}

function refusal(status: number): { body: string; fields: Record<string, string> } {
  const body = JSON.stringify({
    type: problemType('bad-request'),
    title: problemTitle('bad-request'),
    status,
  });
  return {
    body,
    fields: {
      ...FIXED_FIELDS,
      'content-type': PROBLEM_MEDIA_TYPE,
      'content-length': String(Buffer.byteLength(body)),
    },
  };
}

/** Called with each request that is refused here. */
type OnRefusal = (refusal: Refusal) => void;

/** Answers a request whose URL the router cannot decode. No hook has run. */
export function refuseUrl(response: ServerResponse, onRefusal: OnRefusal): void {
  const { body, fields } = refusal(400);
  const { method = null, url = null, socket } = response.req;
  onRefusal({
    method,
    url,
    status: 400,
    bytes: method === 'HEAD' ? 0 : Buffer.byteLength(body),
    socket,
  });
  response.writeHead(400, fields).end(body);
}

/** The streamed answers of each connection that are not sent yet. */
const streamed = new WeakMap<Socket, Set<ServerResponse>>();

/** Notes that an answer is streamed, so that no refusal is written into it. */
export function noteStreamed(response: ServerResponse): void {
  // The response has no socket yet if an earlier answer of the connection is still being sent.
  const { socket } = response.req;
  const answers = streamed.get(socket) ?? new Set();
  streamed.set(socket, answers.add(response));
  response.once('close', () => answers.delete(response));
}

/**
 * Makes a handler that answers bytes which are not an HTTP request with a problem document and the
 * fixed header fields, and closes the connection.
 */
export function clientErrorHandler(onRefusal: OnRefusal) {
  return (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    // After a failed TLS handshake, an answer could not be encrypted. Within a streamed answer, it
    // would look like part of that answer.
    const isStreaming = (streamed.get(socket)?.size ?? 0) > 0;
    const isTls = /^(ERR_TLS|ERR_SSL|EPROTO)/.test(error.code ?? '');
    if (
      error.code === 'ECONNRESET' ||
      isTls ||
      isStreaming ||
      socket.destroyed ||
      !socket.writable
    ) {
      socket.destroy();
      return;
    }
    const [status, reason] = REFUSALS[error.code ?? ''] ?? [400, 'Bad Request'];
    const { body, fields } = refusal(status);
    // The client of a HEAD request takes a body for a second answer.
    const isHead =
      Buffer.isBuffer(error.rawPacket) && error.rawPacket.toString('latin1', 0, 5) === 'HEAD ';
    const sent = isHead ? '' : body;
    onRefusal({ method: null, url: null, status, bytes: sent.length, socket });
    const head = Object.entries({
      ...fields,
      date: new Date().toUTCString(),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${sent}`);
    closeSoon(socket);
  };
}

/**
 * Answers CONNECT like any other request, and then closes the connection. Node takes the connection
 * of a CONNECT out of HTTP, because what follows could be anything; without a listener it closes
 * the connection without an answer.
 */
export function answerConnect(server: Server): void {
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const response = new http.ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request of the connection is still being answered. The client must not take our
      // answer for that one.
      socket.destroy();
      return;
    }
    response.on('finish', () => closeSoon(socket));
    server.emit('request', request, response);
  });
}

/**
 * Answers a request with `Expect` like any other (RFC 9110, section 10.1.1): its final status
 * depends on its head alone. If the request waits for the one before, Node would write
 * `100 Continue` between the head and the body of its answer. It would also answer other
 * expectations without our header fields.
 */
export function answerExpectations(server: Server): void {
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request: IncomingMessage, response: ServerResponse) =>
      server.emit('request', request, response),
    );
}
