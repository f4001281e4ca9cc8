import { AnswerChecks } from './answers.js';
import { runCampaign } from './campaign.js';
import type { Budget } from './cases.js';
import { fuzzLogs } from './log-fuzz.js';
import { createHostileNetwork } from './networks.js';
import { startService } from './processes.js';
import { fuzzRequests, readKnownValues } from './request-fuzz.js';
import { RequestGenerator } from './requests.js';
import { fuzzSockets } from './socket-fuzz.js';

/** `npm run fuzz`: requests, raw bytes and site logs that nobody should send. */

/** Without a number of anything. */
const DEFAULT_SECONDS = 120;
/** The shares of the parts in the time, and how many connections there are for each request if requests are counted. */
const SHARES = { requests: 0.4, sockets: 0.2, logs: 0.4 };
const SOCKETS_PER_REQUEST = 1 / 20;

await runCampaign(
  {
    name: 'fuzz',
    about: 'Sends generated requests and raw bytes to the service, and imports mutated site logs. Exits with 1 if anything fails.',
    options: {
      seconds: { argument: 'N', about: `How long, for all parts together. Default: ${DEFAULT_SECONDS}, unless a number is given.` },
      requests: { argument: 'N', about: 'How many generated requests, and a twentieth of that many raw connections.' },
      logs: { argument: 'N', about: 'How many mutated logs.' },
    },
    parts: {
      requests: 'requests generated from the OpenAPI document of the service',
      sockets: 'garbled requests, halves, pipelines and smuggling over raw sockets',
      logs: 'site logs with mutated bytes, lines and fields',
    },
  },
  async (given) => {
    const { options, folder, tally, only } = given;
    const parts = only === null ? given.parts : [only.part];
    const { requests, logs } = options;
    const counted = requests !== undefined || logs !== undefined;
    const seconds = options.seconds ?? (counted ? Infinity : DEFAULT_SECONDS);
    const total = parts.reduce((sum, part) => sum + SHARES[part as keyof typeof SHARES], 0);
    const budgetOf = (part: keyof typeof SHARES, cases: number | undefined): Budget => ({
      cases: counted ? (cases ?? 0) : Infinity,
      seconds: (seconds * SHARES[part]) / total,
    });
    const checks = new AnswerChecks();
    if (parts.includes('requests') || parts.includes('sockets')) {
      const database = await createHostileNetwork(folder);
      const services = await Promise.all([startService(database), startService(database, ['--trust-proxy', 'true'])]);
      const known = await readKnownValues(services[0], checks);
      const generator = new RequestGenerator(checks.contract, known);
      if (parts.includes('requests')) await fuzzRequests(given, services, generator, checks, budgetOf('requests', requests));
      const sockets = requests === undefined ? undefined : Math.ceil(requests * SOCKETS_PER_REQUEST);
      if (parts.includes('sockets')) await fuzzSockets(given, services[0], generator, known, checks, budgetOf('sockets', sockets));
      for (const service of services) {
        tally.tried('services that served all this');
        for (const problem of await service.stop()) tally.failed('services that served all this', problem, `see the failures above`);
      }
    }
    if (parts.includes('logs')) await fuzzLogs(given, checks, budgetOf('logs', logs));
  },
);
