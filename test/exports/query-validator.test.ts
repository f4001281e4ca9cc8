import type { TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import t from 'tap';
import type { InvalidParameter } from '../../schemas/index.js';
import { onlyParameters } from '../../src/exports/parameters.js';
import { compileParameters } from '../../src/exports/query-validator.js';

/** The parsed values of a parameter `a` with a schema; null for what is rejected. */
const read = (schema: TSchema, ...given: (string | string[])[]): unknown[] =>
  given.map((a) => {
    const result = compileParameters(onlyParameters({ a: schema }))({ a });
    return 'value' in result ? (result.value as { a?: unknown }).a : null;
  });

t.test('values are accepted up to each bound and refused beyond it', async (t) => {
  const integer = Type.Integer({ minimum: 1, maximum: 9 });
  t.same(read(integer, '0', '1', '9', '10'), [null, 1, 9, null]);
  t.same(new Set(read(integer, '1.0', '1e0', '-1', '', ' 1', '0x1')), new Set([null]));
  const number = Type.Number({ minimum: -1, maximum: 1 });
  t.same(read(number, '-1.01', '-1', '-0.5', '1', '1.01'), [null, -1, -0.5, 1, null]);
  t.same(new Set(read(number, '.5', '1.', 'NaN', 'Infinity')), new Set([null]));
  t.same(read(Type.String({ minLength: 2, maxLength: 3 }), 'a', 'ab', 'abc', 'abcd'), [
    null,
    'ab',
    'abc',
    null,
  ]);
  const list = Type.Array(Type.String({ pattern: '^[a-z]$' }), { minItems: 1, maxItems: 2 });
  t.same(read(list, 'a', ['a', 'b'], ['a', 'b', 'c'], ['a', 'B']), [['a'], ['a', 'b'], null, null]);
  t.same(read(Type.Boolean(), 'true', 'false', 'TRUE', '1', ''), [true, false, null, null, null]);
  const union = Type.Union([Type.Literal('world'), Type.Literal('sites')]);
  t.same(read(union, 'world', 'sites', 'World'), ['world', 'sites', null]);
});

t.test('what is allowed of a text is its length, from 0 if no other is given', async (t) => {
  for (const [limits, allowed] of [
    [{ maxLength: 3 }, '0 to 3 characters.'],
    [{ minLength: 2, maxLength: 3 }, '2 to 3 characters.'],
  ] as const) {
    const check = compileParameters(onlyParameters({ name: Type.String(limits) }));
    t.match(check({ name: 'abcd' }), { invalid: [{ name: 'name', allowed }] });
  }
});

t.test('an invalid parameter is named with its value and what is allowed', async (t) => {
  const check = compileParameters(
    onlyParameters({ page: Type.Integer({ minimum: 0, description: 'The page.' }) }),
  );
  const invalidIn = (given: object) => (check(given) as { invalid: InvalidParameter[] }).invalid;
  t.same(invalidIn({ page: 'x' }), [
    {
      name: 'page',
      value: 'x',
      reason: 'has a value that is not allowed',
      allowed: 'a whole number, at least 0. The page.',
    },
  ]);
  t.match(invalidIn({}), [{ name: 'page', value: null, reason: 'is missing' }]);
  t.match(invalidIn({ page: ['1', '2'] }), [
    { name: 'page', value: ['1', '2'], reason: 'is given more than once' },
  ]);
  const checkList = (most: number) => (a: string | string[]) => {
    const list = Type.Array(Type.String({ pattern: '^[a-z]$' }), { maxItems: most });
    const result = compileParameters(onlyParameters({ a: list }))({ a });
    return (result as { invalid: InvalidParameter[] }).invalid.map(({ value, reason }) => ({
      value,
      reason,
    }));
  };
  t.same(
    checkList(9)(['a', 'B', 'c', 'D']),
    [{ value: ['B', 'D'], reason: 'has a value that is not allowed' }],
    'of many values, the wrong ones',
  );
  t.same(checkList(9)('B'), [{ value: 'B', reason: 'has a value that is not allowed' }]);
  t.same(checkList(1)(['a', 'b']), [{ value: ['a', 'b'], reason: 'is given more than once' }]);
  t.same(checkList(2)(['a', 'b', 'c']), [
    { value: ['a', 'b', 'c'], reason: 'is given more than 2 times' },
  ]);
  t.match(invalidIn({ page: '1', Page: '1' }), [
    {
      name: 'Page',
      value: '1',
      reason: 'is not a parameter of this resource',
      allowed: 'the parameters page.',
    },
  ]);
  const many = Array.from({ length: 100 }, (_, index) => [`p${index}`, '']);
  t.equal(invalidIn(Object.fromEntries(many)).length, 20);
  t.equal(invalidIn({ page: 'x'.repeat(200) })[0]!.value, 'x'.repeat(200));
  t.equal(invalidIn({ page: 'x'.repeat(201) })[0]!.value, `${'x'.repeat(200)}…`);
});

t.test(
  'a keyword that the validator does not implement is refused when the schema is compiled',
  async (t) => {
    for (const [schema, keyword] of [
      [Type.String({ format: 'date' }), 'format'],
      [Type.Integer({ exclusiveMinimum: 1 }), 'exclusiveMinimum'],
      [Type.Number({ multipleOf: 2 }), 'multipleOf'],
      [Type.Array(Type.String(), { uniqueItems: true }), 'uniqueItems'],
      [Type.Unsafe({ type: 'string', enum: ['a'] }), 'enum'],
      [Type.Unsafe({ anyOf: [{ type: 'string' }], title: 'A' }), 'title'],
      [Type.Object({}), 'the type of'],
      [Type.Null(), 'the type of'],
    ] as const) {
      t.throws(
        () => compileParameters(onlyParameters({ a: schema })),
        { message: new RegExp(keyword) },
        keyword,
      );
    }
    t.throws(() => compileParameters(Type.Object({}, { minProperties: 1 })), {
      message: /minProperties/,
    });
  },
);
