import { type CheckServiceOptions, checkService, LINKS } from '../check-service/check-service.js';
import { Unreachable } from '../check-service/http-client.js';
import { PublishedContract } from '../check-service/published-contract.js';
import { TapReport } from '../check-service/report.js';
import { visible } from '../visible.js';
import { CONTRACT_FOLDER } from './package-files.js';
import type { CommandLine, Given } from './command-line.js';
import { UsageError } from './settings.js';

export const command = {
  usage: 'check-service URL',
  description: [
    'Checks a running service against the contract of this version: every operation of openapi.json, then every link.',
    'URL is the base URL that its clients use. For certificates of your own, set NODE_EXTRA_CA_CERTS.',
    'The check only reads. It sends POST and DELETE without a body, to see them refused, and only to paths that the service',
    'itself documents as read-only. Writes TAP with two tables at the end.',
    'Exit code: 0 all checks passed, 1 a check failed, 2 wrong usage or no response.',
  ].join('\n'),
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
      description: `Check only this operation (an operationId of openapi.json); "${LINKS}" checks the links in its responses. Repeatable.`,
    },
  },
} as const satisfies CommandLine<never, 'allow-header' | 'operation'>;

type Flags = Given<never, keyof (typeof command)['flags']>;

/** Reads the values of a repeatable flag. */
const listOf = (value: string | boolean | string[] | undefined): string[] => (Array.isArray(value) ? value : []);

function readOptions({ flags, arguments: [text, ...rest] }: Flags): CheckServiceOptions {
  if (text === undefined || rest.length > 0) throw new UsageError('expected one URL: check-service https://host[/base]');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new UsageError(`"${text}": expected an http or https URL without query, fragment or user`);
  }
  const contract = new PublishedContract(CONTRACT_FOLDER);
  const only = listOf(flags.operation);
  const unknown = only.find((id) => id !== LINKS && !contract.operations.some((each) => each.id === id));
  if (unknown !== undefined) throw new UsageError(`--operation "${unknown}": openapi.json has no such operationId`);
  const allowedHeaders = listOf(flags['allow-header']);
  return { base: url.href, contract, allowedHeaders, ...(only.length > 0 && { only }) };
}

/** Checks, prints each finding as soon as it is known, and returns the exit code. */
export async function run(given: Flags): Promise<number> {
  const options = readOptions(given);
  const report = new TapReport((line) => process.stdout.write(`${line}\n`));
  try {
    const checks = checkService(options);
    let step = await checks.next();
    for (; step.done !== true; step = await checks.next()) report.add(step.value);
    const { requests, empty } = step.value;
    const remarks = [`${requests} requests to ${options.base}`];
    if (empty) remarks.push('the service has no data: checks that need an element were skipped');
    report.end(remarks);
    return report.failed ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    report.bailOut(error.message);
    process.stderr.write(`gnss-site-setups: ${visible(error.message)}\n`);
    return 2;
  }
}
