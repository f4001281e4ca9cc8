import { runCampaign } from './campaign.js';
import { fuzzLogs } from './log-fuzz.js';
import { fuzzRequests } from './request-fuzz.js';
import { fuzzSlowLogs } from './slow-logs.js';

/** `npm run fuzz`: requests and site logs that nobody should send. */

await runCampaign({
  name: 'fuzz',
  about:
    'Sends generated requests to the service, imports mutated site logs, and looks for slow ones, for a number of seconds in all.',
  options: { seconds: 120 },
  parts: {
    requests: (campaign, { seconds }) => fuzzRequests(campaign, { seconds: seconds / 3 }),
    logs: (campaign, { seconds }) => fuzzLogs(campaign, { seconds: seconds / 3 }),
    'slow-logs': (campaign, { seconds }) => fuzzSlowLogs(campaign, { seconds: seconds / 3 }),
  },
});
