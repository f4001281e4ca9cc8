import { href, PATHS } from '../links.js';
import { type Content, type Html, html, joined } from './page/html.js';
import { type Page, pathText } from './page/layout.js';
import { type Column, table } from './page/table.js';
import { capitalized } from './page/words.js';

/** The part of the JSON Schema of a parameter or an answer that the reference needs. */
interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  const?: unknown;
  enum?: unknown[];
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

interface Answer {
  content?: Record<string, { schema?: Schema }>;
}

interface Reference {
  $ref: string;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: (Parameter | Reference)[];
  /** By status. The first is that of success. */
  responses: Record<string, Answer>;
}

/** What the reference needs of an OpenAPI document. */
export interface ApiDocument {
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get?: Operation }>;
  components: { parameters: Record<string, Parameter> };
}

/** A request to an operation, which a link sends. */
export interface ExampleRequest {
  operationId: string;
  /** Relative to the root of the service, beginning with a slash. */
  target: string;
}

const ROOT = '.';

/** The name of what a reference refers to. */
const componentName = (reference: string): string =>
  reference.slice(reference.lastIndexOf('/') + 1);

/** The parameter that a reference stands for. */
const resolved = (each: Parameter | Reference, shared: Record<string, Parameter>): Parameter =>
  '$ref' in each ? shared[componentName(each.$ref)]! : each;

/** The heading of a group of operations: what its description says, without its full stop. */
const headingOf = (description: string): string =>
  capitalized(description.replace(/\.$/, '').replace(/^The (?!service)/, ''));

/** The values of a parameter in words. */
function typeWords({ type, items, enum: values, const: only, minimum, maximum }: Schema): string {
  if (items !== undefined) return `list of ${typeWords(items)}`;
  const allowed = values ?? (only === undefined ? [] : [only]);
  if (allowed.length > 0) return allowed.map((each) => JSON.stringify(each)).join(' or ');
  const limits = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
  ];
  return [type, ...limits].filter(Boolean).join(', ');
}

const PARAMETER_COLUMNS: Column<Parameter>[] = [
  [
    'Parameter',
    ({ name, in: place, required }) => {
      const note = place === 'path' ? 'in the path' : 'required';
      return [html`<code>${name}</code>`, required && html` <small>${note}</small>`];
    },
    { isHeader: true },
  ],
  ['Values', ({ schema }) => typeWords(schema)],
  ['Meaning', ({ description }) => description],
];

/** A media type of an answer, with a link to its schema. */
const answerWords = ([type, { schema }]: [string, { schema?: Schema }]): Content => {
  const name = schema?.$ref === undefined ? null : componentName(schema.$ref);
  return [
    html`<code>${type}</code>`,
    name !== null &&
      html` with <a href="${href(ROOT, PATHS.schema, { name: `${name}.json` })}">${name}</a>`,
  ];
};

/** The line of an operation, which opens in place. */
function operationEntry(
  path: string,
  operation: Operation,
  request: string | undefined,
  components: ApiDocument['components'],
): Html {
  const { operationId, summary, description, responses } = operation;
  const parameters = (operation.parameters ?? []).map((each) =>
    resolved(each, components.parameters),
  );
  const [first, ...problems] = Object.entries(responses);
  const answers = Object.entries(first?.[1].content ?? {});
  const statuses = problems.map(([status]) => status).filter((status) => status !== 'default');
  return html`<details class="entry" id="operation-${operationId}">
    <summary>${pathText(path)} ${summary}</summary>
    ${description !== summary && html`<p>${description}</p>`}
    ${
      request !== undefined &&
      html`<p>Try it: <a href="${ROOT}${request}">${pathText(request)}</a></p>`
    }
    ${parameters.length > 0 && table(PARAMETER_COLUMNS, parameters, { name: 'stack parameters' })}
    <p>Answers: ${joined(answers.map(answerWords), ', ')}; problems: ${statuses.join(', ')}</p>
  </details>`;
}

/**
 * The reference of the API: every operation with its parameters, answers and a request to click.
 */
export function renderReferencePage(
  { info, tags, paths, components }: ApiDocument,
  requests: readonly ExampleRequest[],
): Page {
  const targets = new Map(requests.map(({ operationId, target }) => [operationId, target]));
  const entriesOf = (tag: string): Html[] =>
    Object.entries(paths).flatMap(([path, { get }]) =>
      get?.tags[0] === tag
        ? [operationEntry(path, get, targets.get(get.operationId), components)]
        : [],
    );
  return {
    root: ROOT,
    title: `API, version ${info.version}`,
    section: 'reference',
    json: [
      {
        title: 'This description (OpenAPI 3.1)',
        type: 'application/json',
        href: href(ROOT, PATHS.openApi),
      },
    ],
    content: [
      info.description
        .split(/\n\s*\n/)
        .map((paragraph) => html`<p>${paragraph.replaceAll('\n', ' ')}</p>`),
      tags.map(({ name, description }) => [
        html`<h2 id="tag-${name}">${headingOf(description)} <small>${name}</small></h2>`,
        entriesOf(name),
      ]),
    ],
  };
}
