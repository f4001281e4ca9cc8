import * as http from 'node:http';
import * as https from 'node:https';

/** A request and its answer as it came over the wire. */
export interface Exchange {
  method: string;
  url: string;
  /** The status; 0: there was no answer, and `fault` says why. */
  status: number;
  /** The header fields in the order in which they came, by lower-case name; a repeated one is there twice. */
  headers: [string, string][];
  body: Buffer;
  /** What was wrong with the answer as HTTP; null: nothing. */
  fault: string | null;
}

/** The value of a header field of an answer; undefined where it is not there. */
export const fieldOf = ({ headers }: Exchange, name: string): string | undefined => headers.find(([each]) => each === name)?.[1];

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 30_000;

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.message.includes(error.code ?? '') || error.message === ''
    ? error.message || (error.code ?? 'unknown error')
    : `${error.code}: ${error.message}`;

/** A deployment does not answer, or no longer; the message is one line. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** After how many requests in a row without an answer there is no point in going on. */
const MOST_UNANSWERED = 3;

/** Sends requests and keeps of the answers what fetch hides: each header field as it came, and what is wrong with the HTTP. */
export class HttpClient {
  /** How many requests were sent. */
  requests = 0;
  private unanswered = 0;
  private readonly agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

  /**
   * Sends a request. What goes wrong with it is a finding, in `fault`. Redirects are not followed.
   * @throws {Unreachable} after several in a row that got no answer
   */
  async request(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Exchange> {
    if (!URL.canParse(url)) return { method, url, status: 0, headers: [], body: Buffer.alloc(0), fault: 'this is no URL' };
    let { exchange, stale } = await this.send(url, method, headers);
    // The server may end a kept connection at the moment it is used again: that is no finding.
    if (stale) ({ exchange } = await this.send(url, method, headers));
    this.unanswered = exchange.status === 0 ? this.unanswered + 1 : 0;
    if (this.unanswered >= MOST_UNANSWERED) throw new Unreachable(`${new URL(url).origin} no longer answers: ${exchange.fault}`);
    return exchange;
  }

  private send(url: string, method: string, headers: Record<string, string>): Promise<{ exchange: Exchange; stale: boolean }> {
    this.requests += 1;
    const exchange: Exchange = { method, url, status: 0, headers: [], body: Buffer.alloc(0), fault: null };
    const secure = url.startsWith('https:');
    return new Promise((resolve) => {
      const request = (secure ? https : http).request(url, {
        method,
        headers: { 'user-agent': 'gnss-site-setups-contract', ...headers },
        agent: this.agents[secure ? 'https:' : 'http:'],
      });
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${TIMEOUT / 1000} seconds`)), TIMEOUT);
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
        // An error of the parser comes before the answer it belongs to is handed over in full.
        if (exchange.status === 0) end(request.reusedSocket && error.code === 'ECONNRESET');
      });
      request.end();
    });
  }

  /** Ends the connections that are kept. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}
