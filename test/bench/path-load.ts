import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { processorTimeOf } from './processor-time.js';

/**
 * `path-load URL PID FILE CONNECTIONS`: asks the server for each path of that JSON file once, and prints its {@link Cost}
 * as JSON. A process of its own, for the same reason as the load generator.
 */

/** What one request cost, in microseconds. */
export interface Cost {
  /** Time that passed, with all connections busy. */
  time: number;
  /** Time of processor that the server spent; null where there is no /proc. */
  processorTime: number | null;
}

/** How often it is looked whether all is answered, in milliseconds. */
const SAMPLE_INTERVAL = 20;
/** How long an answer may take, in seconds. */
const TIMEOUT = 60;

const [url = '', pid = '', file = '', connections = ''] = process.argv.slice(2);
const paths = JSON.parse(readFileSync(file, 'utf8')) as string[];
const clients = Math.min(Number(connections), paths.length);
let number = 0;
const before = processorTimeOf(pid);
const start = performance.now();
let end = start;
const result = await new Promise<autocannon.Result>((resolve, reject) => {
  const run = autocannon(
    {
      url,
      connections: clients,
      pipelining: 1,
      amount: paths.length,
      sampleInt: SAMPLE_INTERVAL,
      timeout: TIMEOUT,
      // Each connection has paths of its own, as many as autocannon lets it ask for.
      setupClient: (client) => {
        const own = number++;
        client.setRequests(paths.filter((_, index) => index % clients === own).map((path) => ({ method: 'GET', path })));
      },
    },
    (error: unknown, done) => (error == null ? resolve(done) : reject(error as Error)),
  );
  run.on('response', () => (end = performance.now()));
});
const after = processorTimeOf(pid);
if (result.errors > 0 || result.non2xx > 0 || result['2xx'] !== paths.length) {
  throw new Error(
    `${url}${paths[0]} …: answers ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors; expected ${paths.length} times 200`,
  );
}
const measured: Cost = {
  time: ((end - start) * 1e3) / paths.length,
  processorTime: before === null || after === null ? null : ((after - before) * 1e6) / paths.length,
};
process.stdout.write(JSON.stringify(measured));
