import { runCampaign } from './campaign.js';
import { fuzzLogs } from './log-fuzz.js';
import { fuzzRequests } from './request-fuzz.js';

/** `npm run fuzz`: requests and site logs that nobody should send. */

await runCampaign({
  name: 'fuzz',
  about:
    'Sends generated requests to the service, and imports mutated site logs, for a number of seconds in all.',
  options: { seconds: 120 },
  parts: {
    requests: (campaign, { seconds }) => fuzzRequests(campaign, { seconds: seconds / 2 }),
    logs: (campaign, { seconds }) => fuzzLogs(campaign, { seconds: seconds / 2 }),
  },
});
