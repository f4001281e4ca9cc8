import { Contract, type Parameter } from './contract.js';
import { Findings } from './findings.js';
import { CannotCheck, get } from './http.js';
import { checkLookups } from './lookups.js';
import { checkOperation, requiredOf } from './operations.js';
import type { PageLimits } from './pages.js';
import { Service } from './service.js';

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
interface Limits extends PageLimits {
  /** For how many Sites the current Setup is looked up. */
  sites: number;
  /** How many links of a kind are followed. */
  linksOfAKind: number;
}
const QUICK: Limits = { pages: 2, pageSize: 20, sites: 2, linksOfAKind: 1 };
const FULL: Limits = { pages: 20, pageSize: 100, sites: 20, linksOfAKind: 10 };

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

/** Follows some links of each kind, also of the kinds that are found meanwhile. */
async function checkLinks(service: Service, findings: Findings, most: number): Promise<void> {
  for (const links of service.links.values()) {
    for (const { href, operation } of links.slice(0, most)) {
      const url = href.replace(/\{[?&][^}]*\}/g, '');
      const isTemplate = href !== url;
      const needsValues = operation !== undefined && requiredOf(operation).some(isInQuery);
      if (isTemplate && needsValues) continue;
      if (url.includes('{') || service.found.has(url)) continue;
      // What is withheld is documented as such.
      const isWithheld = operation?.responses['403'] !== undefined;
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
  // Those without required parameters come first. They show what the service has.
  const ordered = contract.operations.toSorted(
    (a, b) => requiredOf(a).length - requiredOf(b).length,
  );
  for (const operation of ordered) {
    const findings = new Findings(operation.path);
    await checkOperation(service, operation, findings, limits);
    report(findings);
  }
  const lookups = new Findings('the two lookups');
  await checkLookups(service, lookups, limits.sites);
  report(lookups);
  const links = new Findings('links of every kind');
  await checkLinks(service, links, limits.linksOfAKind);
  report(links);
  return (
    `${service.requests + 1} requests to ${base}, ` +
    `which publishes version ${contract.version} of the contract`
  );
}
