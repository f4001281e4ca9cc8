import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package `chromium` puts it; `CHROMIUM` names another. */
const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The browser to test with, or null where there is none. */
export const CHROMIUM = existsSync(PATH) ? PATH : null;
/** Why there is none. */
export const NO_CHROMIUM = `no browser at ${PATH} (Debian: apt-get install chromium; another by CHROMIUM)`;

/** Starts the browser, with a new profile, and without what would ask other hosts of its own accord. */
export async function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error(NO_CHROMIUM);
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
