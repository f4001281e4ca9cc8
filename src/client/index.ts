import createClient, { type Client, type ClientOptions, type Middleware } from 'openapi-fetch';
import type { components, paths } from './contract-types.js';

export type { components, operations, paths } from './contract-types.js';

/** A client with one method per HTTP method, typed by the paths of the contract. */
export type SetupsClient = Client<paths>;

/**
 * Creates a client for the service, typed by its OpenAPI document.
 *
 * Each call takes a path of the contract and its parameters, and resolves to either `data` or
 * `error`, which is a problem document (RFC 9457). JSON is parsed; CSV, text, XML and NDJSON come
 * as text. A call rejects if it gets no response, if a list of Sites is empty, which would select
 * all Sites, or if the answer is an archive and the option `parseAs` is left out.
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
  const client = createClient<paths>({ ...options, baseUrl });
  client.use(SITES_NAMED, TEXT);
  return client;
}

/** The parameters with ids of Sites. */
const IDS_OF_SITES = ['site', 'id', 'siteId', 'fourCharacterId', 'nineCharacterId'];

/** Refuses an empty list of Sites. In a URL, it would be no filter. */
const SITES_NAMED: Middleware = {
  onRequest: ({ params: { query = {} } }) => {
    const name = IDS_OF_SITES.find(
      (each) => Array.isArray(query[each]) && query[each].length === 0,
    );
    if (name !== undefined)
      throw new TypeError(`${name} is an empty list; leave it out to ask for all Sites`);
  },
};

/** Whether a media type is JSON, or based on it. That of NDJSON is not. */
const isJson = (mediaType: string): boolean => /[/+]json\b/.test(mediaType);
const isText = (mediaType: string): boolean =>
  /^text\/|[/+]xml\b|^application\/x-ndjson\b/.test(mediaType);

/**
 * Answers that are text become `data` as they are, where openapi-fetch would parse them as JSON.
 */
const TEXT: Middleware = {
  onResponse: async ({ response, options: { parseAs } }) => {
    const mediaType = response.headers.get('content-type') ?? '';
    if (parseAs !== 'json' || !response.ok || isJson(mediaType)) return undefined;
    if (!isText(mediaType))
      throw new TypeError(`the answer is ${mediaType}; pass parseAs: 'arrayBuffer'`);
    const { status, headers } = response;
    return new Response(JSON.stringify(await response.text()), { status, headers });
  },
};

/** A page of a list. */
interface Page<Embedded> {
  _embedded: Embedded;
  _links: { next?: { href: string } };
}

/** The answer to a request for a page. */
interface PageAnswer<Embedded> {
  data?: Page<Embedded>;
  error?: components['schemas']['Problem'];
}

/** An element of a page. */
type ElementOf<Embedded> = Embedded[keyof Embedded] extends readonly (infer E)[] ? E : never;

/**
 * Yields the elements of a page and of all pages after it, by the link `next`; of the feed, up to
 * the newest entry. Options of the client apply to all pages, those of the first request
 * only to the first.
 *
 * @param first the request for the first page
 * @throws {Error} with the detail of the problem if a page cannot be read; the problem is its cause
 * @example for await (const { type } of elementsFrom(client, client.GET('/gnssReceivers')))
 *   types.add(type);
 */
export async function* elementsFrom<Embedded extends object>(
  client: SetupsClient,
  first: Promise<PageAnswer<Embedded>>,
): AsyncGenerator<ElementOf<Embedded>, void> {
  let answer = await first;
  for (;;) {
    const { data, error } = answer;
    if (data === undefined) throw new Error(error?.detail ?? 'no page', { cause: error });
    const elements = Object.values(data._embedded).flat() as ElementOf<Embedded>[];
    yield* elements;
    const { next } = data._links;
    // The feed always has a link to what comes next.
    if (next === undefined || elements.length === 0) return;
    const { origin, pathname, search } = new URL(next.href);
    const path = `${pathname}${search}` as '/feed';
    answer = (await client.GET(path, { baseUrl: origin })) as unknown as PageAnswer<Embedded>;
  }
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
