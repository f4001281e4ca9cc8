#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { checkService, type CheckOptions } from './check.js';
import { CannotCheck } from './http.js';
import { TapReport } from './report.js';

const USAGE = `Usage: gnss-site-setups-client check URL [--quick] [--allow-header NAME]...

Checks a running service against the openapi.json that it publishes: the answer of
every operation, its pages, and links of every kind. Checks two lookups to the
letter: the current Setup of a Site and the receivers of a type. URL is the base
URL that clients use. Sends only GET. Writes TAP.
For certificates of your own, set NODE_EXTRA_CA_CERTS.

  --quick              Make fewer requests: a few for each operation.
  --allow-header NAME  Allow a header field that a proxy adds, such as Server.
                       Repeatable.
  --help               Show this help.

Exit codes: 0 all checks passed, 1 a check failed, 2 wrong usage, no answer, or
no OpenAPI document.
`;

/** What is wrong with the arguments. */
class WrongUsage extends Error {}

/** @throws {WrongUsage} if an argument is wrong */
function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        'allow-header': { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

/** @throws {WrongUsage} if it is not the URL of a service */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href;
  throw new WrongUsage(
    `"${text}": expected an http or https URL without query, fragment or user, such as ` +
      'https://gnss.example.org/equipment',
  );
}

/** Checks, and prints what is found as soon as it is known. Returns whether all checks passed. */
async function check(options: CheckOptions, report: TapReport): Promise<boolean> {
  const remark = await checkService(options, (findings) => report.add(findings));
  return report.end(remark);
}

/** Returns the exit code. */
async function main(args: string[]): Promise<number> {
  const report = new TapReport((line) => process.stdout.write(`${line}\n`));
  try {
    const { values, positionals } = readArguments(args);
    if (values.help) {
      process.stdout.write(USAGE);
      return 0;
    }
    const [command, url, ...rest] = positionals;
    if (command !== 'check' || url === undefined || rest.length > 0)
      throw new WrongUsage('expected: gnss-site-setups-client check URL');
    const options = {
      base: readUrl(url),
      isQuick: values.quick,
      allowedHeaders: values['allow-header'],
    };
    return (await check(options, report)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CannotCheck) && !(error instanceof WrongUsage)) throw error;
    report.bailOut(error.message);
    process.stderr.write(`gnss-site-setups-client: ${error.message}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
