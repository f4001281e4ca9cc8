import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, lookupUrl } from './lookup-request.js';
import { benchFile, type Server, SERVICE, startServer } from './processes.js';
import { SITE_IDS } from './synthetic-logs.js';

/** The service over a database, and the bare server that sends one of its answers. */
export interface Servers {
  /** @param nodeFlags flags for Node itself */
  startService: (...nodeFlags: string[]) => Promise<Server>;
  startBare: () => Promise<Server>;
}

/** Starts the service over a database. @param nodeFlags flags for Node itself */
export const startServiceOver = (database: string, ...nodeFlags: string[]): Promise<Server> =>
  startServer(...nodeFlags, SERVICE, 'serve', '--database', database, '--port', '0');

const EXAMPLE = SITE_IDS[Math.floor(SITE_IDS.length / 2)]!;

/** Takes an answer of the service for the bare server to send. @throws where the two then differ by a byte or a header field */
export async function prepareServers(folder: string, database: string): Promise<Servers> {
  const file = join(folder, 'answer.json');
  const servers: Servers = {
    startService: (...nodeFlags) => startServiceOver(database, ...nodeFlags),
    startBare: () => startServer(benchFile('bare-server'), file),
  };
  const exampleOf = async (server: Server) => {
    const answer = await ask(lookupUrl(server.url, EXAMPLE));
    await server.stop();
    return answer;
  };
  const ours = await exampleOf(await servers.startService());
  if ((JSON.parse(ours.body) as { current?: unknown }).current !== true) throw new Error(`no current Setup: ${ours.body}`);
  writeFileSync(file, JSON.stringify(ours));
  const bare = await exampleOf(await servers.startBare());
  const shapeOf = ({ headers, body }: typeof ours): string =>
    JSON.stringify([headers.map(([name, value]) => (name === 'Date' ? name : `${name}: ${value}`.toLowerCase())).sort(), body]);
  if (shapeOf(bare) !== shapeOf(ours)) throw new Error(`the bare server sends ${shapeOf(bare)}, the service ${shapeOf(ours)}`);
  process.stdout.write(`answer: ${Buffer.byteLength(ours.body)} bytes, ${ours.headers.length} header fields\n`);
  return servers;
}
