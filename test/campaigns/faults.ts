import { runCampaign } from './campaign.js';
import { watchKilledImports } from './contacts-during-imports.js';
import { killImports } from './killed-imports.js';

/** `npm run faults`: what happens to a program that does everything right. */

await runCampaign({
  name: 'faults',
  about: 'Kills imports, and looks for contacts meanwhile.',
  options: { kills: 50 },
  parts: {
    kills: (campaign, { kills }) => killImports(campaign, kills),
    contacts: (campaign, { kills }) => watchKilledImports(campaign, kills),
  },
});
