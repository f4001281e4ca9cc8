/** An answer as received. */
export interface Received {
  /** The status; 0 if there was no answer. */
  status: number;
  headers: Headers;
  body: Buffer;
  /** Why there is no answer, or only a part of one; null if it is complete. */
  fault: string | null;
}

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 30_000;

/** The check cannot begin or go on. The message is one line. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}

/** Sends a GET. Redirects are not followed. */
export async function get(url: string): Promise<Received> {
  const received: Received = {
    status: 0,
    headers: new Headers(),
    body: Buffer.alloc(0),
    fault: null,
  };
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'gnss-site-setups-client' };
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    received.status = response.status;
    received.headers = response.headers;
    received.body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    const { message, cause } = error as Error;
    received.fault = cause instanceof Error ? cause.message : message;
  }
  return received;
}
