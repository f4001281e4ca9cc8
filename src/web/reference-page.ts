import { href, PATHS } from '../links.js';
import { type Content, type Html, html, joined, tableHead } from './html.js';
import { pathText, renderPage } from './layout.js';
import { capitalized } from './words.js';

/** What the reference needs of a JSON Schema. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: Schema;
}

interface Reference {
  $ref: string;
}

interface Answer {
  description: string;
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: (Parameter | Reference)[];
  responses: Record<string, Answer | Reference>;
}

/** What the reference needs of an OpenAPI document. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get?: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
  };
}

/** A request to an operation, which a link sends. */
export interface ExampleRequest {
  operationId: string;
  /** Relative to the root of the service, beginning with a slash. */
  target: string;
}

const ROOT = '.';

/** The name of the schema to which a reference refers. */
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** The type of a value in words, with links to the schemas that it names. */
function typeWords(schema: Schema): Content {
  if (schema.$ref !== undefined) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const variants = schema.anyOf ?? schema.allOf;
  if (variants !== undefined) return joined(variants.map(typeWords), schema.allOf === undefined ? ' or ' : ' and ');
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    );
  if (schema.items !== undefined) return ['list of ', typeWords(schema.items)];
  if (schema.properties !== undefined)
    return [
      'object with ',
      joined(
        Object.keys(schema.properties).map((name) => html`<code>${name}</code>`),
        ', ',
      ),
    ];
  const limits = [
    schema.format,
    schema.minimum !== undefined && `at least ${schema.minimum}`,
    schema.maximum !== undefined && `at most ${schema.maximum}`,
  ].filter((each) => typeof each === 'string');
  return [[schema.type ?? 'any'].flat().join(' or '), limits.length > 0 && `, ${limits.join(', ')}`];
}

/** A row of a table: a name, its type in words, and its meaning. */
type Row = [name: Content, type: Content, meaning: Content];

const tableOf = (of: string, rows: Row[]): Content =>
  rows.length > 0 &&
  html`<table class="stack parameters">
    ${tableHead(of, 'Type', 'Meaning')}
    <tbody>
      ${rows.map(
        ([name, type, meaning]) =>
          html`<tr>
            <th scope="row" data-label="${of}">${name}</th>
            <td data-label="Type">${type}</td>
            <td data-label="Meaning">${meaning}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;

/** One line, which opens in place. */
const entry = (id: string, line: Content, rest: Content): Html =>
  html`<details class="entry" id="${id}">
    <summary>${line}</summary>
    ${rest}
  </details>`;

/** What a reference stands for. */
const resolved = <T extends object>(each: T | Reference, shared: Record<string, T>): T =>
  '$ref' in each ? shared[nameOf(each.$ref)]! : each;

function operationEntry(path: string, operation: Operation, request: string | undefined, components: ApiDocument['components']): Html {
  const { operationId, summary, description, responses } = operation;
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, components.parameters));
  const [success, ...problems] = Object.entries(responses);
  const content = success === undefined ? {} : resolved(success[1], components.responses).content;
  const answers = Object.entries(content ?? {}).map(([type, { schema }]) => [
    html`<code>${type}</code>`,
    schema?.$ref !== undefined && [' with ', typeWords(schema)],
  ]);
  const statuses = problems.map(([status]) => status).filter((status) => status !== 'default');
  const rows = parameters.map(({ name, in: place, required, description: meaning, schema }): Row => {
    const note = place === 'path' ? 'in the path' : 'required';
    return [[html`<code>${name}</code>`, (place === 'path' || required) && html` <small>${note}</small>`], typeWords(schema), meaning];
  });
  return entry(
    `operation-${operationId}`,
    [pathText(path), ' ', summary],
    [
      description !== summary && html`<p>${description}</p>`,
      request !== undefined && html`<p>Try it: <a href="${ROOT}${request}">${pathText(request)}</a></p>`,
      tableOf('Parameter', rows),
      html`<p>Answers: ${joined(answers, ', ')}; problems: ${statuses.join(', ')}</p>`,
    ],
  );
}

function schemaEntry(name: string, schema: Schema): Html {
  const members = Object.entries(schema.properties ?? {});
  const rows = members.map(([member, each]): Row => [html`<code>${member}</code>`, typeWords(each), each.description]);
  return entry(
    `schema-${name}`,
    [html`<b>${name}</b>`, ' ', schema.description],
    members.length === 0 ? html`<p>${typeWords(schema)}</p>` : tableOf('Member', rows),
  );
}

/** The reference of the API: every operation with its parameters, answers and a request to click, and every schema. */
export function renderReferencePage({ info, tags, paths, components }: ApiDocument, requests: readonly ExampleRequest[]): string {
  const operations = Object.entries(paths).flatMap(([path, { get }]) => (get === undefined ? [] : [{ path, operation: get }]));
  const targets = new Map(requests.map(({ operationId, target }) => [operationId, target]));
  const groups = tags
    .map((tag) => ({ ...tag, operations: operations.filter(({ operation }) => operation.tags[0] === tag.name) }))
    .filter((group) => group.operations.length > 0);
  return renderPage({
    root: ROOT,
    title: `API, version ${info.version}`,
    section: 'reference',
    json: [{ title: 'This description (OpenAPI 3.1)', type: 'application/json', href: href(ROOT, PATHS.openApi) }],
    content: html`${info.description.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph.replaceAll('\n', ' ')}</p>`)}
      ${groups.map(
        ({ name, description, operations: some }) =>
          html`<h2 id="tag-${name}">${capitalized(name)}</h2>
            <p>${description}</p>
            ${some.map(({ path, operation }) => operationEntry(path, operation, targets.get(operation.operationId), components))}`,
      )}
      <h2 id="schemas">Schemas</h2>
      ${Object.entries(components.schemas).map(([name, schema]) => schemaEntry(name, schema))}`,
  });
}
