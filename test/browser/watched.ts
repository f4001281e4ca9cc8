import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { CHROMIUM, launchBrowser, NO_CHROMIUM } from './chromium.js';

/** The time that the pages treat as now. */
const NOW = new Date('2026-01-01T00:00:00Z');
/** The size of a window, unless a test says otherwise. */
export const SIZE = { width: 1280, height: 900 };
/** The colour schemes that a user can prefer. */
export const SCHEMES = ['light', 'dark'] as const;

/** The body of a test. */
type TestBody = (t: Test) => Promise<void>;

/** A test in a browser. Without a browser, all tests of the file are skipped, with one message. */
export function browserTest(
  name: string,
  body: TestBody,
  options: { skip?: false | string } = {},
): void {
  if (CHROMIUM !== null) void t.test(name, options, body);
}
if (CHROMIUM === null)
  void t.test('the pages in a browser', { skip: NO_CHROMIUM }, () => undefined);

/** One browser for all tests of a file. */
let launched: Promise<Browser> | null = null;
t.teardown(async () => (await launched)?.close());

/** A page that records everything that goes wrong in it. */
export class Watched {
  readonly troubles: string[] = [];
  constructor(
    readonly page: Page,
    readonly base: string,
  ) {
    page.on(
      'console',
      (message) =>
        message.type() !== 'info' &&
        this.troubles.push(`console ${message.type()}: ${message.text()}`),
    );
    page.on('pageerror', (error) => this.troubles.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on(
      'request',
      (request) =>
        !request.url().startsWith(`${base}/`) &&
        this.troubles.push(`request elsewhere: ${request.url()}`),
    );
    // Requests that are aborted by leaving the page are not a problem.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED')
        this.troubles.push(`failed: ${request.url()}`);
    });
    page.on(
      'response',
      (response) =>
        response.status() >= 400 && this.troubles.push(`${response.status()}: ${response.url()}`),
    );
  }
  goto = (path: string) => this.page.goto(this.base + path);
  /** The current path of the page. */
  at = (): string => this.page.url().slice(this.base.length);
}

/** Starts a service with the given site logs; `open` opens a page. */
export async function serve(t: Test, paths: string[], { publishContacts = false } = {}) {
  const service = await openService(t, paths, { clock: () => NOW, publishContacts });
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  launched ??= launchBrowser();
  const browser = await launched;
  const open = async (options: BrowserContextOptions = {}): Promise<Watched> => {
    const context = await browser.newContext({ viewport: SIZE, ...options });
    t.teardown(() => context.close());
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      ),
    );
    return new Watched(await context.newPage(), base);
  };
  return { service, open };
}

/** A test in one page of a service over the sample network, in which nothing may go wrong. */
export const sampleTest = (
  name: string,
  body: (t: Test, view: Watched) => Promise<void>,
  options?: BrowserContextOptions,
): void =>
  browserTest(name, async (t) => {
    const { open } = await serve(t, [SAMPLE]);
    const view = await open(options);
    await body(t, view);
    t.same(view.troubles, []);
  });

/**
 * The rules of axe whose result depends on the colour scheme, of those that it applies by default.
 */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * The accessibility violations that axe finds in the page; of `colours`, only what depends on the
 * colour scheme.
 */
export async function violationsOf(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  // The first rows of a long table stand for the others. Only violations, since pages with hundreds
  // of rows have thousands of results that passed.
  const violations = await page.evaluate(
    async (only) => {
      const found = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        { exclude: ['tbody tr:nth-child(n+60)'] },
        {
          resultTypes: ['violations'],
          ...(only !== null && { runOnly: { type: 'rule' as const, values: only } }),
        },
      );
      return found.violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }));
    },
    rules === 'all' ? null : COLOUR_RULES,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** How much wider the page is than the window, in pixels. */
export const excess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** How many sheets of A4 the page needs on paper. */
export async function sheetsOf(page: Page): Promise<number> {
  const pdf = await page.pdf({
    format: 'A4',
    margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' },
  });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length;
}
