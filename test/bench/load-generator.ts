import autocannon from 'autocannon';
import { lookupUrl } from './lookup-request.js';
import { processorTimeOf } from './processor-time.js';
import { SITE_IDS } from './synthetic-logs.js';

/**
 * `load-generator URL PID`: asks the server for the current Setups of all Sites in turn, and prints a {@link Load} as JSON.
 * A process of its own, so that the generator's work is not on the server's event loop, nor on the benchmark's.
 */

/** What a server did under load. */
export interface Load {
  requestsPerSecond: number;
  /** Time of processor that the server spent on one request, in microseconds; null where there is no /proc. */
  processorTime: number | null;
}

const CONNECTIONS = 32;
/** In seconds: enough requests for the server's code to be compiled. */
const WARM_UP = 1;
const DURATION = 3;

/** @throws where a single answer is anything but 200 */
async function load(url: string, duration: number): Promise<{ requests: number; seconds: number }> {
  let connections = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    pipelining: 1,
    duration,
    // Each connection has Sites of its own: at no time do two ask for the same.
    setupClient: (client) => {
      const number = connections++ % CONNECTIONS;
      const ids = SITE_IDS.filter((_, index) => index % CONNECTIONS === number);
      client.setRequests(ids.map((id) => ({ method: 'GET', path: lookupUrl('', id) })));
    },
  });
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (result.errors > 0 || statuses.some((status) => status !== '200') || result['2xx'] === 0) {
    throw new Error(`${url}: answers ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors; expected nothing but 200`);
  }
  return { requests: result['2xx'], seconds: (result.finish.getTime() - result.start.getTime()) / 1000 };
}

const [url = '', pid = ''] = process.argv.slice(2);
await load(url, WARM_UP);
const before = processorTimeOf(pid);
const { requests, seconds } = await load(url, DURATION);
const after = processorTimeOf(pid);
const measured: Load = {
  requestsPerSecond: requests / seconds,
  processorTime: before === null || after === null ? null : ((after - before) / requests) * 1e6,
};
process.stdout.write(JSON.stringify(measured));
