import t from 'tap';
import { Campaign } from '../campaigns/campaign.js';
import { killImports } from '../campaigns/killed-imports.js';
import { killAll } from '../campaigns/processes.js';

// `npm run faults` kills more.
t.test('a first import and a later one that are killed leave no Site half-written, and the next import completes them', async (t) => {
  t.teardown(killAll);
  const campaign = new Campaign('faults', Math.floor(Math.random() * 1e9), t.testdir());
  await killImports(campaign, 2);
  t.ok(campaign.passed, campaign.table());
});
