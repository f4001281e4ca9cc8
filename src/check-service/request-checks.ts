import { type Exchange, fieldOf } from './http-client.js';
import { elementsOf, headerProblems, type Pairs, type Probe, type RequestValues, type Run } from './probe.js';
import { filtersOf, itemOf, type Operation, type Parameter } from './published-contract.js';

/** The media types that clients accept. An operation with one media type sends its document to all of them. */
const ACCEPTED = ['*/*', 'application/json', 'application/hal+json', 'application/prs.hal-forms+json'];
/** Methods that a read-only resource refuses. */
const WRONG_METHODS = ['POST', 'DELETE'];
/** A parameter that does not exist. */
const NO_PARAMETER = 'noSuchParameter';
/** An id that does not exist. */
const NO_ID = '999999999';
/** Four-character ids that are probably unused. */
const UNLIKELY_SITES = ['ZZZZ', 'QQQQ', '9999', 'ZZ99', 'Q0Q0', 'XXXX'];
/** How many wrong values of a query parameter are tried. */
const MOST_WRONG = 4;

const allowOf = (exchange: Exchange): string[] => (fieldOf(exchange, 'allow') ?? '').split(',').map((each) => each.trim());

/** HEAD gets the response of GET without its body, for a good request and for a bad one. */
export async function checkHead(probe: Probe, values: RequestValues): Promise<void> {
  for (const further of [[], [[NO_PARAMETER, 'x']]] satisfies Pairs[]) {
    const url = probe.url(values, further);
    const get = await probe.run.client.request(url);
    const head = await probe.run.client.request(url, 'HEAD');
    const fixed = [...probe.run.contract.headers.keys(), 'content-type', ...(probe.operation.isStreamed ? [] : ['content-length'])];
    if (head.status !== 0) probe.findings.add('header fields', probe.subjectOf(head), headerProblems(probe.run, head));
    probe.findings.add('HEAD', probe.subjectOf(head), [
      ...(head.fault === null ? [] : [head.fault]),
      ...(head.status === get.status ? [] : [`status ${head.status}; GET has ${get.status}`]),
      ...(head.body.length === 0 ? [] : [`a body of ${head.body.length} bytes`]),
      ...fixed.flatMap((name) => {
        const [found, wanted] = [fieldOf(head, name), fieldOf(get, name)];
        return found === wanted ? [] : [`${name} is "${found ?? ''}"; GET has "${wanted ?? ''}"`];
      }),
    ]);
  }
}

/** OPTIONS lists the methods. Any other method is a 405 that lists them too. */
export async function checkMethods(probe: Probe, values: RequestValues): Promise<void> {
  const { findings, operation, run } = probe;
  const url = probe.url(values);
  const options = await run.client.request(url, 'OPTIONS');
  const missing = ['GET', 'HEAD', 'OPTIONS'].filter((each) => !allowOf(options).includes(each));
  if (options.status !== 0) findings.add('header fields', probe.subjectOf(options), headerProblems(run, options, ['allow']));
  findings.add('OPTIONS', probe.subjectOf(options), [
    ...(options.status === 200 || options.status === 204 ? [] : [`status ${options.status}; expected 204 or 200`]),
    ...(missing.length === 0 ? [] : [`Allow does not list ${missing.join(', ')}`]),
  ]);
  for (const method of WRONG_METHODS) {
    if (!run.deployment.isReadOnly(operation)) {
      findings.add('wrong method', `${method} ${operation.path}`, [
        'not tried: /openapi.json of the service does not document this path as read-only',
      ]);
      continue;
    }
    const exchange = await run.client.request(url, method, { 'content-length': '0' });
    const body = probe.examine(exchange, null, ['allow']);
    findings.add('wrong method', probe.subjectOf(exchange), [
      ...(exchange.status === 405 ? [] : [`status ${exchange.status}; expected 405`]),
      ...(['GET', 'HEAD'].every((each) => allowOf(exchange).includes(each))
        ? []
        : [`Allow is "${fieldOf(exchange, 'allow') ?? ''}"; expected GET, HEAD, OPTIONS`]),
      ...probe.problemProblems(body, 'method-not-allowed'),
    ]);
  }
}

/** Every JSON or HAL client gets the one document. If there are several media types, it gets the one it names. */
export async function checkAccept(probe: Probe, values: RequestValues): Promise<void> {
  const url = probe.url(values);
  const types = [...(probe.operation.responses.get('200')?.keys() ?? [])];
  const plain = await probe.run.client.request(url);
  for (const accept of [...(types.length === 1 ? ACCEPTED : ['*/*']), ...types]) {
    const exchange = await probe.run.client.request(url, 'GET', { accept });
    const usual = types.indexOf(accept) <= 0;
    probe.findings.add('accept', `${probe.subjectOf(exchange)} (Accept: ${accept})`, [
      ...(exchange.status === plain.status ? [] : [`status ${exchange.status}; without Accept ${plain.status}`]),
      ...(usual && !exchange.body.equals(plain.body) ? ['the body differs from the one without Accept'] : []),
      ...(fieldOf(exchange, 'content-type') === (usual ? fieldOf(plain, 'content-type') : accept)
        ? []
        : [`Content-Type is "${fieldOf(exchange, 'content-type') ?? ''}"`]),
    ]);
  }
}

/** A value that a parameter accepts: one from the data, or one that fits its schema. */
export function valueFor({ contract, deployment }: Run, operation: Operation, parameter: Parameter): string | undefined {
  const { minimum, const: only, anyOf } = itemOf(parameter.schema);
  const variants = Array.isArray(anyOf)
    ? anyOf.map((each) => (typeof each === 'object' && each !== null && 'const' in each ? each.const : null))
    : [];
  const known = deployment.valuesOf(operation, parameter);
  const made = [only, ...variants, minimum, '1', 'true', 'AAAA', 'Aaaa.json', ...filtersOf(operation).map(({ name }) => name)];
  const sorted = contract.operations.flatMap((each) => filtersOf(each).map(({ name }) => name));
  return [...known, ...made, ...sorted]
    .flatMap((each) => (each == null ? [] : String(each)))
    .find((each) => contract.accepts(parameter, each));
}

/** Texts that a parameter refuses: by its schema, or because they are not instants. */
function wrongValuesFor({ contract }: Run, parameter: Parameter, value: string | undefined, exists: boolean): string[] {
  const { maximum, maxLength } = itemOf(parameter.schema);
  return [
    ...(parameter.name === 'sort' && value !== undefined ? [`${value},sideways`] : []),
    'noSuchValue',
    ...(parameter.isTime ? ['2013-02-30'] : []),
    '-1',
    '1.5',
    '!',
    ...(parameter.in === 'query' ? [''] : []),
    ...(typeof maximum === 'number' ? [String(maximum + 1)] : []),
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    // The service may look for the resource before it reads the instant.
  ].filter((each) => !contract.accepts(parameter, each) || (parameter.isTime && exists));
}

/**
 * Unknown, repeated, missing and malformed parameters are refused by name.
 * @param exists whether the requested resource exists
 */
export async function checkParameters(probe: Probe, values: RequestValues, exists: boolean): Promise<void> {
  const { operation, run } = probe;
  await probe.refused(probe.url(values, [[NO_PARAMETER, 'x']]), NO_PARAMETER);
  for (const parameter of operation.parameters) {
    const { name, schema } = parameter;
    const value = valueFor(run, operation, parameter);
    const others = { ...values, query: values.query.filter(([each]) => each !== name) };
    if (parameter.in === 'path') {
      for (const wrong of wrongValuesFor(run, parameter, value, exists))
        await probe.refused(probe.url({ ...values, path: { ...values.path, [name]: wrong } }), name);
      continue;
    }
    if (parameter.required) await probe.refused(probe.url(others), name);
    for (const wrong of wrongValuesFor(run, parameter, value, exists).slice(0, MOST_WRONG))
      await probe.refused(probe.url(others, [[name, wrong]]), name);
    const most = schema.type === 'array' ? schema.maxItems : 1;
    if (typeof most !== 'number' || value === undefined) continue;
    await probe.refused(
      probe.url(
        others,
        Array.from({ length: most + 1 }, (): [string, string] => [name, value]),
      ),
      name,
    );
  }
}

/** A four-character id that no Site of the service has. */
async function unknownSite({ client, contract, base }: Run): Promise<string | undefined> {
  const sites = contract.operations.find((each) => each.paged && filtersOf(each).some(({ name }) => name === 'fourCharacterId'));
  for (const id of UNLIKELY_SITES) {
    const { status, body } = await client.request(`${base}${sites?.path ?? ''}?fourCharacterId=${id}`);
    if (status === 200 && /"totalElements":\s*0\b/.test(body.toString())) return id;
  }
  return undefined;
}

/** A value of a required parameter that matches nothing; undefined if none is known. */
async function unknownValue(run: Run, { paged }: Operation, parameter: Parameter): Promise<string | undefined> {
  const { type } = itemOf(parameter.schema);
  if (parameter.in === 'query' && parameter.name === 'id' && type === 'string') return unknownSite(run);
  const values = parameter.in === 'path' || type === 'integer' ? [NO_ID, 'NoSuchType.json'] : paged ? ['no such value'] : [];
  return values.find((each) => run.contract.accepts(parameter, each));
}

/** A resource that does not exist is a 404. A list is empty instead. */
export async function checkUnknown(probe: Probe, values: RequestValues): Promise<void> {
  const { findings, operation, run } = probe;
  for (const parameter of operation.parameters.filter(({ required, isTime }) => required && !isTime)) {
    const missing = operation.responses.has('404');
    if (!missing && !operation.paged) continue;
    const value = await unknownValue(run, operation, parameter);
    if (value === undefined) {
      findings.lack('unknown id', operation.path, `no value of "${parameter.name}" is known to match nothing`);
      continue;
    }
    const url =
      parameter.in === 'path'
        ? probe.url({ ...values, path: { ...values.path, [parameter.name]: value } })
        : probe.url({ ...values, query: values.query.filter(([name]) => name !== parameter.name) }, [[parameter.name, value]]);
    const { exchange, body } = await probe.get(url, { status: [missing ? 404 : 200], check: 'unknown id' });
    if (body === undefined) continue;
    const count = elementsOf(operation, body).length;
    const type = parameter.in === 'path' ? 'not-found' : 'unknown-site';
    const problems = missing ? probe.problemProblems(body, type) : count === 0 ? [] : [`${count} elements; expected none`];
    findings.add('unknown id', probe.subjectOf(exchange), problems);
  }
}
