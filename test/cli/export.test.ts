import t from 'tap';
import { logText, openService, SAMPLE } from '../helper.js';
import { run } from './serving.js';

t.test(
  'export writes what the service answers, and says on stderr what a file cannot say',
  async (t) => {
    const service = await openService(t, [SAMPLE]);
    await service.importText(
      logText({
        id: 'LONG',
        receivers: [{ type: 'R1', serial: '1'.repeat(30), from: '2001-01-01' }],
      }),
    );
    const write = (...args: string[]) => run(['export', ...args, '--database', service.database]);
    for (const [args, path] of [
      [['sites'], 'sites.csv'],
      [['setups', 'ALIC', '--format', 'ndjson'], 'setups.ndjson?site=ALIC'],
      [
        ['station-info', 'ALIC', 'LONG', '--at', '2015-01-01'],
        'sites.station-info?site=ALIC&site=LONG&at=2015-01-01',
      ],
      [
        ['sta', '--query', 'version=1.01&countryCode=AUS'],
        'sites.sta?version=1.01&countryCode=AUS',
      ],
      [['offsets.csv', 'ALIC'], 'offsets.csv?site=ALIC'],
    ] as const) {
      const { code, stdout } = await write(...args);
      // Addresses in tables are those of a service. Files have the time of writing.
      const stable = (text: string): string =>
        text.replaceAll('http://localhost:80', '').replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '');
      t.equal(code, 0, path);
      t.equal(stable(stdout), stable((await service.get(`/exports/${path}`)).body), path);
    }
    t.match(await write('station-info', 'LONG'), { code: 0, stderr: /^LONG: .*no antenna$/m });
    t.match(await write('rinex.zip', 'ALIC', '--query', 'version=2.11'), {
      code: 0,
      stdout: /^PK/,
      stderr: '',
    });

    t.match(await write('rinex', 'ALIC', '--at', '2015-01-01', '--query', 'version=2.11'), {
      code: 0,
      stdout: /^ {5}2\.11 .*\n[^]*END OF HEADER *\n$/,
    });
    const refused = await write('station-info', '--query', 'strict=true', 'LONG');
    t.match(refused, { code: 1, stdout: '', stderr: /^LONG: .*no antenna\n$/ });

    for (const [args, message] of [
      [['kml'], /export takes one NAME: sites, /],
      [['snx', '--format', 'csv'], /--format: only with sites, setups/],
      [['snx', 'NONE'], /NONE/],
      [
        ['snx', '--query', 'version=1'],
        /--query version=1 is not a parameter of this resource; expected the parameters /,
      ],
      [
        ['rinex', 'ALIC', 'NYA1'],
        /export rinex writes the header of one Site; rinex.zip has those of several$/m,
      ],
    ] as const) {
      t.match(await write(...args), { code: 2, stdout: '', stderr: message }, args.join(' '));
    }
  },
);
