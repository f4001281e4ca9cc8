import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Why a test is skipped for which {@link installPackages} returns null. */
export const UNREACHABLE = { skip: 'npm cannot reach its registry' };

/** What npm says then: about the network, or about a registry that is busy or fails. */
const NETWORK_ERROR =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E429|E5\d\d)\b/;

/** The packages that a test installs, each with its exact version. */
type Versions = Record<string, string>;

/**
 * Installs packages of others into a folder of a test, as an ES module project. Their install
 * scripts do not run. Returns the folder; null if npm cannot reach its registry.
 * @throws {Error} if npm fails for another reason
 */
export async function installPackages(
  folder: string,
  dependencies: Versions,
): Promise<string | null> {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...quiet], { cwd: folder });
    return folder;
  } catch (error) {
    if (NETWORK_ERROR.test((error as { stderr?: string }).stderr ?? '')) return null;
    throw error;
  }
}
