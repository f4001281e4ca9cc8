import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlined, type Node } from '../contract/compatibility.js';
import { CONTRACT } from '../project-files.js';

/** What campaigns use of a JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
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

interface Document {
  paths: Record<
    string,
    {
      get: {
        parameters: Parameter[];
        responses: Record<string, { content: Record<string, { schema?: Schema }> }>;
      };
    }
  >;
}

/** The exported contract, read independently of the service. */
export class Contract {
  private readonly paths = (
    inlined(
      JSON.parse(readFileSync(join(CONTRACT, 'openapi.json'), 'utf8')) as Node,
    ) as object as Document
  ).paths;
  readonly operations: Operation[] = Object.entries(this.paths).map(([path, { get }]) => ({
    path,
    parameters: get.parameters,
  }));
  private readonly patterns: { path: string; pattern: RegExp }[];

  constructor() {
    // `/setups/search` is a resource of its own, not the Setup whose id is "search".
    const byVariables = this.operations
      .map(({ path }) => path)
      .sort((a, b) => a.split('{').length - b.split('{').length);
    this.patterns = byVariables.map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** The path with variables that a path of a URL belongs to. */
  pathOf(path: string): string | undefined {
    return this.patterns.find(({ pattern }) => pattern.test(path))?.path;
  }

  /**
   * What a path answers with a status: the name of the schema by media type, null where it has
   * none; undefined if the status has no such type. The contract states types without parameters.
   */
  responseOf(path: string, status: number, type: string): string | null | undefined {
    const content = this.paths[path]?.get.responses[String(status)]?.content[type.split(';')[0]!];
    if (content === undefined) return undefined;
    return content.schema?.$ref?.split(/[/:]/).at(-1) ?? null;
  }
}
