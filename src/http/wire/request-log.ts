import type { FastifyInstance } from 'fastify';

/** Logs each answered request at level debug. */
export function addRequestLog(app: FastifyInstance): void {
  if (app.log.level !== 'debug' && app.log.level !== 'trace') return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, url } = request;
    request.log.debug({ reqId, method, url, status: reply.statusCode, milliseconds: reply.elapsedTime }, 'answered');
    done();
  });
}
