import { expand, type FoundLink, queryVariablesOf } from './links.js';
import { Probe, type Run } from './probe.js';
import type { Operation } from './published-contract.js';
import { Findings } from './results.js';

/** The most links that are followed to one operation: there may be as many as there are elements. */
const MOST_PER_OPERATION = 40;

/** What is wrong with a link before it is followed. */
function linkProblems({ base, contract }: Run, { href, templated }: FoundLink): string[] {
  const braces = href !== expand(href);
  const expanded = expand(href);
  const at = expanded === base || expanded.startsWith(`${base}/`) ? contract.operationAt(pathOf(base, expanded)) : undefined;
  const query = at?.operation.parameters.filter((each) => each.in === 'query') ?? [];
  const variables = queryVariablesOf(href);
  const unknown = variables.filter((name) => query.every((each) => each.name !== name));
  const missing = templated ? query.filter((each) => each.required && !variables.includes(each.name)) : [];
  return [
    ...(expanded === base || expanded.startsWith(`${base}/`) ? [] : [`it is not under ${base}`]),
    ...(at === undefined ? ['it leads to no operation of the OpenAPI document'] : []),
    ...(braces === templated ? [] : [braces ? 'it is a template and does not say so' : 'it says it is a template']),
    ...(at !== undefined && unknown.length > 0 ? [`it has the unknown parameters ${unknown.join(', ')}`] : []),
    ...(missing.length > 0 ? [`it lacks the required ${missing.map(({ name }) => name).join(', ')}`] : []),
  ];
}

const pathOf = (base: string, url: string): string => url.slice(base.length).split('?')[0] || '/';

/** Of a template with no variables filled in, the parameter that must then be refused; undefined: none. */
function refusedOf({ contract }: Run, { templated }: FoundLink, operation: Operation, values: Record<string, string>): string | undefined {
  if (!templated) return undefined;
  const missing = operation.parameters.find((each) =>
    each.in === 'query' ? each.required : !contract.accepts(each, values[each.name] ?? ''),
  );
  return missing?.name;
}

/** The paths of the operations to which links lead from `/`, one after the other. */
function reachedFromRoot({ base, contract, links }: Run): Set<string> {
  const steps = [...links.all()].flatMap(({ href, from }) => {
    const url = expand(href);
    const at = url.startsWith(`${base}/`) ? contract.operationAt(pathOf(base, url)) : undefined;
    return at === undefined ? [] : [...from].map((source) => `${source} ${at.operation.path}`);
  });
  const different = [...new Set(steps)].map((step) => step.split(' ') as [string, string]);
  const reached = new Set(['/']);
  for (const path of reached) for (const [from, to] of different) if (from === path) reached.add(to);
  return reached;
}

/**
 * Follows every link that was found, and those found on the way.
 * @param whole whether all operations were checked, so that links must lead to each of them from `/`
 */
export async function checkLinks(run: Run, whole: boolean): Promise<Findings> {
  const findings = new Findings('every link');
  /** The URLs that were followed to each operation that was linked to. */
  const followed = new Map<Operation, Set<string>>();
  let passedOver = 0;
  for (const link of run.links.all()) {
    if (!findings.add('links', `${link.href} in ${link.foundAt}`, linkProblems(run, link))) continue;
    const url = expand(link.href);
    const { operation, values } = run.contract.operationAt(pathOf(run.base, url))!;
    const refused = refusedOf(run, link, operation, values);
    // The same URL may be that of a template with nothing filled in, and of a link that must lead somewhere.
    const target = `${url} ${refused ?? ''}`;
    const there = followed.get(operation) ?? new Set();
    followed.set(operation, there);
    if (there.has(target)) continue;
    if (there.size >= MOST_PER_OPERATION) {
      passedOver += 1;
      continue;
    }
    there.add(target);
    const probe = new Probe(run, operation, findings);
    if (refused !== undefined) await probe.refused(url, refused, 'links');
    else await probe.get(url, { check: 'links' });
  }
  if (passedOver > 0)
    findings.notes.push(`${passedOver} links were not followed: of those to one operation the first ${MOST_PER_OPERATION} are`);
  const reached = reachedFromRoot(run);
  for (const { path } of whole ? run.contract.operations : []) {
    if (reached.has(path)) findings.add('links', `to ${path}`, []);
    else if (path.includes('{') && run.deployment.empty) findings.lack('links', `to ${path}`, 'the deployment is empty');
    else findings.add('links', `to ${path}`, ['no links lead there from /']);
  }
  return findings;
}
