import type { Random } from './random.js';
import { requestBytes } from './requests.js';

/** Bytes to send on one connection, and what must come back. */
export interface SocketCase {
  kind: string;
  /** Sent one after the other, with a pause between them. */
  chunks: Buffer[];
  /** What follows the bytes: nothing, the end of our side, or the end of the connection. */
  then: 'wait' | 'end' | 'destroy';
  expected: {
    /** The bodies of successful answers, in order, and no others. */
    targets?: string[];
    /** The status of the first answer. */
    status?: number[];
    /** No answer may contain this. */
    absent?: string;
    /** Whether the connection may close without an answer. */
    silence?: boolean;
  };
}

const HOST: [string, string] = ['Host', '127.0.0.1'];

/** Cuts bytes at random places. */
function cut(random: Random, bytes: Buffer): Buffer[] {
  const places = Array.from({ length: random.below(4) }, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
  const chunks = [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
  return chunks.some(({ length }) => length > 0) ? chunks.filter(({ length }) => length > 0) : [bytes];
}

/** Changes some bytes of a request. */
function garble(random: Random, bytes: Buffer): Buffer {
  let text = bytes.toString('latin1');
  for (let times = random.few(6); times > 0; times--) {
    const at = random.below(text.length + 1);
    const byte = String.fromCharCode(random.chance(0.4) ? random.pick([0, 9, 10, 13, 32, 58, 127, 255]) : random.below(256));
    const until = at + 1 + random.below(random.chance(0.8) ? 3 : 60);
    text = random.pick([
      text.slice(0, at) + byte + text.slice(at + 1),
      text.slice(0, at) + byte + text.slice(at),
      text.slice(0, at) + text.slice(until),
      text.slice(0, until) + text.slice(at),
    ]);
  }
  return Buffer.from(text, 'latin1');
}

/** Ways to disagree about where a body ends. `L` is the length of the hidden request with what surrounds it. */
const DISAGREEMENTS: { headers: string; body: (hidden: string) => string }[] = [
  ...[
    'Transfer-Encoding: chunked\r\nContent-Length: L',
    'Content-Length: L\r\nTransfer-Encoding: chunked',
    'Content-Length: L\r\nTransfer-Encoding: xchunked',
    'Content-Length: L\r\nTransfer-Encoding : chunked',
    'Content-Length: L\r\n Transfer-Encoding: chunked',
    'Content-Length: L\r\nX: a\rTransfer-Encoding: chunked',
    'Content-Length: L\r\nTransfer-Encoding: chunked, identity',
    'Content-Length: L\r\nTransfer-Encoding: \x0bchunked',
    'Content-Length: L\r\nTransfer-Encoding: "chunked"',
    'Content-Length: L\r\nTransfer_Encoding: chunked',
  ].map((headers) => ({ headers, body: (hidden: string) => `0\r\n\r\n${hidden}` })),
  ...[
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 4',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 4',
    'Transfer-Encoding: identity, chunked\r\nContent-Length: 4',
  ].map((headers) => ({ headers, body: (hidden: string) => `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n` })),
  ...[
    'Content-Length: L\r\nContent-Length: 0',
    'Content-Length: 0\r\nContent-Length: L',
    'Content-Length: L, 0',
    'Content-Length: +L',
    'Content-Length: 0x1',
    'Content-Length: -1',
    'Content-Length: 1 0',
    'Content-Length: 99999999999999999999999',
    'Content-Length : L',
    'X: a\r\n Content-Length: L',
    'X: a\nContent-Length: L\nY: b',
    'X: a\rContent-Length: L',
    'X: \0\r\nContent-Length: L',
    'Content-Length:\r\n L',
  ].map((headers) => ({ headers, body: (hidden: string) => hidden })),
  ...['ffffffffffffffff1', '0x5', '-1', '5;\n', '', ' 5', '+5', '5\n'].map((size) => ({
    headers: 'Transfer-Encoding: chunked',
    body: (hidden: string) => `${size}\r\nhello${hidden}`,
  })),
];

function smuggling(random: Random, number: number): SocketCase {
  const marker = `smuggled-${number}`;
  const hidden = `GET /${marker} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  const { headers, body } = random.pick(DISAGREEMENTS);
  const content = body(hidden);
  const method = random.pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']);
  const version = random.chance(0.9) ? '1.1' : '1.0';
  const text = `${method} /health HTTP/${version}\r\nHost: 127.0.0.1\r\n${headers.replaceAll('L', (letter, at: number) => (/[:, +]/.test(headers[at - 1] ?? '') ? String(content.length) : letter))}\r\n\r\n${content}`;
  // What a HEAD gets cannot be read without knowing whether the request was understood.
  return { kind: 'smuggling', chunks: cut(random, Buffer.from(text, 'latin1')), then: 'end', expected: { absent: marker } };
}

/** Requests that are refused, or answered in a fixed way, by RFC 9110 and 9112. */
const FIXED: { kind: string; text: string; status: number[] }[] = [
  { kind: 'two Host fields', text: 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', status: [400] },
  { kind: 'no Host field', text: 'GET /health HTTP/1.1\r\n\r\n', status: [400] },
  { kind: 'GET *', text: 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', status: [400, 404] },
  { kind: 'OPTIONS *', text: 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', status: [200, 204] },
  { kind: 'CONNECT', text: 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', status: [400, 404, 405, 501] },
  { kind: 'another protocol', text: 'SSH-2.0-OpenSSH_9\r\n\r\n', status: [400] },
  { kind: 'HTTP/2 preface', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: [400, 505] },
  { kind: 'TLS', text: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', status: [400] },
  { kind: 'long header', text: `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, status: [431] },
  { kind: 'long target', text: `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, status: [414, 431] },
  { kind: 'many headers', text: `GET /health HTTP/1.1\r\nHost: a\r\n${'x:\r\n'.repeat(6000)}\r\n`, status: [431] },
  { kind: 'Upgrade', text: 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n', status: [200] },
];

/**
 * Makes one case.
 * @param request the bytes of any generated request
 * @param targets targets that are answered with 200, and always with the same bytes
 */
export function socketCase(random: Random, number: number, request: Buffer, targets: string[]): SocketCase {
  const get = (target: string): Buffer => requestBytes('GET', target, [HOST]);
  const kind = random.below(100);
  if (kind < 40) {
    // What a HEAD gets cannot be told from an answer with a body.
    const first = random.chance(0.5) || request.includes('HEAD') ? get(random.pick(targets)) : request;
    const bytes = random.chance(0.2) ? Buffer.concat([get('/health'), garble(random, first)]) : garble(random, first);
    return { kind: 'garbled', chunks: cut(random, bytes), then: 'end', expected: { silence: /^\s*$/.test(bytes.toString('latin1')) } };
  }
  if (kind < 60) return smuggling(random, number);
  if (kind < 75) {
    const list = Array.from({ length: 1 + random.below(random.chance(0.9) ? 20 : 300) }, () => random.pick(targets));
    return { kind: 'pipelined', chunks: cut(random, Buffer.concat(list.map(get))), then: 'wait', expected: { targets: list } };
  }
  if (kind < 85) {
    const target = random.pick(targets);
    const bytes = get(target);
    const half = 1 + random.below(bytes.length - 1);
    return {
      kind: 'half, then the rest',
      chunks: [bytes.subarray(0, half), bytes.subarray(half)],
      then: 'wait',
      expected: { targets: [target] },
    };
  }
  if (kind < 90) {
    const bytes = get(random.pick(targets));
    return {
      kind: 'half',
      chunks: [bytes.subarray(0, 1 + random.below(bytes.length - 1))],
      then: random.pick(['end', 'destroy']),
      expected: { silence: true },
    };
  }
  if (kind < 94) return { kind: 'abandoned', chunks: [request, get('/setups?size=1000')], then: 'destroy', expected: { silence: true } };
  const { text, status, kind: name } = random.pick(FIXED);
  return { kind: name, chunks: [Buffer.from(text, 'latin1')], then: 'end', expected: { status } };
}
