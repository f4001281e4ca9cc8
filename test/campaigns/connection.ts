import { connect, type Socket } from 'node:net';

/** An answer, as read from the socket. */
export interface Answer {
  status: number;
  /** Names in lower case, in order, repeated ones too. */
  headers: [string, string][];
  body: Buffer;
}

/** The bytes are not an HTTP answer with the length that it announces. */
export class Malformed extends Error {}

interface Head {
  status: number;
  headers: [string, string][];
  /** Where the answer ends. */
  end: number;
  bodyStart: number;
}

/** What a client that asked for it gets before the answer. */
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Reads the head of an answer; undefined if it is incomplete. @throws {Malformed} */
function readHead(bytes: Buffer, isHead: boolean): Head | undefined {
  const start = bytes.toString('latin1', 0, CONTINUE.length) === CONTINUE ? CONTINUE.length : 0;
  const headEnd = bytes.indexOf('\r\n\r\n', start);
  if (headEnd < 0) return undefined;
  const [first, ...lines] = bytes.toString('latin1', start, headEnd).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(first!)?.[1];
  if (status === undefined) throw new Malformed(`not a status line: ${JSON.stringify(first!.slice(0, 200))}`);
  const headers = lines.map((line): [string, string] => {
    const field = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (field === null) throw new Malformed(`not a header field: ${JSON.stringify(line.slice(0, 200))}`);
    return [field[1]!.toLowerCase(), field[2]!];
  });
  const length = headers.find(([name]) => name === 'content-length')?.[1];
  const hasNoBody = isHead || status === '204' || status === '304';
  if (!hasNoBody && !/^\d+$/.test(length ?? '')) throw new Malformed(`a ${status} without a valid Content-Length: ${length}`);
  const bodyStart = headEnd + 4;
  return { status: Number(status), headers, bodyStart, end: bodyStart + (hasNoBody ? 0 : Number(length)) };
}

const toAnswer = ({ status, headers, bodyStart, end }: Head, bytes: Buffer): Answer => ({
  status,
  headers,
  body: bytes.subarray(bodyStart, end),
});

/**
 * Reads all answers from the bytes of a connection. Node.js drops a request that is not answered yet when the client ends
 * its side, even after `100 Continue`, so that may come last.
 * @throws {Malformed} if bytes are left over
 */
export function readAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  while (rest.length > 0 && rest.toString('latin1') !== CONTINUE) {
    const head = readHead(rest, false);
    if (head === undefined || head.end > rest.length)
      throw new Malformed(`cut off: ${JSON.stringify(rest.toString('latin1').slice(0, 200))}`);
    answers.push(toAnswer(head, rest));
    rest = rest.subarray(head.end);
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
    if (pending.head !== undefined && pending.size < pending.head.end) return;
    try {
      const bytes = pending.chunks.length === 1 ? chunk : Buffer.concat(pending.chunks);
      pending.chunks = [bytes];
      pending.head ??= readHead(bytes, pending.isHead);
      const { head } = pending;
      if (head === undefined || bytes.length < head.end) return;
      const answer = toAnswer(head, bytes);
      const closes = answer.headers.some(([name, value]) => name === 'connection' && value === 'close');
      // A refusal of malformed HTTP has a body even after HEAD, because the method of such bytes is unknown.
      const isRefusal = pending.isHead && closes && head.status >= 400;
      if (bytes.length > head.end && !isRefusal) throw new Malformed(`${bytes.length - head.end} bytes behind the answer`);
      if (closes) this.close();
      this.finish(answer);
    } catch (error) {
      this.close();
      this.finish(error as Error);
    }
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
