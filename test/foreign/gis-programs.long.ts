import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import type { CorsSite, ExportedInstallation } from '../../schemas/index.js';
import { listen } from '../http/sockets.js';
import { readProjectFile, REAL_LOGS, SAMPLE, withRealLogs } from '../project-files.js';
import { openService } from '../service.js';

/** What GDAL and QGIS make of `/ogc` over the real logs, which are imported once. */

const run = promisify(execFile);
const needs = (file: string, reason: string) => ({ skip: !existsSync(file) && reason });
const skipped = (program: { skip: string | false }) => ({
  skip: program.skip || withRealLogs.skip,
});
const GDAL = skipped(needs('/usr/bin/ogrinfo', 'no GDAL (Debian: apt-get install gdal-bin)'));
const QGIS = skipped(
  needs(
    '/usr/lib/python3/dist-packages/qgis/core/__init__.py',
    'no QGIS (Debian: apt-get install python3-qgis qgis-providers)',
  ),
);

const isRun = GDAL.skip === false || QGIS.skip === false;
const LOGS = isRun ? ['geodesyml', 'text'].map((name) => join(REAL_LOGS!, name)) : [SAMPLE];
const { app, get } = await openService(t, LOGS);
const URL_OF_OGC = `http://127.0.0.1:${await listen(app)}/ogc`;

const elementsOf = async <T>(name: string): Promise<T[]> =>
  (await get(`/exports/${name}.ndjson`)).body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
const sites = await elementsOf<CorsSite>('sites');
const installations = await elementsOf<ExportedInstallation>('installations');

const isFrom = (value: string | null | undefined, start: string): boolean =>
  value != null && value >= start;

/** How many elements of the exports each filter in the guide means. */
const COUNTS: Record<string, number> = {
  [`"from" >= '2016/12/01'`]: installations.filter(({ period }) =>
    isFrom(period.from, '2016-12-01T00:00:00Z'),
  ).length,
  [`"to" IS NULL OR "to" > '2016/12/01 00:00:00+00'`]: installations.filter(
    ({ period }) => period.to === null || period.to > '2016-12-01T00:00:00Z',
  ).length,
  [`"calibrationDate" >= '2010/01/01'`]: installations.filter(
    ({ configuration }) =>
      'calibrationDate' in configuration && isFrom(configuration.calibrationDate, '2010-01-01'),
  ).length,
  [`"dateInstalled" >= '2010/01/01'`]: sites.filter(({ dateInstalled }) =>
    isFrom(dateInstalled, '2010-01-01T00:00:00Z'),
  ).length,
};
/** The same filters with CAST. */
const SAME: Record<string, string> = {
  [`CAST("from" AS timestamp) >= '2016/12/01 00:00:00'`]: `"from" >= '2016/12/01'`,
  [`"to" IS NULL OR CAST("to" AS timestamp) > '2016/12/01 00:00:00'`]: `"to" IS NULL OR "to" > '2016/12/01 00:00:00+00'`,
  [`CAST("calibrationDate" AS character(10)) >= '2010/01/01'`]: `"calibrationDate" >= '2010/01/01'`,
};

t.test('ogrinfo -where, as the guide writes it, counts as the exports do', GDAL, async (t) => {
  const lines = readProjectFile('schemas', 'README.md').match(/^ogrinfo .*-where .*$/gm) ?? [];
  const found: Record<string, number> = {};
  for (const line of lines) {
    const command = line.replace('http://127.0.0.1:8080/ogc', URL_OF_OGC);
    const { stdout } = await run('sh', ['-c', command], { timeout: 900_000 });
    const filter = /-where "(.*?[^\\])"/.exec(line)![1]!.replaceAll('\\"', '"');
    found[filter] = Number(/^Feature Count: (\d+)$/m.exec(stdout)?.[1]);
  }
  for (const [filter, count] of Object.entries(COUNTS)) t.ok(count > 5, filter);
  const ofCasts = Object.entries(SAME).map(([filter, same]) => [filter, COUNTS[same]!]);
  t.strictSame(found, { ...COUNTS, ...Object.fromEntries(ofCasts) });
});

/**
 * Counts the known values of every numeric or time field of each layer with the provider of QGIS,
 * and what the filter of the guide finds.
 */
const PYQGIS = `
import json, sys
from qgis.core import QgsApplication, QgsVectorLayer
app = QgsApplication([], False)
app.initQgis()
url, text = sys.argv[1:]
def layer(name):
    return QgsVectorLayer("url='%s' typename='%s'" % (url, name), name, 'OAPIF')
seen = {}
for name in ['sites', 'installations']:
    features = list(layer(name).getFeatures())
    seen[name] = {'count': len(features), 'known': {}}
    for field in layer(name).fields():
        if field.typeName() in ('Real', 'Integer', 'DateTime'):
            values = [feature[field.name()] for feature in features]
            known = [value for value in values if value is not None and str(value) != 'NULL']
            seen[name]['known'][field.name()] = [field.typeName(), len(known)]
filtered = layer('installations')
filtered.setSubsetString(text)
seen['filtered'] = sum(1 for _ in filtered.getFeatures())
print(json.dumps(seen))
`;

t.test('QGIS reads every height, position and date', QGIS, async (t) => {
  const filter = /`("from" >= to_datetime\('2016-12-01T00:00:00Z'\))`/;
  const [, written] = filter.exec(readProjectFile('schemas', 'README.md'))!;
  const { stdout } = await run('/usr/bin/python3', ['-c', PYQGIS, URL_OF_OGC, written!], {
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen', TZ: 'UTC' },
    timeout: 900_000,
  });
  const known = (type: string, values: unknown[]) => [
    type,
    values.filter((v) => v !== null).length,
  ];
  const ofAntennas = (member: string) =>
    known(
      'Real',
      installations.map(
        ({ configuration }) => (configuration as Record<string, unknown>)[member] ?? null,
      ),
    );
  t.strictSame(JSON.parse(stdout), {
    sites: {
      count: sites.length,
      known: {
        dateInstalled: known(
          'DateTime',
          sites.map((each) => each.dateInstalled),
        ),
        height: known(
          'Real',
          sites.map(({ location }) => location.height),
        ),
        x: known(
          'Real',
          sites.map(({ location }) => location.x),
        ),
        y: known(
          'Real',
          sites.map(({ location }) => location.y),
        ),
        z: known(
          'Real',
          sites.map(({ location }) => location.z),
        ),
        monumentHeight: known(
          'Real',
          sites.map(({ monument }) => monument.height),
        ),
      },
    },
    installations: {
      count: installations.length,
      known: {
        siteId: ['Integer', installations.length],
        from: known(
          'DateTime',
          installations.map(({ period }) => period.from),
        ),
        to: known(
          'DateTime',
          installations.map(({ period }) => period.to),
        ),
        markerArpUpEccentricity: ofAntennas('markerArpUpEccentricity'),
        markerArpNorthEccentricity: ofAntennas('markerArpNorthEccentricity'),
        markerArpEastEccentricity: ofAntennas('markerArpEastEccentricity'),
      },
    },
    filtered: COUNTS[`"from" >= '2016/12/01'`],
  });
});
