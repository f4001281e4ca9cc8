import { Findings } from './findings.js';
import { expand, type FoundLink, queryVariablesOf } from './links.js';
import { Probe, type Run } from './probe.js';
import type { Operation } from './published-contract.js';

/** How many links to one operation are followed: there may be as many as there are elements. */
const MOST_PER_OPERATION = 40;

const isBelow = (base: string, url: string): boolean => url === base || url.startsWith(`${base}/`);
const pathOf = (base: string, url: string): string => url.slice(base.length).split('?')[0] || '/';

/** The operation that a URL belongs to, with the values in its path. */
const targetOf = ({ base, contract }: Run, url: string): ReturnType<Run['contract']['operationAt']> =>
  isBelow(base, url) ? contract.operationAt(pathOf(base, url)) : undefined;

/** Checks a link before following it. */
function linkProblems(run: Run, { href, templated }: FoundLink): string[] {
  const url = expand(href);
  const braces = href !== url;
  const target = targetOf(run, url);
  const query = target?.operation.parameters.filter((each) => each.in === 'query') ?? [];
  const variables = queryVariablesOf(href);
  const unknown = variables.filter((name) => query.every((each) => each.name !== name));
  const missing = templated ? query.filter((each) => each.required && !variables.includes(each.name)) : [];
  return [
    ...(isBelow(run.base, url) ? [] : [`not below ${run.base}`]),
    ...(target === undefined ? ['it leads to no operation in the OpenAPI document'] : []),
    ...(braces === templated ? [] : [braces ? 'a template without "templated": true' : '"templated": true, but not a template']),
    ...(target !== undefined && unknown.length > 0 ? [`unknown parameters: ${unknown.join(', ')}`] : []),
    ...(missing.length > 0 ? [`required parameters are missing: ${missing.map(({ name }) => name).join(', ')}`] : []),
  ];
}

/** The parameter that a template without values must be refused for; undefined if it must be accepted. */
function refusedOf({ contract }: Run, { templated }: FoundLink, operation: Operation, values: Record<string, string>): string | undefined {
  if (!templated) return undefined;
  const missing = operation.parameters.find((each) =>
    each.in === 'query' ? each.required : !contract.accepts(each, values[each.name] ?? ''),
  );
  return missing?.name;
}

/** The paths of the operations that can be reached from `/` by links. */
function reachedFromRoot(run: Run): Set<string> {
  const steps = [...run.links.all()].flatMap(({ href, from }) => {
    const target = targetOf(run, expand(href));
    return target === undefined ? [] : [...from].map((source) => `${source} ${target.operation.path}`);
  });
  const different = [...new Set(steps)].map((step) => step.split(' ') as [string, string]);
  const reached = new Set(['/']);
  for (const path of reached) for (const [from, to] of different) if (from === path) reached.add(to);
  return reached;
}

/**
 * Follows every link that was found, including those found on the way.
 * @param whole whether all operations were checked, so that each must be reachable from `/`
 */
export async function checkLinks(run: Run, whole: boolean): Promise<Findings> {
  const findings = new Findings('every link');
  /** The URLs followed, by operation. */
  const followed = new Map<Operation, Set<string>>();
  let skipped = 0;
  for (const link of run.links.all()) {
    if (!findings.add('links', `${link.href} in ${link.foundAt}`, linkProblems(run, link))) continue;
    const url = expand(link.href);
    const { operation, values } = targetOf(run, url)!;
    const refused = refusedOf(run, link, operation, values);
    // One URL may come from a template without values, which is refused, and from a plain link, which must work.
    const target = `${url} ${refused ?? ''}`;
    const there = followed.get(operation) ?? new Set();
    followed.set(operation, there);
    if (there.has(target)) continue;
    if (there.size >= MOST_PER_OPERATION) {
      skipped += 1;
      continue;
    }
    there.add(target);
    const probe = new Probe(run, operation, findings);
    if (refused !== undefined) await probe.refused(url, refused, 'links');
    else await probe.get(url, { check: 'links' });
  }
  if (skipped > 0) findings.notes.push(`${skipped} links were not followed: the limit is ${MOST_PER_OPERATION} per operation`);
  if (whole) checkReachable(run, findings);
  return findings;
}

function checkReachable(run: Run, findings: Findings): void {
  const reached = reachedFromRoot(run);
  for (const { path } of run.contract.operations) {
    if (reached.has(path)) findings.add('links', `to ${path}`, []);
    else if (path.includes('{') && run.deployment.empty) findings.lack('links', `to ${path}`, 'the service has no data');
    else findings.add('links', `to ${path}`, ['not reachable by links from /']);
  }
}
