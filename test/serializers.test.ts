import type { TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import Database from 'better-sqlite3';
import t from 'tap';
import { type EquipmentInUse, PUBLISHED, type SetupResource } from '../schemas/index.js';
import { JsonText, parsedValue } from '../src/serializers/json-text.js';
import { serializerOf, schemasVersion } from '../src/serializers/serializers.js';
import { SAMPLE } from './project-files.js';
import { openService, type Service } from './service.js';

const CURRENT = '/setups/search/findCurrentByFourCharacterId?id=ALIC';

/**
 * Changes the equipment of the current Setup of ALIC in the database, as another version would have
 * written it.
 */
async function tamper(
  { database, store }: Service,
  change: (equipment: EquipmentInUse[]) => void,
): Promise<void> {
  const db = new Database(database);
  const [id, document] = db
    .prepare<[], [number, string]>(
      `SELECT setup.id, equipment_in_use FROM setup JOIN site ON site.id = site_id
       WHERE four_character_id = 'ALIC' AND superseded_at IS NULL AND effective_to IS NULL`,
    )
    .raw()
    .get()!;
  const equipment = JSON.parse(document) as EquipmentInUse[];
  change(equipment);
  db.prepare('UPDATE setup SET equipment_in_use = ? WHERE id = ?').run(
    JSON.stringify(equipment),
    id,
  );
  db.exec('UPDATE gnss_site_setups SET text_version = 1');
  db.close();
  await store.database.check();
}

t.test(
  'a member of a stored document that the schema does not have is not sent, at any depth',
  async (t) => {
    const service = await openService(t, [SAMPLE]);
    const before = (await service.get(CURRENT)).body;
    await tamper(service, (equipment) => {
      for (const element of equipment) {
        Object.assign(element, { foreign: 1 });
        Object.assign(element.content, { foreign: 1 });
        const { id, configuration } = element.content;
        const kind = id.equipmentType;
        Object.assign(id, { foreign: 1, ...(kind !== 'humidity sensor' && { aspiration: 'FAN' }) });
        Object.assign(configuration, {
          foreign: 1,
          ...(kind !== 'clock' && { inputFrequency: '5' }),
        });
      }
    });
    const after = await service.get(CURRENT);
    t.equal(after.statusCode, 200);
    t.notMatch(after.body, /foreign/i);
    t.equal(after.body, before, 'nor does a member of another kind of equipment');
  },
);

t.test('a value of the wrong type in a stored document is not sent', async (t) => {
  for (const [what, change] of [
    ['an object for a string', ({ id }) => Object.assign(id, { serialNumber: { foreign: 1 } })],
    ['a number for a string', ({ id }) => Object.assign(id, { serialNumber: 12 })],
    ['an array for a string', ({ id }) => Object.assign(id, { type: ['foreign'] })],
    [
      'an object without its members',
      ({ configuration }) =>
        Object.keys(configuration).forEach((name) => Reflect.deleteProperty(configuration, name)),
    ],
    ['null for an object', (content) => Object.assign(content, { configuration: null })],
    ['a number for an instant', ({ period }) => Object.assign(period, { from: 12345 })],
    ['null for an instant', ({ period }) => Object.assign(period, { from: null })],
    ['an unknown kind', ({ id }) => Object.assign(id, { equipmentType: 'foreign' })],
    ['no kind', ({ id }) => Object.assign(id, { equipmentType: undefined })],
  ] as [string, (content: EquipmentInUse['content']) => void][]) {
    const service = await openService(t, [SAMPLE]);
    await tamper(service, ([first]) => change(first!.content));
    const response = await service.get(CURRENT);
    t.equal(response.statusCode, 500, what);
    t.match(response.json(), { type: 'urn:gnss-site-setups:problem:internal-error' }, what);
    t.notMatch(response.body, /foreign/, what);
  }
});

t.test(
  'every published schema has a serializer that writes its members in order, and no others',
  async (t) => {
    const { get } = await openService(t, [SAMPLE]);
    const setup = (await get(CURRENT)).json<SetupResource>();
    const shuffled = { foreign: 1, ...Object.fromEntries(Object.entries(setup).reverse()) };
    t.equal(serializerOf(PUBLISHED.Setup!)(shuffled), JSON.stringify(setup));
    for (const [name, schema] of Object.entries(PUBLISHED)) {
      t.throws(() => serializerOf(schema)('text'), `${name} is not text`);
    }
  },
);

t.test(
  'in a union of objects a literal selects the variant, in any other union the JSON type',
  async (t) => {
    const write = (schema: TSchema, value: unknown): string => serializerOf(schema)(value);
    const Shape = Type.Union([
      Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
      Type.Object({ kind: Type.Literal('square'), side: Type.Number() }),
      Type.Null(),
    ]);
    t.equal(write(Shape, { side: 1, kind: 'square', radius: 2 }), '{"kind":"square","side":1}');
    t.equal(write(Shape, null), 'null');
    t.throws(() => write(Shape, { kind: 'triangle' }), { message: /kind is "triangle"/ });
    t.throws(() => write(Shape, [1]), { message: /not a value of type array/ });
    const Text = Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()]);
    t.same(
      [write(Text, 'a'), write(Text, ['a', 'b']), write(Text, null)],
      ['"a"', '["a","b"]', 'null'],
    );
    t.throws(() => write(Text, 1), { message: /not a value of type number/ });
    const Numbers = Type.Object({
      count: Type.Integer(),
      size: Type.Union([Type.Number(), Type.Null()]),
      on: Type.Boolean(),
    });
    t.equal(
      write(Numbers, { count: 0, size: null, on: false }),
      '{"count":0,"size":null,"on":false}',
    );
    for (const wrong of [
      { count: null },
      { count: 0.5 },
      { count: '1' },
      { size: NaN },
      { size: '1' },
      { on: 1 },
      { on: null },
    ]) {
      t.throws(
        () => write(Numbers, { count: 0, size: 0.5, on: true, ...wrong }),
        TypeError,
        JSON.stringify(wrong),
      );
    }
    const Word = Type.Union([Type.Literal('a'), Type.Literal('b')]);
    t.equal(write(Word, 'b'), '"b"');
    t.throws(() => write(Word, 'c'), { message: /"c" is none of "a", "b"/ });
    const Optional = Type.Object({
      first: Type.Optional(Shape),
      second: Type.Optional(Type.String()),
      third: Shape,
    });
    t.equal(write(Optional, { third: null }), '{"third":null}');
    t.equal(
      write(Optional, { third: null, second: 's', first: null }),
      '{"first":null,"second":"s","third":null}',
    );
    t.throws(() => write(Optional, {}), { message: /"third" is required/ });
    t.throws(
      () => write(Type.Object({ a: Type.Union([Type.Object({}), Type.Object({})]) }), { a: {} }),
      { message: /needs a literal/ },
    );
  },
);

t.test(
  'text that was written before is written as it is, as a whole or as the first members',
  async (t) => {
    const Inner = Type.Object({ a: Type.Integer(), b: Type.Optional(Type.String()) });
    const Outer = Type.Object({
      inner: Inner,
      list: Type.Array(Inner),
      either: Type.Union([Inner, Type.Null()]),
    });
    const text = new JsonText<{ a: number }>('{"a":1}');
    t.equal(
      serializerOf(Outer)({ inner: text, list: [text, { a: 2 }], either: text }),
      '{"inner":{"a":1},"list":[{"a":1},{"a":2}],"either":{"a":1}}',
    );
    t.equal(serializerOf(Type.Array(Inner))(new JsonText('[]')), '[]');
    t.same([parsedValue(text), parsedValue({ a: 2 })], [{ a: 1 }, { a: 2 }]);
    t.throws(
      () => serializerOf(Type.Object({ a: Type.String() }))({ a: new JsonText('1') }),
      TypeError,
      'a simple value is never text',
    );
  },
);

t.test(
  'the version of serializers changes with what they write, and not with descriptions',
  (t) => {
    const version = schemasVersion(Type.Object({ a: Type.String({ description: 'one' }) }));
    t.ok(Number.isSafeInteger(version) && version > 0);
    t.equal(
      schemasVersion(
        Type.Object(
          { a: Type.String({ description: 'other', maxLength: 5 }) },
          { description: 'new' },
        ),
      ),
      version,
    );
    for (const [what, schema] of [
      ['another name', Type.Object({ b: Type.String() })],
      ['another type', Type.Object({ a: Type.Integer() })],
      ['null is allowed', Type.Object({ a: Type.Union([Type.String(), Type.Null()]) })],
      ['not required', Type.Object({ a: Type.Optional(Type.String()) })],
      ['a literal', Type.Object({ a: Type.Literal('a') })],
      ['one more', Type.Object({ a: Type.String(), b: Type.String() })],
      ['in a list', Type.Array(Type.Object({ a: Type.String() }))],
    ] as [string, TSchema][]) {
      t.not(schemasVersion(schema), version, what);
    }
    t.not(
      schemasVersion(Type.Object({ description: Type.String() })),
      schemasVersion(Type.Object({ description: Type.Integer() })),
      'a member may have the name of a keyword',
    );
    t.not(
      schemasVersion(Type.Object({ a: Type.String(), b: Type.String() })),
      schemasVersion(Type.Object({ b: Type.String(), a: Type.String() })),
      'the order of members counts',
    );
    t.end();
  },
);
