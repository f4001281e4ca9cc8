import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { listen } from '../http/sockets.js';
import { nodeCommand } from '../node-command.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { installPackages, UNREACHABLE } from './packages.js';

/** What a client finds: the collections, one of them, and the ids of two pages of its items. */
interface Seen {
  collections: string[];
  id: string;
  pages: number[][];
}

/** Reads with @camptocamp/ogc-client, which begins with the landing page and pages by `offset`. */
const CAMPTOCAMP = `
  import { OgcApiEndpoint } from '@camptocamp/ogc-client';
  const endpoint = new OgcApiEndpoint(process.argv[2]);
  const { title } = await endpoint.info;
  if (title === undefined) throw new Error('no landing page');
  const collections = await endpoint.featureCollections;
  const { id } = await endpoint.getCollectionInfo('installations');
  const pages = [];
  for (const offset of [0, 3]) {
    const items = await endpoint.getCollectionItems('installations', 3, offset);
    pages.push(items.map((item) => item.id));
  }
  console.log(JSON.stringify({ collections, id, pages }));`;

/**
 * Reads with @ogcapi-js/features, following the link "next". It has no call for the landing page,
 * and begins with the conformance classes.
 */
const OGCAPI_JS = `
  import { FeatureService } from '@ogcapi-js/features';
  const service = new FeatureService({ baseUrl: process.argv[2] });
  const { conformsTo } = await service.getConformance();
  if (conformsTo.length === 0) throw new Error('no conformance classes');
  const { collections } = await service.getCollections();
  const { id } = await service.getCollection('installations');
  const first = await service.getFeatures('installations', { limit: 3 });
  const next = new URL(first.links.find(({ rel }) => rel === 'next').href);
  const params = Object.fromEntries(next.searchParams);
  const second = await service.getFeatures('installations', { params });
  const pages = [first, second].map(({ features }) => features.map((item) => item.id));
  console.log(JSON.stringify({ collections: collections.map((each) => each.id), id, pages }));`;

const PROGRAMS = { '@camptocamp/ogc-client': CAMPTOCAMP, '@ogcapi-js/features': OGCAPI_JS };
const VERSIONS = { '@camptocamp/ogc-client': '1.3.0', '@ogcapi-js/features': '1.1.1' };

/** Compares what a program of a client prints with what the service answers. */
async function compare(t: Test, folder: string, program: string): Promise<void> {
  const { app, get } = await openService(t, [SAMPLE]);
  const base = `http://127.0.0.1:${await listen(app)}/ogc`;
  writeFileSync(join(folder, 'read.mjs'), program);
  const { stdout } = await promisify(execFile)(...nodeCommand('read.mjs', base), { cwd: folder });
  const items = await get('/ogc/collections/installations/items?limit=6');
  const ids = items.json<{ features: { id: number }[] }>().features.map(({ id }) => id);
  const expected: Seen = {
    collections: ['sites', 'installations'],
    id: 'installations',
    pages: [ids.slice(0, 3), ids.slice(3)],
  };
  t.strictSame(JSON.parse(stdout), expected);
}

t.test('clients of OGC API Features read the collections', async (t) => {
  const folder = await installPackages(join(t.testdir({}), 'clients'), VERSIONS);
  if (folder === null) return void t.pass('no packages', UNREACHABLE);
  for (const [name, program] of Object.entries(PROGRAMS))
    await t.test(name, (t) => compare(t, folder, program));
});
