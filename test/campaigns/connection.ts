import { connect, type Socket } from 'node:net';

/** An answer, as read from the socket. */
export interface Answer {
  status: number;
  /** Names in lower case, in order, repeated ones too. */
  headers: [string, string][];
  body: Buffer;
}

/** The bytes are not an HTTP answer with the length that it announces, or in chunks. */
export class Malformed extends Error {}

interface Head {
  status: number;
  headers: [string, string][];
  bodyStart: number;
  /** Of the body; null if it comes in chunks, Infinity if it ends with the connection. */
  length: number | null;
}

/** Reads the head of an answer; undefined if it is incomplete. @throws {Malformed} */
function readHead(bytes: Buffer, isHead: boolean): Head | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [first, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(first!)?.[1];
  if (status === undefined) throw new Malformed(`not a status line: ${JSON.stringify(first!.slice(0, 200))}`);
  const headers = lines.map((line): [string, string] => {
    const field = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (field === null) throw new Malformed(`not a header field: ${JSON.stringify(line.slice(0, 200))}`);
    return [field[1]!.toLowerCase(), field[2]!];
  });
  const valueOf = (field: string): string | undefined => headers.find(([name]) => name === field)?.[1];
  const [length, encoding] = [valueOf('content-length'), valueOf('transfer-encoding')];
  if (length !== undefined && encoding !== undefined) throw new Malformed(`a ${status} with Content-Length and Transfer-Encoding`);
  const head = { status: Number(status), headers, bodyStart: headEnd + 4 };
  if (isHead || status === '204' || status === '304') return { ...head, length: 0 };
  if (encoding === 'chunked') return { ...head, length: null };
  // The answer to a client without HTTP/1.1, which does not know chunks.
  if (length === undefined && valueOf('connection') === 'close') return { ...head, length: Infinity };
  if (!/^\d+$/.test(length ?? '')) throw new Malformed(`a ${status} without a valid Content-Length: ${length}`);
  return { ...head, length: Number(length) };
}

/** The last bytes of a body in chunks. */
const LAST_CHUNK = '0\r\n\r\n';

/** Reads a body in chunks (RFC 9112, section 7.1), without extensions and trailers; undefined if it is incomplete. @throws {Malformed} */
function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = bytes.toString('latin1', at, lineEnd);
    if (!/^[\da-f]{1,8}$/i.test(size)) throw new Malformed(`not the size of a chunk: ${JSON.stringify(size.slice(0, 200))}`);
    const [begin, end] = [lineEnd + 2, lineEnd + 2 + parseInt(size, 16)];
    if (bytes.length < end + 2) return undefined;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') throw new Malformed('a chunk of another size');
    if (begin === end) return { body: Buffer.concat(chunks), end: end + 2 };
    chunks.push(bytes.subarray(begin, end));
    at = end + 2;
  }
}

/** Reads an answer with its end; undefined if it is incomplete. One that ends with the connection has all bytes. @throws {Malformed} */
function readAnswer({ status, headers, bodyStart, length }: Head, bytes: Buffer): { answer: Answer; end: number } | undefined {
  if (length === null) {
    const read = readChunks(bytes, bodyStart);
    return read && { answer: { status, headers, body: read.body }, end: read.end };
  }
  const end = length === Infinity ? bytes.length : bodyStart + length;
  return bytes.length < end ? undefined : { answer: { status, headers, body: bytes.subarray(bodyStart, end) }, end };
}

/**
 * Reads all answers from the bytes of a connection.
 * @param hasEnded whether the client ended its side: Node.js then breaks off a streamed answer, which is left out
 * @throws {Malformed} if bytes are left over
 */
export function readAnswers(bytes: Buffer, hasEnded = false): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const head = readHead(rest, false);
    const read = head && readAnswer(head, rest);
    if (read === undefined && hasEnded && head?.length === null) break;
    if (read === undefined) throw new Malformed(`cut off: ${JSON.stringify(rest.toString('latin1').slice(0, 200))}`);
    answers.push(read.answer);
    rest = rest.subarray(read.end);
  }
  return answers;
}

/** A connection for one request after the other. It connects again after the server has closed it. */
export class Connection {
  private socket: Socket | null = null;
  private pending: { chunks: Buffer[]; size: number; head: Head | undefined; isHead: boolean } | null = null;
  private settle: ((result: Answer | Error) => void) | null = null;

  private readonly port: number;
  private readonly timeout: number;

  /** @param timeout after how many milliseconds without a complete answer a request fails */
  constructor(port: number, timeout = 10_000) {
    this.port = port;
    this.timeout = timeout;
  }

  private open(): Socket {
    if (this.socket !== null && !this.socket.destroyed && this.socket.writable) return this.socket;
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    const isCurrent = (): boolean => this.socket === socket;
    socket.on('data', (chunk) => isCurrent() && this.receive(chunk));
    socket.on('error', (error) => isCurrent() && this.finish(error));
    socket.on('close', () => isCurrent() && this.finish(new Error('closed without an answer')));
    this.socket = socket;
    return socket;
  }

  private receive(chunk: Buffer): void {
    const { pending } = this;
    if (pending === null) return this.close();
    pending.chunks.push(chunk);
    pending.size += chunk.length;
    if (pending.head !== undefined && !this.mayBeComplete()) return;
    try {
      const bytes = pending.chunks.length === 1 ? chunk : Buffer.concat(pending.chunks);
      pending.chunks = [bytes];
      pending.head ??= readHead(bytes, pending.isHead);
      const { head } = pending;
      const read = head && readAnswer(head, bytes);
      if (head === undefined || read === undefined) return;
      const { answer, end } = read;
      const closes = answer.headers.some(([name, value]) => name === 'connection' && value === 'close');
      // A refusal of malformed HTTP has a body even after HEAD, because the method of such bytes is unknown.
      const isRefusal = pending.isHead && closes && head.status >= 400;
      if (bytes.length > end && !isRefusal) throw new Malformed(`${bytes.length - end} bytes behind the answer`);
      if (closes) this.close();
      this.finish(answer);
    } catch (error) {
      this.close();
      this.finish(error as Error);
    }
  }

  /** Whether it is worth while to join what has come. */
  private mayBeComplete(): boolean {
    const { head, size, chunks } = this.pending!;
    if (head!.length !== null) return size >= head!.bodyStart + head!.length;
    return Buffer.concat(chunks.slice(-LAST_CHUNK.length)).toString('latin1').endsWith(LAST_CHUNK);
  }

  private finish(result: Answer | Error): void {
    const { settle } = this;
    this.settle = null;
    this.pending = null;
    settle?.(result);
  }

  /** Sends a request and waits for its answer. @throws {Error} without a complete answer */
  async ask(bytes: Buffer, isHead = false): Promise<Answer> {
    const socket = this.open();
    let timer: NodeJS.Timeout | undefined;
    const result = await new Promise<Answer | Error>((resolve) => {
      this.pending = { chunks: [], size: 0, head: undefined, isHead };
      this.settle = resolve;
      timer = setTimeout(() => {
        this.close();
        this.finish(new Error(`no answer within ${this.timeout} ms`));
      }, this.timeout);
      socket.write(bytes);
    });
    clearTimeout(timer);
    if (result instanceof Error) throw result;
    return result;
  }

  /** Closes the connection. */
  close(): void {
    const { socket } = this;
    this.socket = null;
    socket?.destroy();
  }
}

/** Sends a GET and waits for its answer. */
export const get = (connection: Connection, target: string, host = '127.0.0.1'): Promise<Answer> =>
  connection.ask(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
