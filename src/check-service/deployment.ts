import { expand } from './links.js';
import type { HttpClient } from './http-client.js';
import { isObject, type Json, memberOf, parseJson } from './json.js';
import { itemOf, type Operation, type Parameter, type PublishedContract } from './published-contract.js';

/** How many values of a parameter are used. */
const MOST_VALUES = 20;

/** Every `href` in a value that is not a template. */
function hrefsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(hrefsIn);
  if (!isObject(value)) return [];
  const own = typeof value.href === 'string' && value.templated !== true ? [value.href] : [];
  return [...own, ...Object.values(value).flatMap(hrefsIn)];
}

/** The data of a deployment: the first page of each collection that `/` links to. */
export class Deployment {
  /** The start of the run: every Site with a Setup has one at this instant. */
  readonly now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');

  private constructor(
    private readonly contract: PublishedContract,
    private readonly base: string,
    /** The elements of the first page of each collection, by the id of its operation. */
    private readonly elements: Map<string, Json[]>,
    /** The OpenAPI document that the deployment serves. */
    private readonly served: Json,
  ) {}

  /** Starts at `/` and reads the first page of every linked collection. */
  static async discover(client: HttpClient, contract: PublishedContract, base: string): Promise<Deployment> {
    const read = async (url: string): Promise<Json> => {
      const { status, body } = await client.request(url);
      const parsed = parseJson(body);
      return status === 200 && typeof parsed !== 'string' ? parsed.value : null;
    };
    const root = memberOf(await read(`${base}/`), '_links');
    const elements = new Map<string, Json[]>();
    for (const link of isObject(root) ? Object.values(root) : []) {
      const href = memberOf(link, 'href');
      const url = typeof href === 'string' ? expand(href) : '';
      const operation = url.startsWith(base) ? contract.operationAt(url.slice(base.length))?.operation : undefined;
      if (operation?.paged !== true || operation.list === null) continue;
      const found = memberOf(await read(url), `_embedded.${operation.list.key}`);
      elements.set(operation.id, Array.isArray(found) ? found : []);
    }
    return new Deployment(contract, base, elements, await read(`${base}/openapi.json`));
  }

  /** The elements of the first page of a collection. */
  elementsOf(operation: Operation | undefined): Json[] {
    return this.elements.get(operation?.id ?? '') ?? [];
  }

  /** Whether all collections are empty. */
  get empty(): boolean {
    return [...this.elements.values()].every((each) => each.length === 0);
  }

  /** Whether the service itself documents a path as read-only. Only then may a POST or a DELETE be sent there. */
  isReadOnly({ path }: Operation): boolean {
    const paths = memberOf(this.served, 'paths');
    const item = isObject(paths) ? paths[path] : undefined;
    return isObject(item) && isObject(item.get) && !['put', 'post', 'delete', 'patch'].some((method) => Object.hasOwn(item, method));
  }

  /** Values for a required parameter, taken from the data. */
  valuesOf({ path }: Operation, parameter: Parameter): string[] {
    const all = [...this.elements.values()].flat();
    const members = (name: string): Json[] => all.flatMap((each) => memberOf(each, name) ?? []);
    // The id in an example may exist only in the sample network.
    const identifies = parameter.in === 'path' || parameter.name === 'id';
    const found: Json[] = parameter.example === undefined || identifies ? [] : [parameter.example];
    if (parameter.in === 'path') {
      for (const href of all.flatMap(hrefsIn)) {
        const at = href.startsWith(this.base) ? this.contract.operationAt(href.slice(this.base.length)) : undefined;
        // The id of an element also serves the paths below it, such as its installations.
        if (at !== undefined && `${path}/`.startsWith(`${at.operation.path}/`)) found.push(at.values[parameter.name] ?? null);
      }
      if (parameter.name === 'name') return [...this.contract.schemaFiles.keys()];
    } else if (parameter.isTime) {
      found.push(this.now);
    } else if (parameter.name === 'id' && itemOf(parameter.schema).type === 'string') {
      found.push(...members('fourCharacterId'));
    } else {
      found.push(...members(parameter.name));
    }
    return [...new Set(found.flatMap((each) => (each === null ? [] : String(each))))]
      .filter((value) => this.contract.accepts(parameter, value))
      .slice(0, MOST_VALUES);
  }
}
