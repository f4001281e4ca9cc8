/** Why a process closes its connections: the service stops, or another worker has taken its place. */
export type Drain = 'stop' | 'replacement';

/** How long a drain takes. */
interface Times {
  /**
   * How long connections stay open between requests, in milliseconds. Each request meanwhile is answered with
   * `Connection: close`, so that no client sends a request to a connection that is being closed.
   */
  linger: number;
  /** How long open requests may take after that, in milliseconds. */
  limit: number;
}

/** A supervisor waits for the end of a service, but nobody waits for the end of a worker that has been replaced. */
export const DRAINS: Record<Drain, Times> = {
  stop: { linger: 0, limit: 10_000 },
  replacement: { linger: 3000, limit: 60_000 },
};
