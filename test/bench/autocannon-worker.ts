import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

/** `autocannon-worker URL FILE CONNECTIONS SECONDS`: requests the paths in the file, one per line, in turn, and prints the answers per second. */

/** How long an answer may take, in seconds. */
const TIMEOUT = 60;

const [url = '', file = '', connections = '', duration = ''] = process.argv.slice(2);
const paths = readFileSync(file, 'utf8').split('\n');
const clients = Number(connections);
let clientsMade = 0;
const result = await new Promise<autocannon.Result>((resolve, reject) => {
  autocannon(
    {
      url,
      connections: clients,
      pipelining: 1,
      duration: Number(duration),
      timeout: TIMEOUT,
      // Each connection has its own paths, if there are enough.
      setupClient: (client) => {
        const number = clientsMade++ % clients;
        const own =
          paths.length < clients ? paths : paths.filter((_, index) => index % clients === number);
        client.setRequests(own.map((path) => ({ method: 'GET', path })));
      },
    },
    (error: unknown, done) => (error == null ? resolve(done) : reject(error)),
  );
});
const { errors, non2xx, '2xx': requests } = result;
if (errors > 0 || non2xx > 0 || requests === 0) {
  throw new Error(
    `${url}${paths[0]} …: answers ${JSON.stringify(result.statusCodeStats)}, ${errors} errors; expected nothing but 200`,
  );
}
process.stdout.write(`${(requests / (result.finish.getTime() - result.start.getTime())) * 1000}\n`);
