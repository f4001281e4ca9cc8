import { runCampaign } from './campaign.js';
import { corrupt } from './corruptions.js';
import { dropFiles } from './dropped-files.js';
import { fillDisk } from './full-disk.js';
import { killImports } from './killed-imports.js';
import { replaceFile } from './replaced-file.js';
import { fillHeap } from './small-heap.js';
import { useUpDescriptors } from './used-up-descriptors.js';

/** `npm run faults`: what happens to a program that does everything right. */

const DEFAULTS = { kills: 50, urls: 20_000, rounds: 6, files: 2000, corruptions: 200 };

await runCampaign(
  {
    name: 'faults',
    about:
      'Kills imports, fills disks, replaces and corrupts the database, and uses up descriptors and memory. Exits with 1 if anything fails.',
    options: {
      kills: { argument: 'N', about: `How many imports are killed. Default: ${DEFAULTS.kills}.` },
      urls: { argument: 'N', about: `How many URLs are sent to the small heap. Default: ${DEFAULTS.urls}.` },
      files: { argument: 'N', about: `How many files are dropped into a watched folder. Default: ${DEFAULTS.files}.` },
      rounds: { argument: 'N', about: `How often a disk is full, and a database replaced. Default: ${DEFAULTS.rounds}.` },
      corruptions: { argument: 'N', about: `How many databases are corrupted. Default: ${DEFAULTS.corruptions}.` },
    },
    parts: {
      kills: 'imports killed at random points',
      disk: 'imports with too little room',
      replaced: 'the database replaced while it is served',
      descriptors: 'more connections than the service has descriptors',
      watch: 'many files dropped into a watched folder at once',
      heap: 'many different URLs with a heap of 64 MB',
      corruptions: 'damaged databases that verify must find and rebuild repair',
    },
  },
  async (given) => {
    const { kills = DEFAULTS.kills, urls = DEFAULTS.urls, rounds = DEFAULTS.rounds } = given.options;
    const { files = DEFAULTS.files, corruptions = DEFAULTS.corruptions } = given.options;
    const run: Record<string, () => Promise<void>> = {
      kills: () => killImports(given, kills),
      disk: () => fillDisk(given, rounds),
      replaced: () => replaceFile(given, rounds),
      descriptors: () => useUpDescriptors(given),
      watch: () => dropFiles(given, files),
      heap: () => fillHeap(given, urls),
      corruptions: () => corrupt(given, corruptions),
    };
    for (const part of given.only === null ? given.parts : [given.only.part]) await run[part]!();
  },
);
