import { isObject, type Json, memberOf, type PublishedContract } from './published-contract.js';

/** The kinds of equipment in the order in which a Setup lists them: that of the variants in the schema. */
function kindsOf(contract: PublishedContract): Json[] {
  const variants = contract.schema('EquipmentInUse').anyOf;
  return (Array.isArray(variants) ? variants : []).flatMap((variant) => {
    const reference = memberOf(variant, '$ref');
    const inUse = typeof reference === 'string' ? contract.schema(reference.split(':').at(-1)!) : variant;
    const id = memberOf(inUse, 'properties.content.properties.id');
    const idReference = memberOf(id, '$ref');
    const schema = typeof idReference === 'string' ? contract.schema(idReference.split(':').at(-1)!) : id;
    return [memberOf(schema, 'properties.equipmentType.const') ?? null];
  });
}

/** Instants of the form YYYY-MM-DDThh:mm:ssZ sort as text; an end that is null comes after all. */
const endOf = (to: Json | undefined): string => (typeof to === 'string' ? to : '~');

/** What is wrong with a valid Setup in itself. */
export function setupProblems(contract: PublishedContract, setup: Json): string[] {
  const name = `Setup ${String(memberOf(setup, 'id'))}`;
  const from = String(memberOf(setup, 'effectivePeriod.from'));
  const to = memberOf(setup, 'effectivePeriod.to');
  const current = memberOf(setup, 'current') === true;
  const inUse = memberOf(setup, 'equipmentInUse');
  const equipment = (Array.isArray(inUse) ? inUse : []).filter(isObject);
  const order = kindsOf(contract);
  const kinds = equipment.map((each) => order.indexOf(memberOf(each, 'content.id.equipmentType') ?? null));
  return [
    ...(current && to !== null ? [`${name} is current and has an end`] : []),
    ...(current && memberOf(setup, 'invalidated') === true ? [`${name} is current and invalidated`] : []),
    ...(endOf(to) > from ? [] : [`${name} ends before it begins`]),
    ...(kinds.some((kind, index) => index > 0 && kind < kinds[index - 1]!)
      ? [`${name} has its equipment in another order than by kind`]
      : []),
    ...equipment.flatMap((each) => {
      const period = memberOf(each, 'content.period');
      const holds = String(memberOf(period, 'from')) <= from && endOf(memberOf(period, 'to')) >= endOf(to);
      return holds ? [] : [`${name} has ${String(memberOf(each, 'content.id.equipmentType'))} in use for a part of it only`];
    }),
  ];
}
