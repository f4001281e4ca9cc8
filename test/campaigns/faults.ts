import { runCampaign } from './campaign.js';
import { watchKilledImports } from './contacts-during-imports.js';
import { corrupt } from './corruptions.js';
import { killImports } from './killed-imports.js';
import { replaceFile } from './replaced-file.js';

/** `npm run faults`: what happens to a program that does everything right. */

await runCampaign({
  name: 'faults',
  about: 'Kills imports, looks for contacts meanwhile, replaces the database while it is served, and corrupts databases.',
  options: { kills: 50, rounds: 6, corruptions: 200 },
  parts: {
    kills: (campaign, { kills }) => killImports(campaign, kills),
    contacts: (campaign, { kills }) => watchKilledImports(campaign, kills),
    replaced: (campaign, { rounds }) => replaceFile(campaign, rounds),
    corruptions: (campaign, { corruptions }) => corrupt(campaign, corruptions),
  },
});
