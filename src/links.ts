/** Every URL of the service is spelled here, once. */

/** The paths of the resources, as route patterns. */
export const PATHS = {
  findCurrentSetup: '/setups/search/findCurrentByFourCharacterId',
  setup: '/setups/:id',
  gnssReceivers: '/gnssReceivers',
  gnssReceiver: '/gnssReceivers/:id',
  gnssReceiversProfile: '/profile/gnssReceivers',
  health: '/health',
  ready: '/ready',
} as const;

/** The values of a query; an array is one parameter given several times. */
export type QueryValues = Record<string, string | number | readonly string[] | undefined>;

/**
 * The absolute URL of a resource.
 * @param base the URL under which clients reach the service, without a slash at the end
 * @param path one of {@link PATHS}; `id` takes the place of `:id`
 */
export function href(base: string, path: string, { id, query = {} }: { id?: number; query?: QueryValues } = {}): string {
  const url = base + (id === undefined ? path : path.replace(':id', String(id)));
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}=${encodeURIComponent(each)}`),
  );
  return parameters.length === 0 ? url : `${url}?${parameters.join('&')}`;
}
