import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED } from '../../schemas/index.js';
import { CONTRACT, FIXED_HEADERS, violations } from '../helper.js';

/** What campaigns use of a JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  anyOf?: Schema[];
}

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

/** A path with a GET. */
export interface Operation {
  path: string;
  parameters: Parameter[];
}

interface Reference {
  $ref?: string;
}
type Content = Record<string, { schema?: Schema }>;
interface Document {
  paths: Record<string, { get?: { parameters?: (Parameter & Reference)[]; responses: Record<string, { content?: Content } & Reference> } }>;
}

/** The exported contract, read independently of the service. */
export class Contract {
  readonly openApi = JSON.parse(readFileSync(join(CONTRACT, 'openapi.json'), 'utf8')) as Document;
  readonly operations: Operation[];
  /** The fixed header fields of every response, by lower-case name. */
  readonly headers: ReadonlyMap<string, string> = new Map(Object.entries(FIXED_HEADERS));
  /** The names of the schemas. */
  readonly names = Object.keys(PUBLISHED);
  private readonly patterns: { path: string; pattern: RegExp }[];

  constructor() {
    this.operations = Object.entries(this.openApi.paths).flatMap(([path, { get }]) => {
      if (get === undefined) return [];
      const parameters = (get.parameters ?? []).map((each) => this.resolve(each));
      return [{ path, parameters: parameters.map((each) => ({ ...each, schema: this.resolve(each.schema) })) }];
    });
    // `/setups/search` is a resource of its own, not the Setup whose id is "search".
    const byVariables = this.operations.map(({ path }) => path).sort((a, b) => a.split('{').length - b.split('{').length);
    this.patterns = byVariables.map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** What a reference within the document leads to. */
  private resolve<T extends Reference>(value: T): T {
    if (value.$ref?.startsWith('#/') !== true) return value;
    const names = value.$ref.slice(2).split('/');
    const found = names.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], this.openApi);
    return this.resolve(found as T);
  }

  /** The path with variables that a path of a URL belongs to. */
  pathOf(path: string): string | undefined {
    return this.patterns.find(({ pattern }) => pattern.test(path))?.path;
  }

  /** What a path answers with a status: the name of the schema by media type, null where it has none; undefined if the status has no such type. */
  responseOf(path: string, status: number, type: string): string | null | undefined {
    const response = this.openApi.paths[path]?.get?.responses[status];
    const content = response && this.resolve(response).content?.[type];
    if (content === undefined) return undefined;
    return content.schema?.$ref?.split(/[/:]/).at(-1) ?? null;
  }

  /** Validates a value against a published schema. Returns the violations. */
  violations(name: string, value: unknown): string[] {
    return this.names.includes(name) ? violations(name, value) : [`there is no schema ${name}`];
  }
}
