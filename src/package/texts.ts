import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completionScript } from '../cli/completion.js';
import { configFile } from './config.js';
import { manualPage } from './manual.js';
import { ROOT } from './places.js';

/** The texts that are generated from the command lines and settings, for both packages. */
export interface Texts {
  manual: string;
  bash: string;
  zsh: string;
  config: string;
}

/** Generates the texts. */
export async function generateTexts(version: string, date: Date): Promise<Texts> {
  return {
    manual: await manualPage(version, date),
    bash: (await completionScript('bash'))!,
    zsh: (await completionScript('zsh'))!,
    config: await configFile(),
  };
}

/** The guides that packages contain, by their name there. */
export const guides = (): Record<string, string> => ({
  'operation.md': readFileSync(join(ROOT, 'src/cli/README.md'), 'utf8'),
  'api.md': readFileSync(join(ROOT, 'schemas/README.md'), 'utf8'),
});
