import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './contract-types.js';

export type { components, operations, paths } from './contract-types.js';

/** A client with one method per HTTP method, typed by the paths of the contract. */
export type SetupsClient = Client<paths>;

/**
 * Creates a client for the service, typed by its OpenAPI document.
 *
 * Each call takes a path of the contract and its parameters, and resolves to either `data` or
 * `error`, which is a problem document (RFC 9457). A call rejects only if it gets no response.
 *
 * @param baseUrl the URL of the service, including its path if it has one
 * @param options the options of openapi-fetch, such as `headers`, `fetch` and `signal`
 * @example const client = createSetupsClient('https://gnss.example.org/equipment'); const { data,
 *   error } = await client.GET('/setups/search/findCurrentByFourCharacterId', { params: { query: {
 *   id: 'ALIC' } } }); if (error) throw new Error(error.detail); const types =
 *   data.equipmentInUse.map(({ content }) => content.id.type);
 */
export function createSetupsClient(
  baseUrl: string,
  options: Omit<ClientOptions, 'baseUrl'> = {},
): SetupsClient {
  return createClient<paths>({ ...options, baseUrl });
}

/** What an item of equipment is, how it is configured, and when. */
type Content = components['schemas']['InstalledEquipment']['content'];

const guard =
  <T extends Content['id']['equipmentType']>(equipmentType: T) =>
  (content: Content): content is Extract<Content, { id: { equipmentType: T } }> =>
    content.id.equipmentType === equipmentType;

// TypeScript cannot narrow a union by a nested member, so a guard for each kind does.

/** Whether an item is a GNSS receiver. */
export const isReceiver = guard('gnss receiver');
/** Whether an item is a GNSS antenna. */
export const isAntenna = guard('gnss antenna');
/** Whether an item is a humidity sensor. */
export const isHumiditySensor = guard('humidity sensor');
/** Whether an item is a clock. */
export const isClock = guard('clock');
/** Whether an item is a pressure sensor. */
export const isPressureSensor = guard('pressure sensor');
/** Whether an item is a temperature sensor. */
export const isTemperatureSensor = guard('temperature sensor');
/** Whether an item is a water vapour radiometer. */
export const isWaterVaporSensor = guard('water vapor sensor');
/** Whether an item is another instrument. */
export const isOtherInstrument = guard('other instrument');
