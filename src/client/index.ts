import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './contract-types.js';

export type { components, operations, paths } from './contract-types.js';

/** The client: a method for each HTTP method, typed by the paths of the contract. */
export type SetupsClient = Client<paths>;

/**
 * A client of the service, typed by its OpenAPI document.
 *
 * Each call takes a path of the contract with its parameters, and gives either `data` or `error`, a problem document (RFC 9457);
 * only a request that gets no answer throws.
 *
 * @param baseUrl where the service is, with its path if it lives below one
 * @param options of openapi-fetch: `headers`, `fetch`, `signal` and the like
 * @example
 * const client = createSetupsClient('https://gnss.example.org/equipment');
 * const { data, error } = await client.GET('/setups/search/findCurrentByFourCharacterId', { params: { query: { id: 'ALIC' } } });
 * if (error) throw new Error(error.detail);
 * const types = data.equipmentInUse.map(({ content }) => content.id.type);
 */
export function createSetupsClient(baseUrl: string, options: Omit<ClientOptions, 'baseUrl'> = {}): SetupsClient {
  return createClient<paths>({ ...options, baseUrl });
}
