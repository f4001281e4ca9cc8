import { runCampaign } from './campaign.js';
import { killImports } from './killed-imports.js';

/** `npm run faults`: what happens to a program that does everything right. */

await runCampaign({
  name: 'faults',
  about: 'Kills imports, and looks for half-written Sites and for contacts.',
  options: { kills: 50 },
  parts: { kills: (campaign, { kills }) => killImports(campaign, kills) },
});
