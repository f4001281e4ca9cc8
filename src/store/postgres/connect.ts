import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as startTls } from 'node:tls';
import type { Address, TlsMode } from './url.js';

/** How connections are encrypted. */
export interface Encryption {
  mode: TlsMode;
  /** The file with the certificates to trust; null for those that Node.js trusts. */
  rootCertificate: string | null;
}

/** SSLRequest (PostgreSQL protocol 3.0): its length, and a code in place of the version. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** After how much silence a connection is checked, in milliseconds. Linux would wait for two hours. */
const KEEP_ALIVE_DELAY = 10_000;
const WILLING = 'S'.charCodeAt(0);

/** The name of an address in messages. */
export const nameOf = ({ host, port }: Address): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Waits for an event; rejects if the socket fails or closes before. */
function once<T>(socket: Socket, event: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, onEvent).off('error', onError).off('close', onClose);
      act();
    };
    const onEvent = (value: T): void => settle(() => resolve(value));
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void => settle(() => reject(new Error('the server closed the connection')));
    socket.on(event, onEvent).on('error', onError).on('close', onClose);
  });
}

/** The text of a file with certificates. @throws {Error} that names the file, also if it has no certificate: Node.js would ignore that */
function readCertificates(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (!/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text)) throw new Error('expected certificates in PEM');
    return text;
  } catch (error) {
    throw new Error(`sslrootcert "${file}": ${(error as Error).message}`, { cause: error });
  }
}

/** How Node.js checks the certificate of a server. `require` with a root certificate is `verify-ca`, as in libpq. */
function checksOf({ mode, rootCertificate }: Encryption): ConnectionOptions {
  const ca = rootCertificate === null ? {} : { ca: readCertificates(rootCertificate) };
  if (mode === 'verify-full') return ca;
  if (mode === 'verify-ca' || (mode === 'require' && rootCertificate !== null)) return { ...ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

/** Asks the server for TLS. */
async function encrypt(socket: Socket, address: Address, encryption: Encryption, onSocket: (socket: Socket) => void): Promise<Socket> {
  socket.write(TLS_REQUEST);
  const answer = await once<Buffer>(socket, 'data');
  // More than one byte would be text that somebody put in front of the encrypted text.
  if (answer.length !== 1) throw new Error('the server did not answer the request for TLS as PostgreSQL does');
  if (answer[0] !== WILLING) {
    if (encryption.mode === 'prefer') return socket;
    throw new Error(`the server offers no TLS, which sslmode=${encryption.mode} asks for`);
  }
  const servername = isIP(address.host) === 0 ? { servername: address.host } : { host: address.host };
  const encrypted = startTls({ socket, ...servername, ...checksOf(encryption) });
  onSocket(encrypted);
  await once(encrypted, 'secureConnect');
  return encrypted;
}

/**
 * Connects to a server, by TCP or its Unix socket. A Unix socket is never encrypted, as in libpq.
 * @param onSocket gets the socket before it connects, and the one with TLS around it before its handshake, so that the caller can
 *   destroy it; must listen to its errors
 */
export async function connect(address: Address, encryption: Encryption, onSocket: (socket: Socket) => void): Promise<Socket> {
  const { host, port } = address;
  const onUnix = host.startsWith('/');
  const socket = onUnix
    ? connectTcp(`${host}/.s.PGSQL.${port}`)
    : connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_DELAY });
  onSocket(socket);
  await once(socket, 'connect');
  if (onUnix || encryption.mode === 'disable') return socket;
  try {
    return await encrypt(socket, address, encryption, onSocket);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
