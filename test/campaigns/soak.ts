import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { SAMPLE } from '../project-files.js';
import { runCampaign } from './campaign.js';
import { mixedLoad } from './mixed-load.js';
import { importLogs, memoryOf, startService } from './processes.js';
import { createHostileNetwork, sendRequests } from './request-fuzz.js';

/** `npm run soak`: generated requests at a steady rate for minutes, with imports in between. */

const REQUESTS_PER_SECOND = 300;
const IMPORT_SECONDS = 15;
const SAMPLE_MILLISECONDS = 500;
/** How long the mixed load lasts at most. */
const MIXED_SECONDS = 60;
/**
 * The bound of resident memory, in bytes. V8 sizes its heap by the memory that the process may use:
 * up to 1 GiB, as in the systemd unit, 250 MB are enough; where there is more, V8 collects later.
 */
const MOST_MEMORY =
  Math.min(totalmem(), process.constrainedMemory() || Infinity) <= 1024 ** 3 ? 250e6 : 400e6;
/** How much more the last quarter may need than the third, in bytes. */
const MOST_GROWTH = 3e6;
/** A shorter run says nothing about growth: the compiler and the heap still warm up. */
const GROWTH_SECONDS = 240;

const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * Writes a log of the sample network anew, with another date and serial number, so that each import
 * changes something.
 */
function writeChangedLog(folder: string, round: number): string {
  const names = readdirSync(SAMPLE);
  const name = names[round % names.length]!;
  const day = new Date(Date.UTC(2024, 0, 1 + round)).toISOString().slice(0, 10);
  const text = readFileSync(join(SAMPLE, name), 'utf8')
    .replace(/(Date Prepared.*?: *)[\d-]+/, `$1${day}`)
    .replace(/(<\w+:datePrepared[^>]*>)\d{4}-\d\d-\d\d/, `$1${day}`)
    .replace(/(Serial Number.*?: *)\S+/, `$1S${round}`)
    .replace(/(<\w+:manufacturerSerialNumber[^>]*>)[^<]*/, `$1S${round}`);
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

await runCampaign({
  name: 'soak',
  about: `Sends ${REQUESTS_PER_SECOND} requests per second, imports meanwhile, and watches the memory.`,
  options: { seconds: 600 },
  parts: {
    mixed: (campaign, { seconds }) => mixedLoad(campaign, Math.min(seconds, MIXED_SECONDS)),
    soak: async (campaign, { seconds }) => {
      const database = await createHostileNetwork(campaign.folder);
      const service = await startService(database);
      const samples: number[] = [];
      const sampler = setInterval(
        () => service.end() === null && samples.push(memoryOf(service.pid)),
        SAMPLE_MILLISECONDS,
      );
      const begin = performance.now();
      const elapsed = (): number => (performance.now() - begin) / 1000;
      const imports = campaign.cases('imports meanwhile', { seconds }, async (_, number) => {
        await importLogs(database, writeChangedLog(campaign.folder, number));
        for (let waited = 0; waited < IMPORT_SECONDS && elapsed() < seconds; waited++)
          await rest(1000);
        return [];
      });
      await sendRequests(campaign, 'soak', [service], { seconds }, async (number) => {
        const early = number / REQUESTS_PER_SECOND - elapsed();
        if (campaign.only === null && early > 0) await rest(early * 1000);
      });
      await imports;
      clearInterval(sampler);
      for (const problem of await service.stop()) campaign.failed('soak', problem);
      const quarter = samples.length >> 2;
      const growth =
        mean(samples.slice(3 * quarter)) - mean(samples.slice(2 * quarter, 3 * quarter));
      const most = Math.max(...samples);
      campaign.note(
        'soak',
        `at most ${megabytes(most)} of resident memory; ${megabytes(growth)} more in the last quarter than before`,
      );
      if (most > MOST_MEMORY)
        campaign.failed(
          'soak',
          `${megabytes(most)} of memory; expected at most ${megabytes(MOST_MEMORY)}`,
        );
      if (seconds >= GROWTH_SECONDS && growth > MOST_GROWTH)
        campaign.failed('soak', `the memory grew by ${megabytes(growth)}`);
    },
  },
});
