import { type Json, memberOf } from './json.js';
import { type Pairs, type Probe, type RequestValues } from './probe.js';

/** Requests a search with all known values and checks what it finds. */
export type SearchCheck = (probe: Probe, all: RequestValues[]) => Promise<void>;

export const valueOf = ({ query }: RequestValues, name: string): string => query.find(([each]) => each === name)?.[1] ?? '';
export const withValue = ({ path, query }: RequestValues, name: string, value: string): RequestValues => ({
  path,
  query: query.map(([each, known]) => [each, each === name ? value : known]),
});

export const textOf = (element: Json | undefined, member: string): string => String(memberOf(element, member));
export const isOrdered = (instants: string[]): boolean => instants.every((each, index) => index === 0 || instants[index - 1]! <= each);
/** A problem, unless something is right. */
export const unless = (right: boolean, problem: string): string[] => (right ? [] : [problem]);

/** The Site with a four-character id, from the data of the service. */
export const siteOf = ({ run }: Probe, id: string): Json | undefined =>
  run.deployment.elementsOf(run.contract.operationOf('/corsSites')).find((each) => memberOf(each, 'fourCharacterId') === id);

/** A period that ends before it begins is refused. */
export async function checkInverted(probe: Probe, values: RequestValues, from: string, to: string): Promise<void> {
  const period: Pairs = [
    [from, '2014-01-01'],
    [to, '2013-01-01'],
  ];
  await probe.refused(probe.url(values, period), to);
}
