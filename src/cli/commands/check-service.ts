import { checkService, LINKS, LOOKUPS } from '../../check-service/check-service.js';
import { CannotCheck } from '../../check-service/http-client.js';
import type { CheckServiceOptions } from '../../check-service/probe.js';
import { TapReport } from '../../check-service/report.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { parseServiceUrl } from '../line/setting-values.js';
import { say } from '../line/terminal.js';

export const command = {
  usage: 'check-service URL',
  description: [
    'Checks a running service against the openapi.json that it publishes: every operation, ' +
      'with the examples there and the data of',
    'the service, then the links in its responses. Checks two lookups to the letter: the ' +
      'current Setup of a Site and the receivers',
    'of a type. URL is the base URL that its clients use. For certificates of your own, set ' +
      'NODE_EXTRA_CA_CERTS.',
    'The check only reads. It sends POST without a body, to see it refused, and only to ' +
      'paths that the service itself documents',
    'as read-only. Writes TAP with a table at the end.',
    'Exit code: 0 all checks passed, 1 a check failed, 2 wrong usage, no response, or no ' +
      'OpenAPI document.',
  ].join('\n'),
  examples: [
    [
      'Check a service behind a proxy that adds a field.',
      'check-service https://gnss.example.org --allow-header Server',
    ],
    ['Check the most important requests only.', 'check-service --quick http://127.0.0.1:8080'],
  ],
  settings: [],
  flags: {
    'allow-header': {
      argument: 'NAME',
      repeatable: true,
      description: 'Allow a header field that a proxy adds, such as Server. Repeatable.',
    },
    operation: {
      argument: 'ID',
      repeatable: true,
      description:
        `Check only this operation (an operationId of openapi.json); "${LOOKUPS}" checks the ` +
        `two lookups, "${LINKS}" the links in the responses. Repeatable.`,
    },
    quick: {
      description:
        'Make only the most important requests: a few for each operation, in a few seconds.',
    },
  },
} as const satisfies CommandLine;

/** @throws {UsageError} if it is not the URL of a service */
function readUrl(text: string): URL {
  try {
    return parseServiceUrl(text);
  } catch (error) {
    throw new UsageError(`"${text}": ${(error as Error).message}`);
  }
}

function readOptions({
  flags,
  arguments: [text, ...rest],
}: Given<typeof command>): CheckServiceOptions {
  if (text === undefined || rest.length > 0)
    throw new UsageError('expected one URL: check-service https://host[/base]');
  const base = readUrl(text).href;
  const allowedHeaders = (flags['allow-header'] ?? []).map((name) => name.toLowerCase());
  return { base, isQuick: flags.quick ?? false, allowedHeaders, only: flags.operation };
}

/** Checks, prints each finding as soon as it is known, and returns the exit code. */
export async function run(given: Given<typeof command>): Promise<number> {
  const options = readOptions(given);
  const report = new TapReport((line) => process.stdout.write(`${line}\n`));
  try {
    const checks = checkService(options);
    let step = await checks.next();
    for (; step.done !== true; step = await checks.next()) report.add(step.value);
    return report.end(step.value) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CannotCheck)) throw error;
    report.bailOut(error.message);
    say(error.message);
    return 2;
  }
}
