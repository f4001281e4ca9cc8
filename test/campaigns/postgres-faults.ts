import { findPrograms, NOT_INSTALLED } from '../postgres/cluster.js';
import { runCampaign } from './campaign.js';
import { fillPool } from './full-pool.js';
import { killImports } from './killed-imports.js';
import { postgresDatabases } from './postgres-databases.js';
import { beUnnoticed, outage, UNNOTICED } from './server-faults.js';

/** `npm run postgres-faults`: what happens to clients and imports when PostgreSQL servers fail. */

const DEFAULTS = { rate: 1000, seconds: 5, kills: 100 };

if (findPrograms() === null) {
  process.stderr.write(`${NOT_INSTALLED}\n`);
  process.exit(1);
}
await runCampaign(
  {
    name: 'postgres-faults',
    about:
      'Kills, pauses and promotes PostgreSQL servers while two services answer requests and imports go on. Each fault has a\nprimary and two replicas of its own. Exits with 1 if anything fails.',
    options: {
      rate: { argument: 'N', about: `Requests a second, to both services together. Default: ${DEFAULTS.rate}.` },
      seconds: { argument: 'N', about: `How long requests go on before and after each fault. Default: ${DEFAULTS.seconds}.` },
      kills: { argument: 'N', about: `How many imports are killed. Default: ${DEFAULTS.kills}.` },
    },
    parts: {
      ...Object.fromEntries(Object.entries(UNNOTICED).map(([part, { row }]) => [part, `${row}: no request may fail`])),
      gone: 'all servers killed, and back: 503 in time, and recovery without a restart',
      silence: 'all servers silent, and back: the same',
      pool: 'more requests than connections: some wait, others get 503 with Retry-After',
      kills: 'imports killed at random points: no Site half-written',
    },
  },
  async (given) => {
    const { rate = DEFAULTS.rate, seconds = DEFAULTS.seconds, kills = DEFAULTS.kills } = given.options;
    for (const part of given.only === null ? given.parts : [given.only.part]) {
      if (part === 'gone' || part === 'silence') await outage(given, part, { rate, seconds });
      else if (part === 'pool') await fillPool(given);
      else if (part === 'kills') await killImports(given, kills, postgresDatabases);
      else await beUnnoticed(given, part, { rate, seconds });
    }
  },
);
