import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';

/** The host that requests name, and so where all links lead, whatever port a service listens on. */
export const BASE = 'http://guard.example';
/** How many requests are under way at once. */
const CONCURRENCY = 6;
/** The header fields of the transport, which differ in each answer. */
const TRANSPORT = ['date', 'connection', 'keep-alive'];
const TEXT = /^text\/|json|xml|^$/;

/** A request: the target of a GET and the `Accept` field. A target that begins with `$` is a command line instead. */
export interface Ask {
  target: string;
  accept?: string;
}

/** What came back. The status of a command is its exit code; that of a broken connection is 0. */
export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  /** The text; of other media types the hash. */
  body: string;
}

/** An answer without `servers`, which differ between engines, and without `Content-Length`, which depends on them. */
function withoutServers({ status, headers, body }: Answer): Answer {
  const others = headers.filter(([name]) => name !== 'content-length');
  return { status, headers: others, body: body.replace(/,"servers":\[[^\]]*\]/, '') };
}

/** A client of a service on the loopback, with a few connections that stay open. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

  constructor(private readonly port: number) {}

  /** Asks once. Never rejects: that a service breaks off is an answer too. */
  get({ target, accept = '*/*' }: Ask): Promise<Answer> {
    return new Promise((resolve) => {
      const fail = (error: Error): void => resolve({ status: 0, headers: [], body: error.message });
      const options = {
        host: '127.0.0.1',
        port: this.port,
        path: target,
        agent: this.agent,
        headers: { host: new URL(BASE).host, accept },
      };
      request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
        response.on('end', () => {
          const raw = response.rawHeaders.map((each, index) => (index % 2 === 0 ? each.toLowerCase() : each));
          const pairs = raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1]!]] : []));
          const headers = pairs.filter(([name]) => !TRANSPORT.includes(name));
          const bytes = Buffer.concat(chunks);
          const isText = TEXT.test(response.headers['content-type'] ?? '');
          const body = isText ? bytes.toString() : `sha256:${createHash('sha256').update(bytes).digest('hex')} ${bytes.length}`;
          const answer = { status: response.statusCode!, headers, body };
          resolve(/^\/ready(\?|$)/.test(target) ? withoutServers(answer) : answer);
        });
      })
        .on('error', fail)
        .end();
    });
  }

  /** Asks for everything, several at once. @returns the answers in the order of the asks */
  async getAll(asks: Ask[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    let next = 0;
    const ask = async (): Promise<void> => {
      while (next < asks.length) {
        const index = next++;
        answers[index] = await this.get(asks[index]!);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, ask));
    return answers;
  }

  close(): void {
    this.agent.destroy();
  }
}
