import t from 'tap';
import { Campaign } from '../campaigns/campaign.js';
import { killImports } from '../campaigns/killed-imports.js';
import { killAll } from '../campaigns/processes.js';

const KILLS = 10;

t.test(`an import killed at ${KILLS} random points never leaves a site half-written or the file unreadable`, async (t) => {
  t.teardown(killAll);
  const campaign = new Campaign('faults', Math.floor(Math.random() * 1e9), t.testdir());
  await killImports(campaign, KILLS);
  t.ok(campaign.passed, campaign.table());
});
