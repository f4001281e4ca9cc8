import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Header, pack, type Pack } from 'tar-stream';
import { PackageFailed } from './places.js';
import { ENTRY } from './program.js';
import { run } from './run.js';
import type { Parts } from './tarball.js';

/**
 * Writes a container image as an OCI image archive (OCI Image Layout 1.0), without a daemon: a layer with what the pinned Node.js needs of
 * Debian, as it is installed here, and a layer with the content of the tarball.
 */

/** The Debian packages in the image. */
const DEBIAN_PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'ca-certificates', 'tzdata'];
/** Their files that no program in the image uses. Licenses stay. */
const NOT_NEEDED = /^\/(etc|sbin|usr\/sbin|usr\/bin|usr\/lib\/[^/]+\/gconv|usr\/share\/(man|locale|lintian|doc\/[^/]+\/(?!copyright$)))/;
/** Where the authorities that ca-certificates trusts are, and where programs look for them as one file. */
const [AUTHORITIES, AUTHORITIES_FILE] = ['/usr/share/ca-certificates/mozilla', 'etc/ssl/certs/ca-certificates.crt'];
/** The folders that a merged system has as links. */
const MERGED = ['lib', 'lib64'];

const [PROGRAM, DATA] = ['opt/gnss-site-setups', 'data'];
/** A user without rights. The number is high, so that it is none of the host's. */
const USER = 10_001;

/** What an image consists of, by its digest. */
interface Blob {
  mediaType: string;
  digest: string;
  size: number;
}

/** Hashes what passes. */
const hashing = (hash: Hash): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });

const digestOf = (hash: Hash): string => `sha256:${hash.digest('hex')}`;
const sha256 = (): Hash => createHash('sha256');

/** A file, link or folder of a layer. */
type Entry = Pick<Header, 'name'> & Partial<Pick<Header, 'type' | 'mode' | 'linkname' | 'uid' | 'gid'>> & { content?: Buffer };

/** Adds an entry to an archive, at the time of all files. */
const add = (archive: Pack, date: Date, { content = Buffer.alloc(0), ...header }: Entry): Promise<void> =>
  new Promise((resolve, reject) => {
    archive.entry({ uid: 0, gid: 0, mode: 0o755, ...header, mtime: date, size: content.length }, content, (error) =>
      error == null ? resolve() : reject(error),
    );
  });

const text = (name: string, content: string): Entry => ({ name, mode: 0o644, content: Buffer.from(content) });
const folder = (name: string): Entry & { type: 'directory' } => ({ name, type: 'directory' });

/** A file, link or folder of this machine under another name. */
function copied(path: string, name: string): Entry {
  const found = lstatSync(path);
  if (found.isDirectory()) return folder(name);
  if (found.isSymbolicLink()) return { name, type: 'symlink', linkname: readlinkSync(path) };
  return { name, mode: found.mode & 0o777, content: readFileSync(path) };
}

/** What the image has of Debian. @throws {PackageFailed} if a package is not installed here */
async function* debianEntries(): AsyncGenerator<Entry> {
  const list = await run('dpkg-query', ['-L', ...DEBIAN_PACKAGES]);
  const isMerged = (path: string): boolean => MERGED.some((name) => path.startsWith(`/${name}/`));
  const isNeeded = (path: string): boolean => path.startsWith('/') && !NOT_NEEDED.test(path) && existsSync(path);
  const links = new Set(['/.', ...MERGED.map((name) => `/${name}`)]);
  const names = new Map(
    list
      .split('\n')
      .filter((path) => isNeeded(path) && !links.has(path))
      .map((path) => [isMerged(path) ? `usr${path}` : path.slice(1), path]),
  );
  for (const name of ['usr', ...MERGED.map((each) => `usr/${each}`)]) names.set(name, `/${name}`);
  for (const name of MERGED) yield { name, type: 'symlink', linkname: `usr/${name}` };
  for (const name of [...names.keys()].sort()) yield copied(names.get(name)!, name);
  const authorities = readdirSync(AUTHORITIES).sort();
  yield text(AUTHORITIES_FILE, authorities.map((name) => readFileSync(join(AUTHORITIES, name), 'utf8').trimEnd() + '\n').join(''));
  // Scanners of images learn from these what is in them.
  yield text('var/lib/dpkg/status', await run('dpkg-query', ['-s', ...DEBIAN_PACKAGES]));
  yield copied('/usr/lib/os-release', 'etc/os-release');
  yield text('etc/passwd', `root:x:0:0::/:/\ngnss-site-setups:x:${USER}:${USER}::/${DATA}:/\n`);
  yield text('etc/group', `root:x:0:\ngnss-site-setups:x:${USER}:\n`);
  yield { ...folder('tmp'), mode: 0o1777 };
  yield { ...folder(DATA), mode: 0o750, uid: USER, gid: USER };
}

/** The program, as the tarball has it. @param unpacked the folder of the tarball */
function* programEntries(unpacked: string): Generator<Entry> {
  yield folder('opt');
  yield folder(PROGRAM);
  const found = readdirSync(unpacked, { recursive: true, withFileTypes: true });
  const names = found.map((entry) => relative(unpacked, join(entry.parentPath, entry.name)));
  for (const name of names.sort()) yield copied(join(unpacked, name), join(PROGRAM, name));
}

/** Writes a layer to a folder. @returns the blob, and the digest of its content before compression */
async function writeLayer(entries: AsyncIterable<Entry> | Iterable<Entry>, work: string, { date, fast }: Parts): Promise<[Blob, string]> {
  const archive = pack();
  const [content, compressed] = [sha256(), sha256()];
  const file = join(work, 'layer');
  const written = pipeline(archive, hashing(content), createGzip({ level: fast ? 1 : 9 }), hashing(compressed), createWriteStream(file));
  for await (const entry of entries) await add(archive, date, entry);
  archive.finalize();
  await written;
  const digest = digestOf(compressed);
  await run('mv', [file, join(work, digest)]);
  const { size } = statSync(join(work, digest));
  return [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest, size }, digestOf(content)];
}

/** A document of the image. */
function documentOf(mediaType: string, value: object): Blob & { content: Buffer } {
  const content = Buffer.from(JSON.stringify(value));
  return { mediaType, digest: digestOf(sha256().update(content)), size: content.length, content };
}

/** Writes the image and returns its file. @param unpacked the folder of the tarball */
export async function writeContainerImage(parts: Parts, unpacked: string, output: string, work: string): Promise<string> {
  const { version, date, architecture } = parts;
  if (!existsSync(AUTHORITIES)) throw new PackageFailed('ca-certificates is not installed: the container image needs it');
  const layers = [await writeLayer(debianEntries(), work, parts), await writeLayer(programEntries(unpacked), work, parts)];
  const config = documentOf('application/vnd.oci.image.config.v1+json', {
    created: date.toISOString(),
    architecture: architecture.debian,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      WorkingDir: `/${DATA}`,
      Env: [`DATABASE=/${DATA}/gnss-site-setups.sqlite`, 'HOST=0.0.0.0'],
      Entrypoint: [`/${PROGRAM}/bin/node`, `/${PROGRAM}/${ENTRY}`],
      Cmd: ['serve'],
      ExposedPorts: { '8080/tcp': {} },
      Volumes: { [`/${DATA}`]: {} },
      StopSignal: 'SIGTERM',
      Labels: { 'org.opencontainers.image.title': 'gnss-site-setups', 'org.opencontainers.image.version': version },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(([, content]) => content) },
    history: [{ created_by: `Debian: ${DEBIAN_PACKAGES.join(' ')}` }, { created_by: `gnss-site-setups ${version}` }],
  });
  const { content: _, ...configBlob } = config;
  const manifest = documentOf('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: configBlob,
    layers: layers.map(([layer]) => layer),
  });
  const { content: __, ...manifestBlob } = manifest;
  // A tag has neither ~ nor +.
  const annotations = { 'org.opencontainers.image.ref.name': `localhost/gnss-site-setups:${version.replace(/[~+]/g, '-')}` };
  const index = { schemaVersion: 2, manifests: [{ ...manifestBlob, annotations }] };

  const file = join(output, `gnss-site-setups-${version}-linux-${architecture.node}-oci.tar`);
  const archive = pack();
  const written = pipeline(archive, createWriteStream(file));
  const nameOf = ({ digest }: Blob): string => `blobs/${digest.replace(':', '/')}`;
  await add(archive, date, text('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })));
  await add(archive, date, text('index.json', JSON.stringify(index)));
  for (const blob of [config, manifest]) await add(archive, date, { name: nameOf(blob), mode: 0o644, content: blob.content });
  for (const [layer] of layers) {
    const entry = archive.entry({ name: nameOf(layer), size: layer.size, mode: 0o644, mtime: date, uid: 0, gid: 0 });
    await pipeline(createReadStream(join(work, layer.digest)), entry);
  }
  archive.finalize();
  await written;
  return file;
}
