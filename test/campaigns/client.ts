import { Agent, type ClientRequest, request } from 'node:http';

/** A request, well-formed HTTP apart from its target and values. */
export interface Asked {
  method: string;
  target: string;
  /** Header fields, in order. */
  headers: [string, string][];
  body?: string;
}

/** An answer. */
export interface Answer {
  status: number;
  /** Names in lower case, in order, repeated ones too. */
  headers: [string, string][];
  body: Buffer;
}

/**
 * A connection for one request after the other. It connects again after the server has closed it.
 */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @param timeout how long a complete answer may take, in milliseconds */
  constructor(
    private readonly port: number,
    private readonly timeout = 10_000,
  ) {}

  /** Sends a request and waits for its answer. @throws {Error} without a complete answer */
  ask({ method, target, headers, body }: Asked): Promise<Answer> {
    const { agent, port, timeout } = this;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error(`no answer within ${timeout} ms`)), timeout);
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(error);
        sent?.destroy();
      };
      let sent: ClientRequest | undefined;
      // In an array, the header fields are sent as they are.
      sent = request(
        { host: '127.0.0.1', port, agent, method, path: target, headers: headers.flat() },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', fail);
          response.on('end', () => {
            clearTimeout(timer);
            const raw = response.rawHeaders;
            const fields = raw.flatMap((name, at) =>
              at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!] as [string, string]] : [],
            );
            resolve({ status: response.statusCode!, headers: fields, body: Buffer.concat(chunks) });
          });
        },
      );
      sent.on('error', fail);
      sent.end(body);
    });
  }

  /** Sends a GET. */
  get(target: string): Promise<Answer> {
    return this.ask({ method: 'GET', target, headers: [['Host', '127.0.0.1']] });
  }

  /** Closes the connection. */
  close(): void {
    this.agent.destroy();
  }
}
