import { parseArgs } from 'node:util';
import type { Test, TestOpts } from 'tap';
import { contractChecks, type ContractChecksOptions, LINKS, type Outcome } from './contract-checks.js';
import { Unreachable } from './http-client.js';
import { exportedContract, PublishedContract } from './published-contract.js';
import { countOf, type Findings, summaryOf } from './results.js';

/**
 * `npm run contract -- https://host[/base]`: whether a deployment keeps the contract of this copy. TAP on stdout, with
 * two tables at the end; exit code 0: it does, 1: it does not, 2: wrong usage, or the host does not answer.
 */

const HELP = `usage: npm run contract -- [--allow-header NAME]... [--operation ID]... URL

Checks a running service, given by the URL under which its clients reach it, against the contract in schemas/json:
every operation of openapi.json, then every link. Reads only; a POST and a DELETE without a body are sent, to see
them refused, where the service itself says that it can only be read. Certificates of your own: NODE_EXTRA_CA_CERTS.

  --allow-header NAME  a header field that a proxy before the service adds, such as Server
  --operation ID       only this operation of openapi.json (operationId); "${LINKS}": and the links in its answers

Exit code: 0 all passed, 1 something failed, 2 wrong usage or no answer.
`;

/** The most failures of one check that are told. */
const TOLD = 10;

/** A mistake of the caller, in one line. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

function readArguments(args: string[]): ContractChecksOptions | null {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'allow-header': { type: 'string', multiple: true },
        operation: { type: 'string', multiple: true },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help === true) return null;
  const [text, ...more] = positionals;
  if (text === undefined || more.length > 0) throw new UsageError('expected one URL: npm run contract -- https://host[/base]');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new UsageError(`"${text}": expected an http or https URL without query, fragment or user`);
  }
  const contractFolder = exportedContract();
  const known = new Set([LINKS, ...new PublishedContract(contractFolder).operations.map(({ id }) => id)]);
  const unknown = values.operation?.find((id) => !known.has(id));
  if (unknown !== undefined) throw new UsageError(`--operation "${unknown}": openapi.json has none of this operationId`);
  return {
    base: url.href,
    contractFolder,
    allowedHeaders: values['allow-header'] ?? [],
    ...(values.operation !== undefined && { only: values.operation }),
  };
}

/** Reports one operation as a test of its own, each check an assertion. */
async function reportOne(t: Pick<Test, 'test'>, findings: Findings): Promise<void> {
  // Where in this file something was told is of no use; tap changes what it is given.
  const quiet = (): TestOpts => ({ at: null, stack: '' });
  await t.test(findings.title, quiet(), async (t) => {
    for (const [check, results] of findings.byCheck()) {
      const failed = results.filter(({ outcome }) => outcome === 'failed');
      const lacking = results.filter(({ outcome }) => outcome === 'no data');
      const passed = countOf(results, 'passed');
      const found = failed.slice(0, TOLD).map(({ subject, detail }) => `${subject}: ${detail}`);
      if (failed.length > 0) t.fail(`${check} (${failed.length} of ${results.length})`, { found, ...quiet() });
      else if (passed > 0) t.pass(`${check} (${passed})`);
      else t.pass(check, { skip: lacking[0]!.detail });
      if (failed.length > 0 || passed > 0) for (const { detail } of lacking) t.comment(`${check}: ${detail}`);
    }
    for (const note of findings.notes) t.comment(note);
  });
}

/** Checks, and reports what is found as TAP while it is found. @throws {Unreachable} before any TAP */
async function report(options: ContractChecksOptions): Promise<void> {
  const checks = contractChecks(options);
  let step = await checks.next();
  const { default: t } = await import('tap');
  const all: Findings[] = [];
  try {
    for (; step.done !== true; step = await checks.next()) {
      all.push(step.value);
      await reportOne(t, step.value);
    }
    const { requests, empty }: Outcome = step.value;
    t.comment(summaryOf(all));
    t.comment(`${requests} requests to ${options.base}`);
    if (empty) t.comment('the deployment is empty: what needs an element had no data to check it with');
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    fail(error);
    // A bail out ends the process, with a code of its own.
    process.once('exit', () => (process.exitCode = 2));
    t.bailout(error.message);
  }
}

/** Tells in one line why nothing could be checked, or no more. */
function fail({ message }: Error): void {
  process.stderr.write(`contract: ${message}\n`);
  process.exitCode = 2;
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options === null) process.stdout.write(HELP);
  else await report(options);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof Unreachable)) throw error;
  fail(error);
}
