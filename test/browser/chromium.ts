import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The path of the browser in Debian's package `chromium`; the variable `CHROMIUM` overrides it. */
const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The browser to test with; null if there is none. */
export const CHROMIUM = existsSync(PATH) ? PATH : null;
/** Why there is no browser. */
export const NO_CHROMIUM = `no browser at ${PATH} (on Debian: apt-get install chromium; or set CHROMIUM)`;

/** Starts the browser with a new profile and without background requests of its own. */
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
