import { checkCollection } from './collection-checks.js';
import { Deployment } from './deployment.js';
import { checkContractFile, checkProfile } from './document-checks.js';
import { Findings } from './findings.js';
import { HttpClient, Unreachable } from './http-client.js';
import { checkItemProjections, checkItems } from './item-checks.js';
import { checkLinks } from './link-checks.js';
import { Links } from './links.js';
import { type Pairs, Probe, type RequestValues, type Run } from './probe.js';
import type { Operation, PublishedContract } from './published-contract.js';
import { checkAccept, checkHead, checkMethods, checkParameters, checkUnknown, valueFor } from './request-checks.js';
import { searchCheckOf } from './search-checks.js';

/** Selects the check of the links in the responses, among the ids of operations. */
export const LINKS = 'links';

/** Which service to check, and how. */
export interface CheckServiceOptions {
  /** The URL of the service, with or without a trailing slash. */
  base: string;
  contract: PublishedContract;
  /** Header fields that may be present besides those of the contract. */
  allowedHeaders?: string[];
  /** The ids of the operations to check, and {@link LINKS}. All if left out. */
  only?: string[];
}

/** The outcome of a run besides its findings. */
export interface Outcome {
  requests: number;
  /** Whether the service has no data. */
  empty: boolean;
}

/** How many combinations of known values are requested of one operation. */
const MOST_REQUESTS = 100;

/** The values to request an operation with: the known values of all required parameters. Empty if one has no known value. */
function knownRequests(run: Run, operation: Operation): RequestValues[] {
  let all: RequestValues[] = [{ path: {}, query: [] }];
  for (const parameter of operation.parameters.filter(({ required }) => required)) {
    const values = run.deployment.valuesOf(operation, parameter);
    all = all.flatMap(({ path, query }) =>
      values.map((value): RequestValues =>
        parameter.in === 'path'
          ? { path: { ...path, [parameter.name]: value }, query }
          : { path, query: [...query, [parameter.name, value]] },
      ),
    );
  }
  return all.slice(0, MOST_REQUESTS);
}

/** Well-formed values for what may not exist. They suffice for checks of what the service does before it looks. */
function madeUpRequest(run: Run, operation: Operation): RequestValues {
  const required = operation.parameters.filter((each) => each.required);
  const pairs = required.map((each): [string, string] => [each.name, valueFor(run, operation, each) ?? 'x']);
  const isIn = (place: 'path' | 'query'): Pairs => pairs.filter(([name]) => required.find((each) => each.name === name)?.in === place);
  return { path: Object.fromEntries(isIn('path')), query: isIn('query') };
}

async function checkOperation(run: Run, operation: Operation): Promise<Findings> {
  const findings = new Findings(operation.path);
  const probe = new Probe(run, operation, findings);
  const requests = knownRequests(run, operation);
  const [first] = requests;
  if (first === undefined) {
    const names = operation.parameters.filter(({ required }) => required).map(({ name }) => name);
    findings.lack('status', operation.path, `no value is known for ${names.join(', ')}`);
  } else {
    const checkKnown = searchCheckOf(operation.path) ?? checkItems;
    await checkKnown(probe, requests);
    if (operation.paged) await checkCollection(probe, first);
    else await checkItemProjections(probe, first);
    await checkAccept(probe, first);
    if (operation.path.startsWith('/profile/')) await checkProfile(probe, first);
    for (const values of requests) await checkContractFile(probe, values);
  }
  const request = first ?? madeUpRequest(run, operation);
  await checkHead(probe, request);
  await checkMethods(probe, request);
  await checkParameters(probe, request, first !== undefined);
  await checkUnknown(probe, request);
  return findings;
}

/** A path that does not exist is a 404 like any other. */
async function checkNowhere(run: Run): Promise<Findings> {
  const findings = new Findings('/noSuchPath');
  const problems = run.contract.operations[0]!.responses.get('default') ?? new Map<string, null>();
  const responses = new Map([['default', problems]]);
  const nowhere: Operation = { id: '', path: '/noSuchPath', parameters: [], responses, list: null, paged: false, isStreamed: false };
  const probe = new Probe(run, nowhere, findings);
  const url = probe.url({ path: {}, query: [] });
  const { exchange, body } = await probe.get(url, { status: [404], check: 'unknown id' });
  if (body !== undefined) findings.add('unknown id', probe.subjectOf(exchange), probe.problemProblems(body, 'not-found'));
  return findings;
}

/**
 * Checks a running service against the published contract: each operation, then every link that was found.
 * @throws {Unreachable} if it does not respond, or no longer does
 */
export async function* checkService({
  base: url,
  contract,
  allowedHeaders = [],
  only,
}: CheckServiceOptions): AsyncGenerator<Findings, Outcome> {
  const base = url.replace(/\/+$/, '');
  const client = new HttpClient();
  try {
    const { status, fault } = await client.request(`${base}/`);
    if (status === 0) throw new Unreachable(`Cannot reach ${base}: ${fault}`);
    const deployment = await Deployment.discover(client, contract, base);
    const allowed = new Set(allowedHeaders.map((name) => name.toLowerCase()));
    const run: Run = { client, contract, base, allowedHeaders: allowed, deployment, links: new Links() };
    for (const operation of contract.operations) {
      if (only === undefined || only.includes(operation.id)) yield await checkOperation(run, operation);
    }
    if (only === undefined) yield await checkNowhere(run);
    if (only === undefined || only.includes(LINKS)) yield await checkLinks(run, only === undefined);
    return { requests: client.requests, empty: deployment.empty };
  } finally {
    client.close();
  }
}
