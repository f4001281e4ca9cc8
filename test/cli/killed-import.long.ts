import t from 'tap';
import { Campaign } from '../campaigns/campaign.js';
import { killImports } from '../campaigns/killed-imports.js';
import { killAll } from '../campaigns/processes.js';
import { SEED } from '../effort.js';

// `npm run faults` kills more.
t.test(
  'a killed import, first or later, leaves no Site half-written, and the next import completes it',
  async (t) => {
    t.teardown(killAll);
    const campaign = new Campaign('faults', SEED, t.testdir());
    await killImports(campaign, 2);
    t.ok(campaign.passed, campaign.table());
  },
);
