import { href, PATHS } from '../links.js';
import { type Content, type Html, html, joined, LINE_FEED, preformatted } from './html.js';
import { renderPage } from './layout.js';
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
  required: boolean;
  description: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema; example?: unknown }> }>;
}

/** What the reference needs of an OpenAPI document. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema> };
}

/** A request to an operation, which a link sends. */
export interface ExampleRequest {
  operationId: string;
  /** Relative to the root of the service, beginning with a slash. */
  target: string;
}

const ROOT = '.';
/** The most lines of an example answer that the page shows. */
const MOST_LINES = 60;

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

function parameterTable(parameters: Parameter[]): Content {
  return (
    parameters.length > 0 &&
    html`<table class="stack parameters">
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(
          ({ name, in: place, required, description, schema }) =>
            html`<tr>
              <th scope="row" data-label="Parameter">
                <code>${name}</code
                >${(place === 'path' || required) && html` <small>${place === 'path' ? 'in the path' : 'required'}</small>`}
              </th>
              <td data-label="Type">${typeWords(schema)}</td>
              <td data-label="Meaning">${description}</td>
            </tr> `,
        )}
      </tbody>
    </table>`
  );
}

function exampleAnswer(example: unknown): Content {
  if (example === undefined) return null;
  const lines = (typeof example === 'string' ? example : JSON.stringify(example, null, 2)).split('\n');
  const shown = lines.slice(0, MOST_LINES).map(preformatted);
  return html`<details class="fold">
    <summary>An answer from the sample network</summary>
    <pre class="answer" tabindex="0">${joined(shown, LINE_FEED)}${lines.length > MOST_LINES && [LINE_FEED, '…']}</pre>
  </details>`;
}

function operationSection(path: string, operation: Operation, request: string | undefined): Html {
  const { operationId, summary, description, parameters = [], responses } = operation;
  const [success, ...problems] = Object.entries(responses);
  const media = Object.entries(success?.[1].content ?? {});
  return html`<section class="operation" id="operation-${operationId}" aria-labelledby="heading-${operationId}">
    <h3 id="heading-${operationId}"><code>GET ${path}</code></h3>
    <p>${summary}</p>
    ${description !== summary && html`<p>${description}</p>`}
    ${
      request !== undefined &&
      html`<p>
        Try it: <a href="${ROOT}${request}"><code>${request}</code></a>
      </p>`
    }
    ${parameterTable(parameters)}
    <p>
      Answers:
      ${joined(
        media.map(([type, { schema }]) => [html`<code>${type}</code>`, schema?.$ref !== undefined && [' with ', typeWords(schema)]]),
        ', ',
      )}${
        problems.length > 0 && [
          '; problems ',
          joined(
            problems.filter(([status]) => status !== 'default').map(([status, { description: words }]) => `${status}: ${words}`),
            ' ',
          ),
        ]
      }
    </p>
    ${exampleAnswer(media[0]?.[1].example)}
  </section>`;
}

function schemaSection(name: string, schema: Schema): Html {
  const { description, properties = {} } = schema;
  const members = Object.entries(properties);
  return html`<section class="operation" id="schema-${name}" aria-labelledby="heading-schema-${name}">
    <h3 id="heading-schema-${name}">${name}</h3>
    ${description !== undefined && html`<p>${description}</p>`}
    ${
      members.length === 0
        ? html`<p>${typeWords(schema)}</p>`
        : html`<table class="stack parameters">
            <thead>
              <tr>
                <th scope="col">Member</th>
                <th scope="col">Type</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              ${members.map(
                ([member, each]) =>
                  html`<tr>
                    <th scope="row" data-label="Member"><code>${member}</code></th>
                    <td data-label="Type">${typeWords(each)}</td>
                    <td data-label="Meaning">${each.description}</td>
                  </tr> `,
              )}
            </tbody>
          </table>`
    }
  </section>`;
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
      <nav aria-label="Operations">
        <ul class="toc">
          ${groups.map(
            ({ name, operations: some }) =>
              html`<li>
                <a href="#tag-${name}">${capitalized(name)}</a>
                <ul>
                  ${some.map(
                    ({ path, operation }) =>
                      html`<li>
                        <a href="#operation-${operation.operationId}"><code>${path}</code></a>
                      </li> `,
                  )}
                </ul>
              </li> `,
          )}
          <li><a href="#schemas">Schemas</a></li>
        </ul>
      </nav>
      ${groups.map(
        ({ name, description, operations: some }) =>
          html`<h2 id="tag-${name}">${capitalized(name)}</h2>
            <p>${description}</p>
            ${some.map(({ path, operation }) => operationSection(path, operation, targets.get(operation.operationId)))}`,
      )}
      <h2 id="schemas">Schemas</h2>
      ${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}`,
  });
}
