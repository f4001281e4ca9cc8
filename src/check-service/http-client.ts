import * as http from 'node:http';
import * as https from 'node:https';

/** A request and its response as received. */
export interface Exchange {
  method: string;
  url: string;
  /** The status; 0 if there was no response, with the reason in `fault`. */
  status: number;
  /** The header fields in the order received, with lower-case names. A repeated field appears twice. */
  headers: [string, string][];
  body: Buffer;
  /** What is wrong with the response as HTTP; null if nothing. */
  fault: string | null;
}

/** The value of a header field; undefined if it is missing. */
export const fieldOf = ({ headers }: Exchange, name: string): string | undefined => headers.find(([each]) => each === name)?.[1];

/** How long a response may take, in milliseconds. */
const TIMEOUT = 30_000;

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.message.includes(error.code ?? '') || error.message === ''
    ? error.message || (error.code ?? 'unknown error')
    : `${error.code}: ${error.message}`;

/** The service does not respond, or no longer does. The message is one line. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** How many requests in a row may go without a response before the run ends. */
const MOST_UNANSWERED = 3;

/** Sends requests and records what fetch hides: each header field as received, and errors of HTTP itself. */
export class HttpClient {
  /** How many requests were sent. */
  requests = 0;
  private unanswered = 0;
  private readonly agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

  /**
   * Sends a request. Errors are findings and go to `fault`. Redirects are not followed.
   * @throws {Unreachable} after several requests in a row without a response
   */
  async request(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Exchange> {
    if (!URL.canParse(url)) return { method, url, status: 0, headers: [], body: Buffer.alloc(0), fault: 'not a URL' };
    let { exchange, stale } = await this.send(url, method, headers);
    // The server may close an idle connection just as it is used again. That is not a finding.
    if (stale) ({ exchange } = await this.send(url, method, headers));
    this.unanswered = exchange.status === 0 ? this.unanswered + 1 : 0;
    if (this.unanswered >= MOST_UNANSWERED) throw new Unreachable(`${new URL(url).origin} no longer responds: ${exchange.fault}`);
    return exchange;
  }

  private send(url: string, method: string, headers: Record<string, string>): Promise<{ exchange: Exchange; stale: boolean }> {
    this.requests += 1;
    const exchange: Exchange = { method, url, status: 0, headers: [], body: Buffer.alloc(0), fault: null };
    const secure = url.startsWith('https:');
    return new Promise((resolve) => {
      const request = (secure ? https : http).request(url, {
        method,
        headers: { 'user-agent': 'gnss-site-setups-check-service', ...headers },
        agent: this.agents[secure ? 'https:' : 'http:'],
      });
      const timer = setTimeout(() => request.destroy(new Error(`no response within ${TIMEOUT / 1000} seconds`)), TIMEOUT);
      const end = (stale = false): void => {
        clearTimeout(timer);
        resolve({ exchange, stale });
      };
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        exchange.status = response.statusCode ?? 0;
        for (let index = 0; index < response.rawHeaders.length; index += 2) {
          exchange.headers.push([response.rawHeaders[index]!.toLowerCase(), response.rawHeaders[index + 1]!]);
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => (exchange.fault ??= `the body ended early (${reasonOf(error)})`));
        response.on('close', () => {
          exchange.body = Buffer.concat(chunks);
          end();
        });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        exchange.fault ??= reasonOf(error);
        // A parser error arrives before its response is complete; then the response ends the exchange.
        if (exchange.status === 0) end(request.reusedSocket && error.code === 'ECONNRESET');
      });
      request.end();
    });
  }

  /** Closes the idle connections. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}
