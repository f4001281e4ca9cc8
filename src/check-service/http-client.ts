import type { Json } from './json.js';

/** A request and its response as received. */
export interface Exchange {
  /** The request, relative to the base URL: `GET /setups`. */
  subject: string;
  /** The status; 0 if there was no response, with the reason in `fault`. */
  status: number;
  headers: Headers;
  body: Buffer;
  /** The body as JSON, where it was read as such. */
  json?: Json | undefined;
  /** What is wrong with the response as HTTP; null if nothing. */
  fault: string | null;
}

/** How long a response may take, in milliseconds. */
const TIMEOUT = 30_000;
/** How many bytes a body may have. */
const LONGEST = 256 * 1024 * 1024;
/** How many requests in a row may go without a response before the run ends. */
const MOST_UNANSWERED = 3;

/**
 * Whether a connection ended before the response began. The server may just have closed one that was
 * idle, so the request can be sent again (RFC 9112, section 9.3.1).
 */
function isReset(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNRESET' || cause?.code === 'UND_ERR_SOCKET';
}

/** Sends a request that changes nothing, once more if its connection was reset. */
async function fetchAgain(url: string, options: () => RequestInit): Promise<Response> {
  try {
    return await fetch(url, options());
  } catch (error) {
    if (!isReset(error)) throw error;
    return fetch(url, options());
  }
}

/** The check cannot begin or go on. The message is one line. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}

/** Sends requests, and records what is wrong with the responses. */
export class HttpClient {
  /** How many requests were sent. */
  requests = 0;
  private unanswered = 0;

  /** @param base the URL of the service, without a trailing slash */
  constructor(readonly base: string) {}

  /**
   * Sends a request. Errors are findings and go to `fault`. Redirects are not followed.
   * @throws {CannotCheck} after several requests in a row without a response
   */
  async request(url: string, method = 'GET'): Promise<Exchange> {
    const subject = `${method} ${url.startsWith(this.base) ? url.slice(this.base.length) : url}`;
    const exchange: Exchange = {
      subject,
      status: 0,
      headers: new Headers(),
      body: Buffer.alloc(0),
      fault: null,
    };
    const headers = {
      'accept-encoding': 'identity',
      'user-agent': 'gnss-site-setups-check-service',
    };
    this.requests += 1;
    try {
      const response = await fetchAgain(url, () => ({
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      }));
      exchange.status = response.status;
      exchange.headers = response.headers;
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > LONGEST) throw new Error(`more than ${LONGEST} bytes`);
      }
      exchange.body = Buffer.concat(chunks);
    } catch (error) {
      const { message, cause } = error as Error;
      exchange.fault = cause instanceof Error ? cause.message : message;
    }
    this.unanswered = exchange.status === 0 ? this.unanswered + 1 : 0;
    if (this.unanswered >= MOST_UNANSWERED)
      throw new CannotCheck(`${this.base} no longer responds: ${exchange.fault}`);
    return exchange;
  }
}
