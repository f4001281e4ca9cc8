import type { AddressInfo } from 'node:net';
import helmet from '@fastify/helmet';
import Database from 'better-sqlite3';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * `small-program DATABASE`: the three lookups as somebody would write them by hand over the tables
 * of the service, with the same packages: a query schema, one prepared statement, the stored text
 * with links added, no cache. It is the peer of the service, so it imports nothing of it.
 */

const HEADERS = {
  'content-type': 'application/hal+json;charset=UTF-8',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
};

/** The columns of a Setup: id, site, start, end, equipment. */
type SetupRow = [number, number, string, string | null, string];
/** The columns of a receiver: id, document. */
type DeviceRow = [number, string];

const db = new Database(process.argv[2], { readonly: true });
const SETUP = `SELECT id, site_id, effective_from, effective_to, equipment_in_use FROM setup
  WHERE site_id = (SELECT site_id FROM site_identity
    WHERE four_character_id = ? AND superseded_at IS NULL AND role = 'present')
  AND superseded_at IS NULL`;
const current = db.prepare<[string], SetupRow>(`${SETUP} AND effective_to IS NULL`).raw();
const inEffect = db
  .prepare<[string, string], SetupRow>(
    `${SETUP} AND effective_from <= ? ORDER BY effective_from DESC LIMIT 1`,
  )
  .raw();
const OF_TYPE = `FROM equipment WHERE listed = 1 AND equipment_type = 'gnss receiver' AND type = ?`;
const devices = db
  .prepare<[string], DeviceRow>(`SELECT id, document ${OF_TYPE} ORDER BY id LIMIT 20`)
  .raw();
const count = db.prepare<[string], number>(`SELECT count(*) ${OF_TYPE}`).pluck();

const app = Fastify();
await app.register(helmet, { global: false });
app.addHook('onSend', (_request, reply, payload, done) => {
  reply.headers(HEADERS);
  done(null, payload);
});

const query = (...names: string[]) => ({
  schema: {
    querystring: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
      additionalProperties: false,
    },
  },
});

function sendSetup(request: FastifyRequest, reply: FastifyReply, row: SetupRow | undefined): void {
  if (row === undefined) {
    reply.code(404).send('{}');
    return;
  }
  const [id, site, from, to, equipment] = row;
  const link = `{"href":"${request.protocol}://${request.host}/setups/${id}"}`;
  const end = to === null ? 'null' : `"${to}"`;
  reply.send(
    `{"id":${id},"siteId":${site},"name":"GNSS CORS Setup","effectivePeriod":{"from":"${from}","to":${end}},` +
      `"invalidated":false,"equipmentInUse":${equipment},"current":${to === null},` +
      `"_links":{"self":${link},"setup":${link}}}`,
  );
}

interface Query {
  Querystring: { id: string; at: string; type: string };
}

app.get<Query>('/setups/search/findCurrentByFourCharacterId', query('id'), (request, reply) =>
  sendSetup(request, reply, current.get(request.query.id)),
);
app.get<Query>('/setups/search/findAtByFourCharacterId', query('id', 'at'), (request, reply) =>
  sendSetup(request, reply, inEffect.get(request.query.id, request.query.at)),
);
app.get<Query>('/gnssReceivers', query('type'), (request, reply) => {
  const { type } = request.query;
  const base = `${request.protocol}://${request.host}`;
  const url = `${base}/gnssReceivers`;
  const total = count.get(type)!;
  const pages = Math.ceil(total / 20);
  const pageLink = (name: string, page: number): string =>
    pages > 1
      ? `"${name}":{"href":"${url}?type=${encodeURIComponent(type)}&page=${page}&size=20"},`
      : '';
  const elements = devices
    .all(type)
    .map(
      ([id, document]) =>
        `${document.slice(0, -1)},"_links":{"self":{"href":"${url}/${id}"},` +
        `"gnssReceiver":{"href":"${url}/${id}{?projection}","templated":true}}}`,
    );
  reply.send(
    `{"_embedded":{"gnssReceivers":[${elements.join(',')}]},"_links":{${pageLink('first', 0)}` +
      `"self":{"href":"${url}"},${pageLink('next', 1)}${pageLink('last', pages - 1)}` +
      `"profile":{"href":"${base}/profile/gnssReceivers"}},` +
      `"page":{"size":20,"totalElements":${total},"totalPages":${pages},"number":0}}`,
  );
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.stderr.write(
  `{"msg":"serving at http://127.0.0.1:${(app.server.address() as AddressInfo).port}"}\n`,
);
process.once('SIGTERM', () => void app.close());
