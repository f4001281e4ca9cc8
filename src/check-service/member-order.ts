import { isObject, type Json, type JsonObject } from './json.js';
import { type PublishedContract, referencedName } from './published-contract.js';

/** The places in a valid value where the members are not in the order of a published schema. */
export const misordered = (contract: PublishedContract, name: string, value: Json): string[] =>
  misorderedIn(contract, contract.schema(name), value, '');

function misorderedIn(contract: PublishedContract, schema: JsonObject, value: Json, path: string): string[] {
  if (schema.$ref !== undefined) return misorderedIn(contract, contract.schema(referencedName(schema.$ref) ?? ''), value, path);
  if (Array.isArray(schema.anyOf)) {
    const branch = schema.anyOf.filter(isObject).find((each) => contract.validator(each)(value));
    return branch === undefined ? [] : misorderedIn(contract, branch, value, path);
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return isObject(items) ? value.flatMap((each, index) => misorderedIn(contract, items, each, `${path}/${index}`)) : [];
  }
  if (!isObject(value) || !isObject(schema.properties)) return [];
  const { properties } = schema;
  const wanted = Object.keys(properties).filter((each) => Object.hasOwn(value, each));
  const found = Object.keys(value).filter((each) => Object.hasOwn(properties, each));
  return [
    ...(wanted.join() === found.join() ? [] : [`${path || 'the body'} has ${found.join(', ')}; expected ${wanted.join(', ')}`]),
    ...found.flatMap((each) => {
      const member = properties[each];
      return isObject(member) ? misorderedIn(contract, member, value[each]!, `${path}/${each}`) : [];
    }),
  ];
}
