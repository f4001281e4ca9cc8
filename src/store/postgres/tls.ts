import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { Address, DatabaseUrl } from './url.js';

/** How connections are encrypted, as an option of pg; false if they are not. */
export type Encryption = ConnectionOptions | false;

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

/**
 * How connections to a server are encrypted: not at all by a Unix socket. The modes are those
 * of libpq: `require` with a root certificate is `verify-ca`.
 * @throws {Error} if the file with the certificates cannot be used
 */
export function encryptionOf({ host }: Address, { tls, rootCertificate }: DatabaseUrl): Encryption {
  if (tls === 'disable' || host.startsWith('/')) return false;
  const ca = rootCertificate === null ? {} : { ca: readCertificates(rootCertificate) };
  if (tls === 'verify-full') return ca;
  if (tls === 'verify-ca' || (tls === 'require' && rootCertificate !== null)) return { ...ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}
