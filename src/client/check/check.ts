import { Contract, type Operation, type Parameter } from './contract.js';
import { Findings } from './findings.js';
import { CannotCheck, get } from './http.js';
import { checkLookups } from './lookups.js';
import { checkOperation, isAboutAll, type OperationLimits, requiredOf } from './operations.js';
import { type Link, Service } from './service.js';

/** Which service to check, and how. */
export interface CheckOptions {
  /** The URL of the service. */
  base: string;
  /** Whether to make only the most important requests. */
  isQuick: boolean;
  /** Header fields that may be present besides those of the contract. */
  allowedHeaders: string[];
}

/** How much of a network is looked at. */
interface Limits extends OperationLimits {
  /** For how many Sites the current Setup is looked up. */
  sites: number;
  /** How many links of a kind are followed. */
  linksOfAKind: number;
}
const QUICK: Limits = { isForOneSite: true, pages: 2, pageSize: 5, sites: 2, linksOfAKind: 1 };
const FULL: Limits = { isForOneSite: false, pages: 20, pageSize: 100, sites: 20, linksOfAKind: 20 };

/** Asks a service for its contract. @throws {CannotCheck} if it has none that can be used */
async function askContract(base: string): Promise<Contract> {
  const url = `${base}/openapi.json`;
  const { status, body, fault } = await get(url);
  if (status === 0) throw new CannotCheck(`Cannot reach ${base}: ${fault}`);
  if (status !== 200) {
    const advice =
      status >= 500
        ? 'check that the service runs, and that the proxy reaches it'
        : 'check the base URL of the service';
    throw new CannotCheck(`${url} answers with status ${status}; ${advice}`);
  }
  try {
    return new Contract(body.toString());
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new CannotCheck(`${url} is not an OpenAPI document: ${reason}`);
  }
}

const isInQuery = (parameter: Parameter): boolean => parameter.in === 'query';

/** Whether a link can be followed as it is, without values for a template. */
function isFollowed({ href, operation }: Link, limits: Limits): boolean {
  if (operation === undefined) return !href.includes('{');
  if (limits.isForOneSite && isAboutAll(operation)) return false;
  const isTemplate = href.includes('{');
  return !isTemplate || !requiredOf(operation).some(isInQuery);
}

/** Follows some links of each kind, also of the kinds that are found meanwhile. */
async function checkLinks(service: Service, findings: Findings, limits: Limits): Promise<void> {
  for (const links of service.links.values()) {
    for (const link of links.slice(0, limits.linksOfAKind)) {
      const url = link.href.replace(/\{[?&][^}]*\}/g, '');
      if (!isFollowed(link, limits) || service.found.has(url)) continue;
      // What is withheld is documented as such.
      const isWithheld = link.operation?.responses['403'] !== undefined;
      await service.get(url, findings, isWithheld ? [200, 403] : [200]);
    }
  }
}

/**
 * Checks a running service against the contract that it publishes: each operation, the two lookups,
 * then the links that were found. Passes what it finds to `report` as soon as it is known, and
 * returns a remark on the run.
 *
 * @throws {CannotCheck} if it does not answer, or no longer does, or publishes no usable contract
 */
export async function checkService(
  options: CheckOptions,
  report: (findings: Findings) => void,
): Promise<string> {
  const limits = options.isQuick ? QUICK : FULL;
  const base = options.base.replace(/\/+$/, '');
  const contract = await askContract(base);
  const allowedHeaders = options.allowedHeaders.map((name) => name.toLowerCase());
  const service = new Service(base, contract, allowedHeaders);
  const needsValues = (operation: Operation): boolean =>
    requiredOf(operation).length > 0 || isAboutAll(operation);
  // Those that need no values come first. They show what the service has.
  const ordered = [
    ...contract.operations.filter((each) => !needsValues(each)),
    ...contract.operations.filter(needsValues),
  ];
  const withoutData = new Map<Operation, Findings>();
  for (const operation of ordered) {
    const findings = new Findings(operation.path);
    if (await checkOperation(service, operation, findings, limits)) report(findings);
    else withoutData.set(operation, findings);
  }
  const lookups = new Findings('the two lookups');
  await checkLookups(service, lookups, limits.sites);
  report(lookups);
  const links = new Findings('links of every kind');
  await checkLinks(service, links, limits);
  report(links);
  // The links may have led to what these need.
  for (const [operation, findings] of withoutData) {
    const isFound = await checkOperation(service, operation, findings, limits);
    if (!isFound) findings.unchecked.push('the service publishes no data for it');
    report(findings);
  }
  return (
    `${service.requests + 1} requests to ${base}, ` +
    `which publishes version ${contract.version} of the contract`
  );
}
