import { isObject, type Json, memberOf } from './json.js';
import { type PublishedContract, referencedName } from './published-contract.js';

/** The schema that a value refers to, or the value itself. */
function resolved(contract: PublishedContract, value: Json | undefined): Json | undefined {
  const name = referencedName(memberOf(value, '$ref'));
  return name === null ? value : contract.schema(name);
}

/** The kinds of equipment in the order of a Setup, which is that of the variants in the schema. */
function kindsOf(contract: PublishedContract): Json[] {
  const variants = contract.schema('EquipmentInUse').anyOf;
  return (Array.isArray(variants) ? variants : []).map((variant) => {
    const id = resolved(contract, memberOf(resolved(contract, variant), 'properties.content.properties.id'));
    return memberOf(id, 'properties.equipmentType.const') ?? null;
  });
}

/** Instants of the form YYYY-MM-DDThh:mm:ssZ sort as text. An open end sorts after all of them. */
export const endOf = (to: Json | undefined): string => (typeof to === 'string' ? to : '~');

/** Checks that a valid Setup is consistent. */
export function setupProblems(contract: PublishedContract, setup: Json): string[] {
  const name = `Setup ${String(memberOf(setup, 'id'))}`;
  const from = String(memberOf(setup, 'effectivePeriod.from'));
  const to = memberOf(setup, 'effectivePeriod.to');
  const current = memberOf(setup, 'current') === true;
  const inUse = memberOf(setup, 'equipmentInUse');
  const equipment = (Array.isArray(inUse) ? inUse : []).filter(isObject);
  const order = kindsOf(contract);
  const kinds = equipment.map((each) => order.indexOf(memberOf(each, 'content.id.equipmentType') ?? null));
  const unsorted = kinds.some((kind, index) => index > 0 && kind < kinds[index - 1]!);
  return [
    ...(current && to !== null ? [`${name} is current but has an end`] : []),
    ...(current && memberOf(setup, 'invalidated') === true ? [`${name} is current but invalidated`] : []),
    ...(endOf(to) > from ? [] : [`${name} does not end after it begins`]),
    ...(unsorted ? [`the equipment of ${name} is not sorted by kind`] : []),
    ...equipment.flatMap((each) => {
      const period = memberOf(each, 'content.period');
      const covers = String(memberOf(period, 'from')) <= from && endOf(memberOf(period, 'to')) >= endOf(to);
      return covers ? [] : [`${String(memberOf(each, 'content.id.equipmentType'))} of ${name} is in use for only part of its period`];
    }),
  ];
}
