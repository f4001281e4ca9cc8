import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { CONTRACT, ROOT } from '../helper.js';
import { type Change, compareContracts, type Contract, isMajorBump, type Json, versionOf } from './compare-contracts.js';

const HAL = 'application/hal+json;charset=UTF-8';

const read = (file: string): Json => JSON.parse(readFileSync(join(CONTRACT, file), 'utf8')) as Json;
const CURRENT: Contract = {
  name: 'current',
  openapi: read('openapi.json'),
  types: Object.fromEntries(
    readdirSync(CONTRACT)
      .filter((file) => file !== 'openapi.json')
      .map((file) => [basename(file, '.json'), read(file)]),
  ),
};

/** Keys into a contract; of a parameter its name. */
type Path = string[];
type Edit = (contract: Contract) => void;
type Node = Record<string, unknown>;

function keyIn(node: Node, key: string): string {
  return Array.isArray(node) && !/^\d+$/.test(key) ? String(node.findIndex(({ name }: Json) => name === key)) : key;
}

function parentOf(contract: Contract, path: Path): { node: Node; key: string } {
  let node = contract as unknown as Node;
  for (const key of path.slice(0, -1)) node = node[keyIn(node, key)] as Node;
  return { node, key: keyIn(node, path.at(-1)!) };
}

const put =
  (paths: Path[], value: unknown): Edit =>
  (contract) => {
    for (const path of paths) {
      const { node, key } = parentOf(contract, path);
      node[key] = structuredClone(value);
    }
  };

const drop =
  (paths: Path[]): Edit =>
  (contract) => {
    for (const path of paths) {
      const { node, key } = parentOf(contract, path);
      if (Array.isArray(node)) node.splice(Number(key), 1);
      else delete node[key];
    }
  };

const add =
  (paths: Path[], ...values: unknown[]): Edit =>
  (contract) => {
    for (const path of paths) {
      const { node, key } = parentOf(contract, path);
      node[key] = [...((node[key] ?? []) as unknown[]), ...structuredClone(values)];
    }
  };

const without =
  (paths: Path[], value: unknown): Edit =>
  (contract) => {
    for (const path of paths) {
      const { node, key } = parentOf(contract, path);
      node[key] = (node[key] as unknown[]).filter((each) => each !== value);
    }
  };

const all =
  (...edits: Edit[]): Edit =>
  (contract) =>
    edits.forEach((edit) => edit(contract));

/** A published type: the file and the component. */
const type = (name: string, ...path: Path): Path[] => [
  ['types', name, ...path],
  ['openapi', 'components', 'schemas', name, ...path],
];
const operation = (title: string, ...path: Path): Path[] => {
  const [method, url] = title.split(' ') as [string, string];
  return [['openapi', 'paths', url, method.toLowerCase(), ...path]];
};
const parameter = (title: string, name: string, ...path: Path): Path[] => operation(title, 'parameters', name, ...path);

/** The current export, edited. */
function edited(...edits: Edit[]): Contract {
  const contract = structuredClone(CURRENT);
  for (const edit of edits) edit(contract);
  return contract;
}

/** What the current export has at a path. */
function valueOf([path]: Path[]): unknown {
  const { node, key } = parentOf(CURRENT, path!);
  return node[key];
}

interface Case {
  /** What both exports have that the current one has not. */
  given?: Edit;
  /** What the older alone has. */
  before?: Edit;
  /** What the newer alone has. */
  change?: Edit;
  /** All that is to be found: where, path, what. */
  breaks?: [string, string, string][];
  additions?: [string, string, string][];
}

/** An operation that takes a body: the service has none yet. */
const POST = 'POST /setups';
const withBody: Edit = put(operation(POST), {
  operationId: 'postSetup',
  requestBody: {
    required: false,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: { name: { type: 'string' }, note: { type: ['string', 'null'] }, state: { enum: ['open', 'closed'], type: 'string' } },
        },
      },
    },
  },
  responses: { 204: { description: 'Done.' } },
});
const body = (...path: Path): Path[] => operation(POST, 'requestBody', 'content', 'application/json', 'schema', ...path);
const withSecurity: Edit = put([['openapi', 'components', 'securitySchemes']], { key: { type: 'apiKey', in: 'header', name: 'X-Key' } });
const RECEIVERS = 'GET /gnssReceivers';
const PATTERN = '^[A-Z0-9]{4}$';

const CASES: Record<string, Record<string, Case>> = {
  'what the service sends': {
    'a member is gone': {
      change: all(drop(type('Clock', 'properties', 'serialNumber')), without(type('Clock', 'required'), 'serialNumber')),
      breaks: [['Clock.json', '$.serialNumber', 'member gone: was string or null']],
    },
    'an optional member is gone': {
      change: drop(type('Setup', 'properties', 'provenance')),
      breaks: [['Setup.json', '$.provenance', 'member gone: was Provenance']],
    },
    'a member deep inside is gone': {
      change: drop(type('Clock', 'properties', 'installations', 'items', 'properties', 'period', 'properties', 'to')),
      breaks: [['Clock.json', '$.installations[*].period.to', 'member gone: was string or null']],
    },
    'a new member, required or not': {
      change: all(
        put(type('Clock', 'properties', 'colour'), { type: 'string' }),
        put(type('Clock', 'properties', 'full name'), { $ref: 'urn:gnss-site-setups:schema:Link' }),
        put([['openapi', 'components', 'schemas', 'Clock', 'properties', 'full name']], { $ref: '#/components/schemas/Link' }),
        add(type('Clock', 'required'), 'colour'),
      ),
      additions: [
        ['Clock.json', '$.colour', 'new member: string'],
        ['Clock.json', '$["full name"]', 'new member: Link'],
      ],
    },
    'a type is another': {
      change: put(type('Clock', 'properties', 'type', 'type'), 'number'),
      breaks: [['Clock.json', '$.type', 'type changed: string or null -> number']],
    },
    'an object becomes text': {
      change: put(type('Setup', 'properties', 'effectivePeriod'), { type: 'string' }),
      breaks: [['Setup.json', '$.effectivePeriod', 'type changed: object -> string']],
    },
    'a type is narrowed': {
      given: put(type('CorsSite', 'properties', 'id', 'type'), 'number'),
      change: put(type('CorsSite', 'properties', 'id', 'type'), 'integer'),
      breaks: [['CorsSite.json', '$.id', 'type narrowed: number -> integer']],
    },
    'a type is widened': {
      change: put(type('CorsSite', 'properties', 'id', 'type'), 'number'),
      breaks: [['CorsSite.json', '$.id', 'type widened: integer -> number']],
    },
    'the elements of an array are others': {
      change: put(type('Clock', 'properties', 'installations', 'items'), { type: 'string' }),
      breaks: [['Clock.json', '$.installations[*]', 'type changed: object -> string']],
    },
    'a type is no longer told': {
      change: drop(type('CorsSite', 'properties', 'siteStatus', 'type')),
      breaks: [['CorsSite.json', '$.siteStatus', 'type no longer restricted: string or null -> anything']],
    },
    'the type of an object is no longer told': {
      change: drop(type('Clock', 'type')),
      breaks: [['Clock.json', '$', 'type no longer restricted: object -> anything']],
    },
    'null where there was none': {
      change: put(type('CorsSite', 'properties', 'fourCharacterId', 'type'), ['string', 'null']),
      breaks: [['CorsSite.json', '$.fourCharacterId', 'null where there was none: string -> string or null']],
    },
    'null for a published type': {
      change: all(
        put([['types', 'Setup', 'properties', 'provenance']], {
          anyOf: [{ $ref: 'urn:gnss-site-setups:schema:Provenance' }, { type: 'null' }],
        }),
        put([['openapi', 'components', 'schemas', 'Setup', 'properties', 'provenance']], {
          anyOf: [{ $ref: '#/components/schemas/Provenance' }, { type: 'null' }],
        }),
      ),
      breaks: [['Setup.json', '$.provenance', 'null where there was none: Provenance -> Provenance or null']],
    },
    'a published type that may be null is another': {
      given: all(
        put([['types', 'Setup', 'properties', 'link']], { anyOf: [{ $ref: 'urn:gnss-site-setups:schema:Link' }, { type: 'null' }] }),
        put([['openapi', 'components', 'schemas', 'Setup', 'properties', 'link']], {
          anyOf: [{ $ref: '#/components/schemas/Link' }, { type: 'null' }],
        }),
      ),
      change: put(type('Link', 'properties', 'href', 'type'), 'number'),
      breaks: [['Link.json', '$.href', 'type changed: string -> number']],
    },
    'null no more': {
      change: put(type('CorsSite', 'properties', 'name', 'type'), 'string'),
      additions: [['CorsSite.json', '$.name', 'null no more: string or null -> string']],
    },
    'null written otherwise': {
      change: put(type('CorsSite', 'properties', 'name'), { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    },
    'a required member becomes optional': {
      change: without(type('Setup', 'required'), 'current'),
      breaks: [['Setup.json', '$.current', 'required -> optional']],
    },
    'an optional member becomes required': {
      change: add(type('Setup', 'required'), 'provenance'),
      additions: [['Setup.json', '$.provenance', 'optional -> required']],
    },
    'a constant has another value': {
      change: put(type('Health', 'properties', 'status', 'const'), 'fine'),
      breaks: [
        ['Health.json', '$.status', `value changed: ${JSON.stringify(valueOf(type('Health', 'properties', 'status', 'const')))} -> "fine"`],
      ],
    },
    'a value of an enumeration is new, gone, another': {
      given: put(type('CorsSite', 'properties', 'siteStatus'), { type: 'string', enum: ['a', 'b'] }),
      change: put(type('CorsSite', 'properties', 'siteStatus', 'enum'), ['b', 'a', 'c']),
      breaks: [['CorsSite.json', '$.siteStatus', 'new value: "a" or "b" -> "b" or "a" or "c"']],
    },
    'a value of an enumeration is gone': {
      given: put(type('CorsSite', 'properties', 'siteStatus'), { type: 'string', enum: ['a', 'b'] }),
      change: put(type('CorsSite', 'properties', 'siteStatus', 'enum'), ['a']),
      additions: [['CorsSite.json', '$.siteStatus', 'value gone: "a" or "b" -> "a"']],
    },
    'a value of an enumeration is another': {
      given: put(type('CorsSite', 'properties', 'siteStatus'), { type: 'string', enum: ['a', 'b'] }),
      change: put(type('CorsSite', 'properties', 'siteStatus', 'enum'), ['a', 'c']),
      breaks: [['CorsSite.json', '$.siteStatus', 'value changed: "a" or "b" -> "a" or "c"']],
    },
    'an enumeration written as a union': {
      given: put(type('CorsSite', 'properties', 'siteStatus'), { type: ['string', 'null'], enum: ['a', 'b', null] }),
      change: put(type('CorsSite', 'properties', 'siteStatus'), {
        anyOf: [{ const: 'b' }, { const: 'a', type: 'string' }, { type: 'null' }],
      }),
    },
    'a constant is no longer constant': {
      change: drop(type('Setup', 'properties', 'name', 'const')),
      breaks: [['Setup.json', '$.name', 'no longer restricted to certain values: "GNSS CORS Setup" -> string']],
    },
    'a pattern is another': {
      change: put(type('CorsSite', 'properties', 'fourCharacterId', 'pattern'), '^[a-z]{4}$'),
      breaks: [['CorsSite.json', '$.fourCharacterId', `pattern: "${PATTERN}" -> "^[a-z]{4}$"`]],
    },
    'a pattern is gone': {
      change: drop(type('CorsSite', 'properties', 'fourCharacterId', 'pattern')),
      breaks: [['CorsSite.json', '$.fourCharacterId', `pattern: "${PATTERN}" -> none`]],
    },
    'bounds are wider, narrower': {
      change: all(
        put(type('Problem', 'properties', 'status', 'minimum'), 300),
        put(type('Problem', 'properties', 'status', 'maximum'), 510),
      ),
      breaks: [['Problem.json', '$.status', 'least value: 400 -> 300']],
      additions: [['Problem.json', '$.status', 'greatest value: 599 -> 510']],
    },
    'a keyword of unknown weight': {
      change: put(type('Problem', 'dependentRequired'), { detail: ['instance'] }),
      breaks: [['Problem.json', '$', 'dependentRequired: none -> {"detail":["instance"]} (a keyword whose weight is not known)']],
    },
    'a type is opened': {
      change: drop(type('Clock', 'additionalProperties')),
      additions: [['Clock.json', '$.*', 'members beyond those named: none -> anything']],
    },
    'a type is closed': {
      given: drop(type('Clock', 'additionalProperties')),
      change: put(type('Clock', 'additionalProperties'), false),
      additions: [['Clock.json', '$.*', 'members beyond those named: anything -> none']],
    },
    'members beyond those named are gone': {
      given: put(type('Clock', 'additionalProperties'), { type: 'string' }),
      change: put(type('Clock', 'additionalProperties'), false),
      breaks: [['Clock.json', '$.*', 'members beyond those named: string -> none']],
    },
    'members beyond those named are others': {
      given: put(type('Clock', 'additionalProperties'), { type: 'string' }),
      change: put(type('Clock', 'additionalProperties'), { type: 'number' }),
      breaks: [['Clock.json', '$.*', 'type changed: string -> number']],
    },
    'a variant of members named by a pattern is gone': {
      change: drop(type('LinkIndex', 'properties', '_links', 'patternProperties', '^(.*)$', 'anyOf', '1')),
      breaks: [['LinkIndex.json', '$._links[/^(.*)$/](TemplatedLink)', 'variant gone: was TemplatedLink']],
    },
    'members are named by another pattern': {
      change: put(type('LinkIndex', 'properties', '_links', 'patternProperties'), { '^[a-z]+$': { type: 'object' } }),
      breaks: [['LinkIndex.json', '$._links[/^(.*)$/]', 'members gone: were Link or TemplatedLink']],
      additions: [['LinkIndex.json', '$._links[/^[a-z]+$/]', 'new members: object']],
    },
    'a variant is gone': {
      change: drop(type('EquipmentInUse', 'anyOf', '3')),
      breaks: [['EquipmentInUse.json', '$(content.id.equipmentType: "clock")', 'variant gone: was ClockInUse']],
    },
    'a new variant': {
      before: drop(type('EquipmentInUse', 'anyOf', '3')),
      breaks: [['EquipmentInUse.json', '$(content.id.equipmentType: "clock")', 'new variant: ClockInUse']],
    },
    'variants in another order': {
      change: (contract) => {
        for (const path of type('Equipment', 'anyOf')) {
          const { node, key } = parentOf(contract, path);
          (node[key] as unknown[]).reverse();
        }
      },
    },
    'a member of one variant is gone': {
      change: drop(type('Equipment', 'anyOf', '1', 'properties', 'serialNumber')),
      breaks: [['Equipment.json', '$(equipmentType: "gnss antenna").serialNumber', 'member gone: was string or null']],
    },
    'what tells a variant is another value': {
      change: put(type('Equipment', 'anyOf', '3', 'properties', 'equipmentType', 'const'), 'atomic clock'),
      breaks: [
        ['Equipment.json', '$(equipmentType: "clock")', 'variant gone: was object'],
        ['Equipment.json', '$(equipmentType: "atomic clock")', 'new variant: object'],
      ],
    },
    'a union of simple types': {
      given: put(type('Page', 'properties', 'size'), { anyOf: [{ type: 'string' }, { type: 'integer' }] }),
      change: put(type('Page', 'properties', 'size'), { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] }),
      breaks: [
        ['Page.json', '$.size(variant 3)', 'new variant: boolean'],
        ['Page.json', '$.size(variant 2)', 'type widened: integer -> number'],
      ],
    },
    'the schema that a type refers to is another': {
      change: all(
        put([['types', 'Clock', 'properties', '_links', 'properties', 'self', '$ref']], 'urn:gnss-site-setups:schema:TemplatedLink'),
        put(
          [['openapi', 'components', 'schemas', 'Clock', 'properties', '_links', 'properties', 'self', '$ref']],
          '#/components/schemas/TemplatedLink',
        ),
      ),
      additions: [['Clock.json', '$._links.self.templated', 'new member: true']],
    },
    'a reference is written out': {
      change: (contract) => {
        for (const path of type('ClockInUse', 'properties', 'content', 'properties', 'id')) put([path], contract.types.ClockId)(contract);
      },
    },
    'a reference with a keyword beside it': {
      change: put([['types', 'Setup', 'properties', 'provenance', 'minProperties']], 1),
      breaks: [
        ['Setup.json', '$.provenance', 'type no longer restricted: Provenance -> Provenance and anything'],
        ['Setup.json', '$.provenance', 'allOf: 0 schemas -> 2 schemas'],
      ],
    },
    'a type that contains itself': {
      given: all(
        put([['types', 'Link', 'properties', 'next']], { $ref: '#' }),
        put([['types', 'Link', '$defs']], { more: { type: 'array', items: { $ref: '#/$defs/more' } } }),
        put([['types', 'Link', 'properties', 'more']], { $ref: '#/$defs/more' }),
      ),
      change: put([['types', 'Link', 'properties', 'href', 'type']], 'number'),
      breaks: [['Link.json', '$.href', 'type changed: string -> number']],
    },
    'a published type is gone': {
      before: put(type('Orphan'), { type: 'object' }),
      breaks: [['Orphan.json', '$', 'published type gone']],
    },
    'a published type is gone and referred to': {
      change: drop(type('Page')),
      breaks: [['Page.json', '$', 'published type gone']],
    },
    'the file of a published type is gone': {
      change: drop([['types', 'Link']]),
      breaks: [['Link.json', '$', 'published type gone']],
    },
    'a reference leads nowhere': {
      change: put([['types', 'Setup', 'properties', 'provenance', '$ref']], 'urn:nothing'),
      breaks: [['Setup.json', '$.provenance', 'type no longer restricted: Provenance -> nothing']],
      additions: [['Setup.json', '$.provenance', 'not: none -> {}']],
    },
    'a reference of a parameter leads nowhere': {
      given: put(parameter(RECEIVERS, 'size', 'schema'), { type: 'integer', minimum: 1 }),
      change: put(parameter(RECEIVERS, 'size', 'schema'), { $ref: '#/%' }),
      breaks: [[RECEIVERS, 'query parameter size', 'not: none -> {}']],
      additions: [
        [RECEIVERS, 'query parameter size', 'type no longer restricted: integer -> nothing'],
        [RECEIVERS, 'query parameter size', 'least value: 1 -> none'],
      ],
    },
    'a variant is gone from a union within a union': {
      given: all(
        put([['types', 'Setup', 'properties', 'first']], {
          anyOf: [{ $ref: 'urn:gnss-site-setups:schema:EquipmentInUse' }, { type: 'null' }],
        }),
        put([['openapi', 'components', 'schemas', 'Setup', 'properties', 'first']], {
          anyOf: [{ $ref: '#/components/schemas/EquipmentInUse' }, { type: 'null' }],
        }),
      ),
      change: drop(type('EquipmentInUse', 'anyOf', '3')),
      breaks: [['EquipmentInUse.json', '$(content.id.equipmentType: "clock")', 'variant gone: was ClockInUse']],
    },
    'a union within a union is written out': {
      given: put([['types', 'Setup', 'properties', 'first']], {
        anyOf: [{ $ref: 'urn:gnss-site-setups:schema:EquipmentInUse' }, { type: 'null' }],
      }),
      change: (contract) =>
        put([['types', 'Setup', 'properties', 'first', 'anyOf', '0']], { anyOf: contract.types.EquipmentInUse!.anyOf })(contract),
    },
    'a published type is new': {
      change: put(type('Radome'), { type: 'object' }),
      additions: [['Radome.json', '$', 'new published type']],
    },
    'a published type is only in the OpenAPI document': {
      change: put([['openapi', 'components', 'schemas', 'Clock', 'properties', 'type', 'type']], 'boolean'),
      breaks: [['openapi.json#/components/schemas/Clock', '$.type', 'type changed: string or null -> boolean']],
    },
    'a published type has another $id': {
      change: put([['types', 'Readiness', '$id']], 'urn:gnss-site-setups:schema:Ready'),
      breaks: [['Readiness.json', '$', '$id changed: "urn:gnss-site-setups:schema:Readiness" -> "urn:gnss-site-setups:schema:Ready"']],
    },
    'a response status is gone': {
      change: drop(operation('GET /setups/{id}', 'responses', '404')),
      breaks: [['GET /setups/{id}', 'response 404', 'response status gone']],
    },
    'a response status is new': {
      change: put(operation('GET /setups/{id}', 'responses', '410'), { description: 'Gone.' }),
      additions: [['GET /setups/{id}', 'response 410', 'new response status']],
    },
    'a media type is another': {
      change: (contract) => {
        const { node } = parentOf(contract, operation('GET /health', 'responses', '200', 'content', 'x')[0]!);
        node['application/hal+json'] = node['application/json;charset=UTF-8'];
        delete node['application/json;charset=UTF-8'];
      },
      breaks: [['GET /health', 'response 200 application/json;charset=UTF-8', 'media type gone']],
      additions: [['GET /health', 'response 200 application/hal+json', 'new media type']],
    },
    'a response is of another type': {
      change: put(operation('GET /setups/{id}', 'responses', '200', 'content', HAL, 'schema'), { type: 'array' }),
      breaks: [['GET /setups/{id}', `response 200 ${HAL} $`, 'type changed: Setup -> array of anything']],
    },
    'a header field is gone at one response': {
      change: drop(operation('GET /health', 'responses', '200', 'headers', 'Pragma')),
      breaks: [['GET /health', 'response 200 header Pragma', 'header field gone']],
    },
    'a header field is new': {
      change: put(operation('GET /health', 'responses', '200', 'headers', 'ETag'), { schema: { type: 'string' } }),
      additions: [['GET /health', 'response 200 header ETag', 'new header field']],
    },
    'a header field has another value everywhere': {
      change: put([['openapi', 'components', 'headers', 'X-Frame-Options', 'schema', 'const']], 'SAMEORIGIN'),
      breaks: [['openapi.json', 'components.headers["X-Frame-Options"]', 'value changed: "DENY" -> "SAMEORIGIN"']],
    },
    'a header field has another value at one response': {
      change: all(
        drop(operation('GET /health', 'responses', '200', 'headers', 'X-Frame-Options')),
        put(operation('GET /health', 'responses', '200', 'headers', 'x-frame-options'), {
          required: true,
          schema: { const: 'SAMEORIGIN' },
        }),
      ),
      breaks: [['GET /health', 'response 200 header X-Frame-Options', 'value changed: "DENY" -> "SAMEORIGIN"']],
    },
    'a header field is gone everywhere, in part': {
      change: drop([['openapi', 'components', 'headers', 'Pragma']]),
      breaks: [['openapi.json', 'components.headers.Pragma', 'gone, although it is referred to']],
    },
    'a header field is no longer always there': {
      change: put([['openapi', 'components', 'headers', 'Pragma', 'required']], false),
      breaks: [['openapi.json', 'components.headers.Pragma', 'always there -> optional']],
    },
  },
  'what clients send': {
    'an operation is gone': {
      change: drop(operation('GET /ready')),
      breaks: [['GET /ready', '', 'operation gone']],
    },
    'an operation is new': {
      change: withBody,
      additions: [[POST, '', 'new operation']],
    },
    'a parameter is gone': {
      change: drop(parameter(RECEIVERS, 'size')),
      breaks: [[RECEIVERS, 'query parameter size', 'parameter gone']],
    },
    'a new parameter, required': {
      change: add(operation(RECEIVERS, 'parameters'), { name: 'key', in: 'query', required: true, schema: { type: 'string' } }),
      breaks: [[RECEIVERS, 'query parameter key', 'new parameter, required']],
    },
    'a new parameter, optional': {
      change: add(operation(RECEIVERS, 'parameters'), { name: 'key', in: 'query', schema: { type: 'string' } }),
      additions: [[RECEIVERS, 'query parameter key', 'new parameter, optional']],
    },
    'a parameter becomes required': {
      change: put(parameter(RECEIVERS, 'size', 'required'), true),
      breaks: [[RECEIVERS, 'query parameter size', 'optional -> required']],
    },
    'a parameter becomes optional': {
      change: put(parameter('GET /corsSites/search/findByFourCharacterId', 'id', 'required'), false),
      additions: [['GET /corsSites/search/findByFourCharacterId', 'query parameter id', 'required -> optional']],
    },
    'the type of a parameter is another': {
      change: put(parameter(RECEIVERS, 'size', 'schema'), { type: 'boolean' }),
      breaks: [[RECEIVERS, 'query parameter size', 'type changed: integer -> boolean']],
    },
    'the type of a parameter is narrowed': {
      change: put(parameter(RECEIVERS, 'type', 'schema', 'items', 'type'), 'integer'),
      given: put(parameter(RECEIVERS, 'type', 'schema', 'items', 'type'), ['integer', 'string']),
      breaks: [[RECEIVERS, 'query parameter type[*]', 'type narrowed: integer or string -> integer']],
    },
    'the type of a parameter is widened': {
      change: put(parameter(RECEIVERS, 'size', 'schema', 'type'), 'number'),
      additions: [[RECEIVERS, 'query parameter size', 'type widened: integer -> number']],
    },
    'a parameter may be null no more': {
      given: put(parameter(RECEIVERS, 'size', 'schema', 'type'), ['integer', 'null']),
      change: put(parameter(RECEIVERS, 'size', 'schema', 'type'), 'integer'),
      breaks: [[RECEIVERS, 'query parameter size', 'null no more: integer or null -> integer']],
    },
    'a parameter is restricted to certain values': {
      change: put(parameter(RECEIVERS, 'manufacturer', 'schema', 'items'), { type: 'string', enum: ['LEICA', 'TRIMBLE'] }),
      breaks: [[RECEIVERS, 'query parameter manufacturer[*]', 'restricted to certain values: string -> "LEICA" or "TRIMBLE"']],
    },
    'a parameter is no longer restricted': {
      change: put(parameter(RECEIVERS, 'projection', 'schema'), { type: 'string', maxLength: 500 }),
      additions: [[RECEIVERS, 'query parameter projection', 'no longer restricted to certain values: "installations" -> string']],
    },
    'a parameter is restricted otherwise': {
      change: put(parameter(RECEIVERS, 'projection', 'schema'), { type: 'string', maxLength: 5 }),
      breaks: [[RECEIVERS, 'query parameter projection', 'greatest length: none -> 5']],
      additions: [[RECEIVERS, 'query parameter projection', 'no longer restricted to certain values: "installations" -> string']],
    },
    'a parameter takes a new value': {
      change: put(parameter(RECEIVERS, 'projection', 'schema'), { type: 'string', enum: ['installations', 'provenance'] }),
      additions: [[RECEIVERS, 'query parameter projection', 'new value: "installations" -> "installations" or "provenance"']],
    },
    'a value of a parameter is gone': {
      given: put(parameter(RECEIVERS, 'projection', 'schema'), { type: 'string', enum: ['installations', 'provenance'] }),
      change: put(parameter(RECEIVERS, 'projection', 'schema'), { type: 'string', const: 'installations' }),
      breaks: [[RECEIVERS, 'query parameter projection', 'value gone: "installations" or "provenance" -> "installations"']],
    },
    'a value of a parameter is another': {
      change: put(parameter(RECEIVERS, 'projection', 'schema', 'const'), 'uses'),
      breaks: [[RECEIVERS, 'query parameter projection', 'value changed: "installations" -> "uses"']],
    },
    'the bounds of a parameter are narrower, wider': {
      given: all(
        put(parameter(RECEIVERS, 'size', 'schema'), { type: 'integer', minimum: 1 }),
        put(parameter(RECEIVERS, 'type', 'schema'), {
          type: 'array',
          maxItems: 50,
          items: { type: 'string', minLength: 1, maxLength: 500 },
        }),
      ),
      change: all(
        put(parameter(RECEIVERS, 'size', 'schema'), { type: 'integer', minimum: 5, maximum: 1000 }),
        put(parameter(RECEIVERS, 'type', 'schema'), { type: 'array', maxItems: 40, items: { type: 'string', maxLength: 600 } }),
      ),
      breaks: [
        [RECEIVERS, 'query parameter size', 'least value: 1 -> 5'],
        [RECEIVERS, 'query parameter size', 'greatest value: none -> 1000'],
        [RECEIVERS, 'query parameter type', 'greatest number of elements: 50 -> 40'],
      ],
      additions: [
        [RECEIVERS, 'query parameter type[*]', 'least length: 1 -> none'],
        [RECEIVERS, 'query parameter type[*]', 'greatest length: 500 -> 600'],
      ],
    },
    'a pattern of a parameter is new': {
      given: put(parameter(RECEIVERS, 'serialNumber', 'schema', 'items'), { type: 'string' }),
      change: put(parameter(RECEIVERS, 'serialNumber', 'schema', 'items'), { type: 'string', pattern: '^[0-9]+$' }),
      breaks: [[RECEIVERS, 'query parameter serialNumber[*]', 'pattern: none -> "^[0-9]+$"']],
    },
    'a pattern of a parameter is gone': {
      given: put(parameter(RECEIVERS, 'serialNumber', 'schema', 'items'), { type: 'string', pattern: '^[0-9]+$' }),
      change: put(parameter(RECEIVERS, 'serialNumber', 'schema', 'items'), { type: 'string' }),
      additions: [[RECEIVERS, 'query parameter serialNumber[*]', 'pattern: "^[0-9]+$" -> none']],
    },
    'one more property to sort by': {
      given: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(type|a\\.b)(,(asc|desc))?$'),
      change: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(serialNumber|a\\.b|type)(,(asc|desc))?$'),
      additions: [
        [
          RECEIVERS,
          'query parameter sort[*]',
          'pattern: "^(type|a\\\\.b)(,(asc|desc))?$" -> "^(serialNumber|a\\\\.b|type)(,(asc|desc))?$"',
        ],
      ],
    },
    'the properties to sort by in another order': {
      given: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(type|serialNumber)(,(asc|desc))?$'),
      change: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(serialNumber|type)(,(desc|asc))?$'),
    },
    'one property less to sort by': {
      given: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(type|serialNumber)(,(asc|desc))?$'),
      change: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(type)(,(asc|desc))?$'),
      breaks: [[RECEIVERS, 'query parameter sort[*]', 'pattern: "^(type|serialNumber)(,(asc|desc))?$" -> "^(type)(,(asc|desc))?$"']],
    },
    'another property to sort by': {
      given: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(type)(,(asc|desc))?$'),
      change: put(parameter(RECEIVERS, 'sort', 'schema', 'items', 'pattern'), '^(serialNumber)(,(asc|desc))?$'),
      breaks: [[RECEIVERS, 'query parameter sort[*]', 'pattern: "^(type)(,(asc|desc))?$" -> "^(serialNumber)(,(asc|desc))?$"']],
    },
    'the value of a parameter that is left out is another': {
      given: put(parameter(RECEIVERS, 'size', 'schema', 'default'), 20),
      change: put(parameter(RECEIVERS, 'size', 'schema', 'default'), 10),
      breaks: [[RECEIVERS, 'query parameter size', 'value when left out: 20 -> 10']],
    },
    'a parameter is written otherwise': {
      change: put(parameter(RECEIVERS, 'type', 'explode'), false),
      breaks: [[RECEIVERS, 'query parameter type', 'written otherwise: form, exploded -> form']],
    },
    'a parameter says what was taken for granted': {
      change: all(put(parameter(RECEIVERS, 'size', 'style'), 'form'), put(parameter(RECEIVERS, 'size', 'explode'), true)),
    },
    'a shared parameter': {
      given: all(
        put([['openapi', 'components', 'parameters']], { Size: { name: 'size', in: 'query', schema: { type: 'integer' } } }),
        put(parameter(RECEIVERS, 'size'), { $ref: '#/components/parameters/Size' }),
      ),
      change: put([['openapi', 'components', 'parameters', 'Size', 'schema', 'type']], 'string'),
      breaks: [['openapi.json', 'components.parameters.Size', 'type changed: integer -> string']],
    },
    'a parameter is said of the path': {
      change: (contract) => {
        const { node: item } = parentOf(contract, ['openapi', 'paths', '/setups/{id}', 'parameters']);
        const get = item.get as Node;
        item.parameters = get.parameters;
        delete get.parameters;
      },
    },
    'a parameter of a path is called otherwise': {
      change: (contract) => {
        const { node: paths } = parentOf(contract, ['openapi', 'paths', 'x']);
        paths['/setups/{setup}'] = paths['/setups/{id}'];
        delete paths['/setups/{id}'];
        put(parameter('GET /setups/{setup}', 'id', 'name'), 'setup')(contract);
      },
      breaks: [
        ['GET /setups/{id}', 'path parameter id', 'parameter gone'],
        ['GET /setups/{id}', 'path parameter setup', 'new parameter, required'],
      ],
    },
    'an operation is called otherwise': {
      change: put(operation('GET /health', 'operationId'), 'isAlive'),
      breaks: [
        [
          'GET /health',
          'operationId',
          `the name in generated clients: "${String(valueOf(operation('GET /health', 'operationId')))}" -> "isAlive"`,
        ],
      ],
    },
    'an operation asks for credentials': {
      given: withSecurity,
      change: put(operation('GET /health', 'security'), [{ key: [] }]),
      breaks: [['GET /health', 'security', 'credentials asked for: none -> key']],
    },
    'an operation asks for credentials no more': {
      given: all(withSecurity, put(operation('GET /health', 'security'), [{ key: [] }])),
      change: put(operation('GET /health', 'security'), []),
      additions: [['GET /health', 'security', 'new credentials that do: none']],
    },
    'credentials are given otherwise': {
      given: withSecurity,
      change: put([['openapi', 'components', 'securitySchemes', 'key', 'name']], 'X-Token'),
      breaks: [['openapi.json', 'components.securitySchemes.key', 'name: "X-Key" -> "X-Token"']],
    },
    'a server is gone': {
      given: put(operation('GET /health', 'servers'), [{ url: '/' }, { url: '/old' }]),
      change: drop(operation('GET /health', 'servers', '1')),
      breaks: [['GET /health', 'servers', 'server gone: /old']],
    },
    'a part of an operation of unknown weight': {
      change: put(operation('GET /health', 'callbacks'), {}),
      breaks: [['GET /health', '', 'callbacks: none -> {}']],
    },
    'a new request body, required': {
      given: all(withBody, drop(operation(POST, 'requestBody'))),
      change: put(operation(POST, 'requestBody'), { required: true, content: {} }),
      breaks: [[POST, 'request', 'new request body, required']],
    },
    'a request body is gone': {
      given: withBody,
      change: drop(operation(POST, 'requestBody')),
      breaks: [[POST, 'request', 'request body gone']],
    },
    'a request body becomes required': {
      given: withBody,
      change: put(operation(POST, 'requestBody', 'required'), true),
      breaks: [[POST, 'request', 'optional -> required']],
    },
    'a media type of a request body is another': {
      given: withBody,
      change: put(operation(POST, 'requestBody', 'content'), { 'text/plain': {} }),
      breaks: [[POST, 'request application/json', 'media type gone']],
      additions: [[POST, 'request text/plain', 'new media type']],
    },
    'members of a request body become required, optional': {
      given: withBody,
      change: put(body('required'), ['note']),
      breaks: [[POST, 'request application/json $.note', 'optional -> required']],
      additions: [[POST, 'request application/json $.name', 'required -> optional']],
    },
    'new members of a request body': {
      given: withBody,
      change: all(put(body('properties', 'a'), { type: 'string' }), put(body('properties', 'b'), {}), add(body('required'), 'a')),
      breaks: [[POST, 'request application/json $.a', 'new member: string, required']],
      additions: [[POST, 'request application/json $.b', 'new member: anything']],
    },
    'a member of a request body is gone': {
      given: withBody,
      change: drop(body('properties', 'note')),
      breaks: [[POST, 'request application/json $.note', 'member gone: was string or null']],
    },
    'null is no longer taken, is taken': {
      given: withBody,
      change: all(put(body('properties', 'note', 'type'), 'string'), put(body('properties', 'name', 'type'), ['string', 'null'])),
      breaks: [[POST, 'request application/json $.note', 'null no more: string or null -> string']],
      additions: [[POST, 'request application/json $.name', 'null where there was none: string -> string or null']],
    },
    'a value is taken no more, another is': {
      given: withBody,
      change: put(body('properties', 'state', 'enum'), ['open']),
      breaks: [[POST, 'request application/json $.state', 'value gone: "open" or "closed" -> "open"']],
    },
    'a request body is closed': {
      given: all(withBody, drop(body('additionalProperties'))),
      change: put(body('additionalProperties'), false),
      breaks: [[POST, 'request application/json $.*', 'members beyond those named: anything -> none']],
    },
    'a variant of a request body is new, gone': {
      given: all(withBody, put(body(), { anyOf: [{ type: 'string' }, { type: 'boolean' }] })),
      change: put(body(), { anyOf: [{ type: 'string' }, { type: 'number' }] }),
      breaks: [[POST, 'request application/json $(variant 2)', 'variant gone: was boolean']],
      additions: [[POST, 'request application/json $(variant 2)', 'new variant: number']],
    },
    'a type that is sent and received is held to both': {
      given: all(withBody, put(body(), { $ref: '#/components/schemas/ClockId' })),
      change: all(
        put(type('ClockId', 'properties', 'type', 'type'), 'string'),
        put(type('ClockId', 'properties', 'equipmentType', 'type'), ['string', 'null']),
        drop(type('ClockId', 'properties', 'equipmentType', 'const')),
      ),
      breaks: [
        ['ClockId.json', '$.type', 'null no more: string or null -> string'],
        ['ClockId.json', '$.equipmentType', 'null where there was none: "clock" -> string or null'],
        ['ClockId.json', '$.equipmentType', 'no longer restricted to certain values: "clock" -> string'],
      ],
    },
  },
};

const keysOf = (changes: Change[]): string[] => changes.map(({ where, path, what }) => [where, path, what].join(' | ')).sort();

for (const [direction, cases] of Object.entries(CASES)) {
  for (const [name, { given, before, change, breaks = [], additions = [] }] of Object.entries(cases)) {
    t.test(`of ${direction}: ${name}`, async (t) => {
      const edits = given === undefined ? [] : [given];
      const old = edited(...edits, ...(before === undefined ? [] : [before]));
      const now = edited(...edits, ...(change === undefined ? [] : [change]));
      const untouched = structuredClone([old, now]);
      const found = compareContracts(old, now);
      t.same(keysOf(found.breaks), breaks.map((each) => each.join(' | ')).sort());
      t.same(keysOf(found.additions), additions.map((each) => each.join(' | ')).sort());
      t.ok(isDeepStrictEqual([old, now], untouched), 'the exports are left as they are');
    });
  }
}

t.test('an export breaks nothing of itself', async (t) => {
  t.match(compareContracts(CURRENT, edited()), { breaks: [], additions: [] });
});

t.test('what is described, exemplified or ordered otherwise is no change', async (t) => {
  const reword = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reword);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
      if (['description', 'summary', 'title'].includes(key) && typeof each === 'string') return [key, `${each} Or so.`];
      if (key === 'example') return [key, 'another'];
      if (key === 'required' && Array.isArray(each)) return [key, each.toReversed()];
      return [key, reword(each)];
    });
    return Object.fromEntries(entries.reverse());
  };
  const now = edited();
  t.match(compareContracts(CURRENT, { ...now, openapi: reword(now.openapi) as Json, types: reword(now.types) as Contract['types'] }), {
    breaks: [],
    additions: [],
  });
});

t.test('the reverse of what merely adds to responses breaks clients', async (t) => {
  const now = edited(put(type('Clock', 'properties', 'colour'), { type: 'string' }), withBody);
  t.same(compareContracts(CURRENT, now).breaks, []);
  t.same(keysOf(compareContracts(now, CURRENT).breaks), ['Clock.json | $.colour | member gone: was string', `${POST} |  | operation gone`]);
});

t.test('what is no export is refused, with the reason', async (t) => {
  const refused = (message: RegExp, ...edits: Edit[]): void => {
    for (const pair of [
      [edited(...edits), CURRENT],
      [CURRENT, edited(...edits)],
    ] as const) {
      t.throws(() => compareContracts(...pair), { name: 'ContractUnusable', message }, String(message));
    }
  };
  refused(/leads in a circle/, put([['types', 'Clock', 'properties', 'type']], { $ref: '#/properties/type' }));
  refused(
    /is part of itself/,
    put([['types', 'Clock', 'properties', 'type']], { anyOf: [{ $ref: '#/properties/type' }, { type: 'null' }] }),
  );
  refused(/5 stands where a schema is expected/, put([['types', 'Clock', 'properties', 'type']], 5));
  refused(/properties is 5, expected an object/, put([['types', 'Clock', 'properties']], 5));
  refused(/required is "id", expected an array/, put([['types', 'Clock', 'required']], 'id'));
  refused(/paths is \[\], expected an object/, put([['openapi', 'paths']], []));
  refused(
    /"urn:gnss-site-setups:schema:Link" is the \$id of two types/,
    put([['types', 'Page', '$id']], 'urn:gnss-site-setups:schema:Link'),
  );
});

t.test('a major version may break; below 1.0.0 a minor one', async (t) => {
  const major = [
    ['1.2.3', '2.0.0'],
    ['0.9.1', '1.0.0'],
    ['0.1.9', '0.2.0'],
    ['9.0.0', '10.0.0'],
    ['1.0.0', '2.0.0-rc.1'],
  ] as const;
  const not = [
    ['1.2.3', '1.3.0'],
    ['0.1.0', '0.1.1'],
    ['0.1.0', '0.1.0'],
    ['2.0.0', '1.9.0'],
    ['1.0.0', '0.9.0'],
    ['0.2.0', '0.1.0'],
  ] as const;
  for (const [old, now] of major) t.ok(isMajorBump(old, now), `${old} -> ${now}`);
  for (const [old, now] of not) t.notOk(isMajorBump(old, now), `${old} -> ${now}`);
  t.equal(versionOf(edited(put([['openapi', 'info', 'version']], '1.2.3'))), '1.2.3');
  for (const version of ['1.2', 'v1.2.3', 1, undefined]) {
    t.throws(() => versionOf(edited(put([['openapi', 'info', 'version']], version))), /expected a semantic version/);
  }
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const check = (args: string[], cwd = ROOT): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT, 'dist', 'test', 'contract', 'check.js'), ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

/** Writes an export into a new folder. */
function write(folder: string, { openapi, types }: Contract): string {
  mkdirSync(folder);
  for (const [name, content] of Object.entries({ ...types, openapi })) writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  return folder;
}

const version = (text: string): Edit => put([['openapi', 'info', 'version']], text);

t.test('check-contract OLD_DIR compares with the current export', async (t) => {
  const folder = t.testdir();
  const same = await check([CONTRACT]);
  t.match(same, { code: 0, stderr: '' });
  t.match(same.stdout, /^Breaks clients: nothing$/m);
  t.match(same.stdout, /^Merely adds: nothing$/m);
  t.match(same.stdout, /^Nothing breaks clients\.$/m);
  const more = write(join(folder, 'more'), edited(put(type('Clock', 'properties', 'colour'), { type: 'string' })));
  const found = await check([more]);
  t.equal(found.code, 1);
  t.match(found.stdout, /^  Clock\.json  \$\.colour  member gone: was string$/m);
});

t.test('check-contract OLD_DIR NEW_DIR prints aligned lists, and its exit code tells a break without a major version', async (t) => {
  const folder = t.testdir();
  const broken = all(
    put(type('Clock', 'properties', 'type', 'type'), 'number'),
    drop(parameter(RECEIVERS, 'size')),
    put(type('Link', 'properties', 'colour'), { type: 'string' }),
    (contract) => {
      for (const item of Object.values(contract.openapi.paths as Json)) {
        const { get } = item as { get: { responses: Record<string, { headers: Node }> } };
        delete get.responses['500']!.headers.Pragma;
      }
    },
  );
  const old = write(join(folder, 'old'), edited(version('1.4.0')));
  const minor = await check([old, write(join(folder, 'minor'), edited(broken, version('1.5.0')))]);
  t.match(minor, { code: 1, stderr: '' });
  t.same(minor.stdout.split('\n').slice(1), [
    '',
    'Breaks clients: 3',
    '  Clock.json          $.type                      type changed: string or null -> number',
    '  every operation     response 500 header Pragma  header field gone',
    '  GET /gnssReceivers  query parameter size        parameter gone',
    '',
    'Merely adds: 1',
    '  Link.json  $.colour  new member: string',
    '',
    'Clients break, and the version does not say so: it must be a new major version (below 1.0.0 a new minor version).',
    '',
  ]);
  const major = await check([old, write(join(folder, 'major'), edited(broken, version('2.0.0')))]);
  t.match(major, { code: 0, stderr: '' });
  t.match(major.stdout, /^Breaks clients: 3$/m);
  t.match(major.stdout, /the major version says so/);
  const early = write(join(folder, 'early'), edited(version('0.1.0')));
  t.equal((await check([early, write(join(folder, 'early-patch'), edited(broken, version('0.1.1')))])).code, 1);
  t.equal((await check([early, write(join(folder, 'early-minor'), edited(broken, version('0.2.0')))])).code, 0);
  const adds = write(join(folder, 'adds'), edited(put(type('Link', 'properties', 'colour'), { type: 'string' }), version('1.4.0')));
  const added = await check([old, adds]);
  t.equal(added.code, 0);
  t.match(added.stdout, /^Merely adds: 1$/m);
});

t.test('check-contract says in one line what is wrong', async (t) => {
  const folder = t.testdir({ empty: {}, file: 'text' });
  const spoilt = (name: string, file: string, text: string | null): string => {
    const path = join(folder, name);
    cpSync(CONTRACT, path, { recursive: true });
    if (text === null) rmSync(join(path, file));
    else writeFileSync(join(path, file), text);
    return path;
  };
  const wrong: [string[], RegExp][] = [
    [[], /^OLD_DIR is missing/],
    [[CONTRACT, CONTRACT, 'more'], /^"more" is not understood/],
    [['--strict', CONTRACT], /^"--strict" is not understood/],
    [[join(folder, 'nowhere')], /nowhere" cannot be read \(ENOENT\)/],
    [[join(folder, 'file')], /file" cannot be read \(ENOTDIR\)/],
    [[join(folder, 'empty')], /empty" holds no openapi\.json/],
    [[CONTRACT, join(folder, 'nowhere')], /nowhere" cannot be read/],
    [[spoilt('no-openapi', 'openapi.json', null)], /no-openapi" holds no openapi\.json/],
    [[spoilt('no-json', 'Clock.json', '{\n"a": ')], /Clock\.json" is no JSON/],
    [[spoilt('no-object', 'openapi.json', '[]')], /openapi\.json" is no part of a contract/],
    [[spoilt('no-version', 'openapi.json', '{"info":{}}')], /info\.version of openapi\.json is none/],
    [[spoilt('twice', 'Link.json', '{"$id":"urn:gnss-site-setups:schema:Page"}')], /is the \$id of two types/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await check(args);
    t.equal(code, 2, args.join(' '));
    t.equal(stdout, '');
    t.match(stderr, message);
    t.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  }
  const help = await check(['--help']);
  t.match(help, { code: 0, stderr: '' });
  t.match(help.stdout, /^Usage: npm run check-contract -- OLD_DIR \[NEW_DIR\]/);
});
