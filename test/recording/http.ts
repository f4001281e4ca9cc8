import { Agent, request as send } from 'node:http';

/** The host that all requests name, so that links do not depend on the port. */
export const HOST = 'recorded.example';
export const BASE = `http://${HOST}`;

/** A request. */
export interface Request {
  /** Path and query. */
  url: string;
  /** `page` asks as a browser does, `data` as a program. */
  as: 'page' | 'data';
  method?: string;
  headers?: Record<string, string>;
}

/** An answer. */
export interface Answer {
  status: number;
  /** `name: value`, as sent, except Date. */
  headers: string[];
  /** The fields by name in lower case. */
  field: (name: string) => string | undefined;
  body: Buffer;
}

const ACCEPT = {
  page: 'text/html,application/xhtml+xml,application/xml;q=0.9',
  data: '*/*',
};

/** Sends requests to a server on the loopback. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  /** Sends a request. @throws {Error} if there is no answer */
  async ask({ url, as, method = 'GET', headers = {} }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = send(
        {
          host: '127.0.0.1',
          port: this.port,
          agent: this.agent,
          path: url,
          method,
          headers: { host: HOST, accept: ACCEPT[as], ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const raw = response.rawHeaders;
            const fields = raw.flatMap((name, at) =>
              at % 2 === 0 && name.toLowerCase() !== 'date' ? [`${name}: ${raw[at + 1]}`] : [],
            );
            resolve({
              status: response.statusCode!,
              headers: fields,
              field: (name) => response.headers[name]?.toString(),
              body: Buffer.concat(chunks),
            });
          });
        },
      );
      request.on('error', (error) =>
        reject(new Error(`${method} ${url}: no answer`, { cause: error })),
      );
      request.end();
    });
  }

  /** The JSON document at a URL. @throws {Error} if there is none */
  async json(url: string): Promise<any> {
    const { status, body } = await this.ask({ url, as: 'data' });
    if (status !== 200) throw new Error(`${url}: status ${status}`);
    return JSON.parse(body.toString());
  }

  close(): void {
    this.agent.destroy();
  }
}
