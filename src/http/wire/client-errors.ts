import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, problemType } from './problems.js';

/** What Node's parser refuses before there is a request; code, status, title. */
const REFUSALS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

function refusal(status: number, headers: Record<string, string>): { body: string; fields: Record<string, string> } {
  const body = JSON.stringify({ type: problemType('bad-request'), title: 'The request is no HTTP request that is understood', status });
  return { body, fields: { ...headers, 'content-type': PROBLEM_MEDIA_TYPE, 'content-length': String(Buffer.byteLength(body)) } };
}

/** Answers a request whose URL the router cannot read, before any hook runs. */
export function refuseUrl(headers: Record<string, string>, response: ServerResponse): void {
  const { body, fields } = refusal(400, headers);
  response.writeHead(400, fields).end(body);
}

/** Answers bytes that are no HTTP request with a problem document and the header set, and ends the connection. */
export function clientErrorHandler(headers: Record<string, string>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, reason] = REFUSALS[error.code ?? ''] ?? [400, 'Bad Request'];
    const { body, fields } = refusal(status, headers);
    const head = Object.entries({ ...fields, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${body}`);
  };
}
