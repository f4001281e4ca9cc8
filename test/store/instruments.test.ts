import t from 'tap';
import { EVERYTHING } from '../../src/store/read/exports/tables.js';
import { ALL_SITES } from '../../src/store/read/filters.js';
import { openService, type Service } from '../service.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';

/** An instrument of a synthetic log. */
type Instrument = { type: string } & Partial<Record<'serial' | 'dates' | 'accuracy', string>>;

/** A synthetic log with pressure sensors. */
const withSensors = (
  sensors: Instrument[],
  { id = 'TEST', prepared = '2020-01-01' }: SyntheticLog = {},
): string =>
  [
    logText({ id, prepared, receivers: [{ type: 'R', serial: id, from: '2001-01-01' }] }),
    ...sensors.flatMap(({ type, serial = '', dates = '', accuracy = '' }, index) => [
      `8.2.${index + 1} Pressure Sensor Model   : ${type}`,
      `       Serial Number          : ${serial}`,
      `       Accuracy               : ${accuracy}`,
      `       Effective Dates        : ${dates}`,
    ]),
    '',
  ].join('\n');

/** The pressure sensors on record, with their installations. */
async function sensorsOf({ store }: Pick<Service, 'store'>) {
  const filters = [{ property: 'equipmentType', values: ['pressure sensor'] }];
  const { elements } = await store.devices.findPage({
    filters,
    sort: [],
    page: 0,
    size: 100,
    projection: 'installations',
  });
  return elements.map(({ identity, installations }) => ({
    ...identity.value,
    at: installations!.map(({ fourCharacterId, period: { from, to }, conflictsWith }) => [
      fourCharacterId,
      from,
      to,
      ...conflictsWith,
    ]),
  }));
}

const JANUARY = '2005-01-01T00:00:00Z';
const MARCH = '2005-03-01T00:00:00Z';

t.test(
  'an instrument is on record with the period of its block, and nothing is guessed',
  async (t) => {
    const service = await openService(t);
    const { files } = await service.importText(
      withSensors([
        { type: 'known', serial: '1', dates: '2005-01-01/2005-03-01' },
        { type: 'no start', serial: '2', dates: '(CCYY-MM-DD)/2005-03-01' },
        { type: 'no end', serial: '3', dates: '2005-01-01' },
        { type: 'no dates', serial: '4' },
        { type: 'corrected', serial: '5', dates: '2005-01-01/2005-01-01' },
        { type: 'backwards', serial: '6', dates: '2005-03-01/2005-01-01' },
        { type: 'no serial number', dates: '2005-01-01' },
        { type: 'no serial number', dates: '2005-01-01', accuracy: '1' },
      ]),
    );
    t.match(files[0]!.findings, [
      {
        level: 'warning',
        code: 'removed-before-installed',
        values: { kind: 'pressure sensor', isInSetups: false },
      },
    ]);
    t.match(await sensorsOf(service), [
      { type: 'known', at: [['TEST', JANUARY, MARCH]] },
      { type: 'no start', at: [['TEST', null, MARCH]] },
      { type: 'no end', at: [['TEST', JANUARY, null]] },
      { type: 'no dates', at: [['TEST', null, null]] },
      { type: 'no serial number', at: [['TEST', JANUARY, null]] },
      { type: 'no serial number', at: [['TEST', JANUARY, null]] },
    ]);
    const { elements } = await service.store.setups.findPage({
      filters: [],
      sort: [],
      page: 0,
      size: 10,
      projection: null,
    });
    t.equal(elements.length, 1, 'no date of an instrument divides Setups');
    t.match(
      await service.importText(
        withSensors([{ type: 'no dates', serial: '4' }], { prepared: '2020-02-01' }),
        'b.log',
      ),
      {
        saved: 1,
        setupsAdded: 0,
      },
    );
    t.match(await sensorsOf(service), [{ type: 'no dates', at: [['TEST', null, null]] }]);
  },
);

t.test(
  'searches find an instrument only within its period; one with an unknown start, at any time before its end',
  async (t) => {
    const service = await openService(t);
    await service.importText(
      withSensors([
        { type: 'known', serial: '1', dates: '2005-01-01/2005-03-01' },
        { type: 'no start', serial: '2', dates: '(CCYY-MM-DD)/2005-03-01' },
      ]),
    );
    const found = async (at: string): Promise<string[]> => {
      const during = { from: at, to: at };
      const sought = {
        types: ['known', 'no start'],
        equipmentTypes: ['pressure sensor' as const],
        radomeTypes: null,
        systems: null,
        sites: ALL_SITES,
      };
      const { elements } = await service.store.sites.findByEquipment({
        ...sought,
        overlaps: during,
        page: 0,
        size: 10,
      });
      const types = elements.flatMap(({ installations }) =>
        installations.map(({ content }) => content.id.type!),
      );
      const search = { ...EVERYTHING, during };
      const exported: string[] = [];
      for await (const window of service.store.exports.readInstallations(search))
        exported.push(...window.map(({ device }) => device.type!));
      t.same(exported.filter((type) => type !== 'R').sort(), types.toSorted(), at);
      return types;
    };
    t.same(await found('1990-01-01T00:00:00Z'), ['no start']);
    t.same(await found('2004-12-31T23:59:59Z'), ['no start']);
    t.same(await found(JANUARY), ['no start', 'known']);
    t.same(await found('2005-02-28T23:59:59Z'), ['no start', 'known']);
    t.same(await found(MARCH), []);
  },
);

t.test(
  'an instrument at two Sites at once is in conflict, unless a start is unknown',
  async (t) => {
    const service = await openService(t);
    const both = (dates: string): Instrument[] => [{ type: 'P', serial: '1', dates }];
    await service.importText(
      withSensors([...both('2005-01-01/2005-03-01'), { type: 'Q', serial: '1' }], { id: 'AAAA' }),
      'a.log',
    );
    await service.importText(
      withSensors([...both('2005-03-01/'), { type: 'Q', serial: '1', dates: '2005-01-01' }], {
        id: 'BBBB',
      }),
      'b.log',
    );
    t.match(await sensorsOf(service), [
      {
        type: 'P',
        at: [
          ['AAAA', JANUARY, MARCH],
          ['BBBB', MARCH, null],
        ],
      },
      {
        type: 'Q',
        at: [
          ['AAAA', null, null],
          ['BBBB', JANUARY, null],
        ],
      },
    ]);
    const conflicts = async () =>
      Object.fromEntries(
        (await service.store.devices.findTypes('pressure sensor')).map((each) => [
          each.type,
          each.conflicts,
        ]),
      );
    t.same(await conflicts(), { P: 0, Q: 0 });
    await service.importText(
      withSensors(both('2005-02-28/'), { id: 'BBBB', prepared: '2021-01-01' }),
      'c.log',
    );
    t.match(await sensorsOf(service), [
      {
        type: 'P',
        at: [
          ['AAAA', JANUARY, MARCH, 'BBBB'],
          ['BBBB', '2005-02-28T00:00:00Z', null, 'AAAA'],
        ],
      },
      {},
    ]);
    t.same(await conflicts(), { P: 1, Q: 0 });
  },
);
