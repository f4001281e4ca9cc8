import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { CONTRACT, ROOT, SAMPLE } from './project-files.js';
import { openService } from './service.js';
import { inlined, type Node } from './contract/compatibility.js';
import { nodeCommand } from './node-command.js';

const DOCUMENT = join(CONTRACT, 'openapi.json');

/** The problems that Redocly's lint finds in a document, with its recommended rules. */
interface LintReport {
  totals: { errors: number; warnings: number; ignored: number };
  problems: {
    ruleId: string;
    severity: string;
    message: string;
    location: { pointer: string }[];
  }[];
}

const lint = (file: string): Promise<LintReport> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH ?? '',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const command = nodeCommand(
      join(ROOT, 'node_modules', '.bin', 'redocly'),
      'lint',
      file,
      '--extends=recommended',
      '--format=json',
    );
    execFile(...command, { env, cwd: ROOT, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      // It exits with 1 if there are errors, but still writes the report.
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(JSON.parse(stdout) as LintReport);
    });
  });

t.test("Redocly's lint finds no error and no warning in the OpenAPI document", async (t) => {
  const { totals, problems } = await lint(DOCUMENT);
  const found = problems.map(
    ({ ruleId, severity, message, location }) =>
      `${severity} ${ruleId}: ${message} (${location[0]?.pointer})`,
  );
  t.strictSame(found, []);
  t.strictSame(totals, { errors: 0, warnings: 0, ignored: 0 });
});

t.test("Redocly's lint finds the errors in a broken document", async (t) => {
  const folder = t.testdir({
    'wrong.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'Wrong' }, paths: {} }),
  });
  const { totals } = await lint(join(folder, 'wrong.json'));
  t.ok(totals.errors > 0);
});

interface Parameter {
  name: string;
  description: string;
  schema: { type?: string; examples: unknown[] };
}

/** What the OpenAPI document says about parameters and answers. */
interface Document {
  paths: Record<
    string,
    {
      get: {
        operationId: string;
        parameters: Parameter[];
        responses: {
          200: { content: Record<string, { schema: object; examples?: Record<string, object> }> };
        };
      };
    }
  >;
  components: { examples: Record<string, { value: unknown }> };
}

const whole = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Node;
const operations = Object.entries((inlined(whole) as object as Document).paths).map(
  ([path, { get }]) => ({ path, ...get }),
);

t.test('the example of each filter finds something in the sample network', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  for (const { path, parameters } of operations) {
    if (!/^\/\w+$|^\/exports\//.test(path) || path === '/changes') continue;
    for (const { name, schema } of parameters) {
      // Devices of some kinds have no manufacturer or serial number.
      if (schema.type !== 'array' || name === 'sort') continue;
      if (
        !/setups|Sites|Logs|equipment|exports/.test(path) &&
        ['manufacturer', 'serialNumber'].includes(name)
      )
        continue;
      const [[value]] = schema.examples as [[string | number | boolean]];
      const response = await get(
        `${path.replace('{format}', 'ndjson')}?${name}=${encodeURIComponent(value)}`,
      );
      const count = path.startsWith('/exports/')
        ? response.body.length
        : (response.json<{ page?: { totalElements: number } }>().page?.totalElements ??
          Number(/recordedAt|effectiveFrom/.test(response.body)));
      t.ok(count > 0, `${path}?${name}=${value}: ${response.statusCode}`);
    }
  }
});

t.test('filters for devices of all kinds are not described as if for one kind', (t) => {
  const found = operations.filter(({ path }) =>
    /^\/equipment$|^\/exports\/installations[^/]*$/.test(path),
  );
  t.equal(found.length, 2);
  for (const { path, parameters } of found) {
    for (const { name, description } of parameters)
      t.notMatch(description, /Always null|8\.5|3\.x|rcvr_ant/, `${path} ${name}`);
  }
  t.end();
});

t.test(
  'the answer of each operation has an example, which its schema allows; that of NDJSON is a published line',
  (t) => {
    const { components } = whole as object as Document;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema({ $id: 'document', components });
    for (const { path, operationId, responses } of operations) {
      const { content } = responses[200];
      const [[mediaType, { schema, examples }]] = Object.entries(content) as [
        [string, (typeof content)[string]],
      ];
      // An archive is no example for readers.
      if (mediaType === 'application/zip') continue;
      const [example = ''] = Object.keys(examples ?? {});
      // All citations have one example.
      const suffix = path.endsWith('/citation') ? 'Citation' : operationId;
      t.ok(example.endsWith(suffix), `${path} refers to its example`);
      const isValid = ajv.compile(
        JSON.parse(JSON.stringify(schema).replace('"#/', '"document#/')) as object,
      );
      t.ok(
        isValid(components.examples[example]?.value),
        `${path}: ${JSON.stringify(isValid.errors)}`,
      );
      // The files for geodetic software are text of their own form.
      if (/^\/exports\/(sites|setups|installations|changes)\.\{format\}$/.test(path))
        t.match(content['application/x-ndjson']?.schema, {
          $ref: /^#\/components\/schemas\/Exported\w+$/,
        });
    }
    t.end();
  },
);

t.test('the document has at most 600,000 bytes', (t) => {
  t.ok(readFileSync(DOCUMENT).length <= 600_000);
  t.end();
});
