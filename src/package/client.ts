import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.js';
import { putInPlace, write } from './program.js';
import { run } from './run.js';

/** All packages that the client, its command and the schemas import. */
const DEPENDENCIES = ['@sinclair/typebox', 'ajv', 'ajv-formats', 'openapi-fetch'];

/**
 * Writes the package for client teams: the typed client, the schemas and the command that checks a
 * service, without the service.
 * Returns its file.
 */
export async function writeClientPackage(output: string, work: string): Promise<string> {
  const folder = join(work, 'client');
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const { version, license } = manifest;
  const versions = { ...manifest.devDependencies, ...manifest.dependencies };
  for (const path of ['dist/schemas', 'dist/src/client']) {
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (file) => !file.endsWith('.map'),
    });
  }
  cpSync(join(ROOT, 'schemas/json'), join(folder, 'schemas/json'), { recursive: true });
  const client = {
    name: 'gnss-site-setups-client',
    version,
    description:
      'The typed client, the schemas and the contract test of GNSS site setups, without the ' +
      'service.',
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './dist/src/client/index.d.ts', default: './dist/src/client/index.js' },
      './schemas': { types: './dist/schemas/index.d.ts', default: './dist/schemas/index.js' },
      './schemas/json/*': './schemas/json/*',
      './package.json': './package.json',
    },
    bin: './dist/src/client/check/main.js',
    files: ['dist', 'schemas'],
    engines: { node: '>=20' },
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, versions[name]])),
  };
  write(join(folder, 'package.json'), `${JSON.stringify(client, null, 2)}\n`);
  write(join(folder, 'README.md'), readFileSync(join(ROOT, 'src/package/client.md')));
  await run(
    'npm',
    ['pack', '--offline', '--ignore-scripts', '--loglevel=error', '--pack-destination', work],
    folder,
  );
  const name = `gnss-site-setups-client-${version}.tgz`;
  putInPlace(join(work, name), join(output, name));
  return join(output, name);
}
