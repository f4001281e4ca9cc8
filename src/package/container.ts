import { hash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { imageTag, packageFiles } from './names.js';
import { PackageFailed } from './places.js';
import { ENTRY, write } from './program.js';
import { run, tar } from './run.js';
import type { Parts } from './tarball.js';

/**
 * Writes a container image as an OCI image archive (OCI Image Layout 1.0), without a daemon: a
 * layer with what the pinned Node.js needs of Debian, as it is installed here, and a layer with the
 * content of the tarball.
 */

/** The Debian packages in the image. */
const DEBIAN_PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'ca-certificates', 'tzdata'];
/** Their files that no program in the image uses. Licenses stay. */
const NOT_NEEDED = new RegExp(
  [
    String.raw`^/(etc|sbin|usr/sbin|usr/bin|usr/lib/[^/]+/gconv)`,
    String.raw`^/usr/share/(man|locale|lintian|doc/[^/]+/(?!copyright$))`,
  ].join('|'),
);
/** The folder with the authorities that ca-certificates trusts. */
const AUTHORITIES = '/usr/share/ca-certificates/mozilla';
/** Where programs look for these authorities, as one file. */
const AUTHORITIES_FILE = 'etc/ssl/certs/ca-certificates.crt';
/** The folders that are links into `usr` on a system with a merged `/usr`. */
const MERGED = ['lib', 'lib64'];

/** The folders of the program and of the database in the image. */
const PROGRAM = 'opt/gnss-site-setups';
const DATA = 'data';
/** A user without rights. The number is high, so that it is none of the host's. */
const USER = 10_001;

/** A part of the image, by its digest. */
interface Blob {
  mediaType: string;
  digest: string;
  size: number;
}

const digestOf = (content: Buffer): string => `sha256:${hash('sha256', content)}`;

/** Adds a part to the folder of an image. */
function addBlob(image: string, mediaType: string, content: Buffer): Blob {
  const digest = digestOf(content);
  write(join(image, 'blobs', digest.replace(':', '/')), content);
  return { mediaType, digest, size: content.length };
}

const addDocument = (image: string, mediaType: string, value: object): Blob =>
  addBlob(image, mediaType, Buffer.from(JSON.stringify(value)));

/**
 * Where a file that a package lists really is: `lib/x` is `usr/lib/x`. Names are compared after
 * that, because podman refuses a layer that has a name twice.
 */
function placeOf(name: string): string {
  const isMerged = MERGED.some((folder) => name === folder || name.startsWith(`${folder}/`));
  return isMerged ? `usr/${name}` : name;
}

/**
 * Archives the files that the image takes from Debian.
 * @throws {PackageFailed} if a package is not installed here, or `/usr` is not merged
 */
async function archiveDebian(archive: string, work: string, date: Date): Promise<void> {
  if (!existsSync(AUTHORITIES))
    throw new PackageFailed('ca-certificates is not installed: the container image needs it');
  const links = MERGED.filter((name) => existsSync(`/${name}`));
  const unmerged = links.find((name) => realpathSync(`/${name}`) !== `/usr/${name}`);
  if (unmerged !== undefined)
    throw new PackageFailed(
      `/${unmerged} is not a link to /usr/${unmerged}: the container image needs a merged /usr`,
    );
  const listed = (await run('dpkg-query', ['-L', ...DEBIAN_PACKAGES])).split('\n');
  const needed = listed
    .filter((path) => path.startsWith('/') && !NOT_NEEDED.test(path) && existsSync(path))
    .map((path) => placeOf(path.slice(1)));
  const merged = links.map((name) => `usr/${name}`);
  const names = [...new Set(['usr', ...merged, ...needed])].filter((name) => name !== '.').sort();
  write(join(work, 'names'), names.join('\n'));
  await tar('/', date, ['-cf', archive, '--no-recursion', '-T', join(work, 'names')]);

  const root = join(work, 'debian-root');
  const authorities = readdirSync(AUTHORITIES).sort();
  const certificates = authorities.map(
    (name) => `${readFileSync(join(AUTHORITIES, name), 'utf8').trimEnd()}\n`,
  );
  write(join(root, AUTHORITIES_FILE), certificates.join(''));
  // Scanners of images learn from these what is in them.
  write(join(root, 'var/lib/dpkg/status'), await run('dpkg-query', ['-s', ...DEBIAN_PACKAGES]));
  copyFileSync('/usr/lib/os-release', join(root, 'etc/os-release'));
  write(
    join(root, 'etc/passwd'),
    `root:x:0:0::/:/\ngnss-site-setups:x:${USER}:${USER}::/${DATA}:/\n`,
  );
  write(join(root, 'etc/group'), `root:x:0:\ngnss-site-setups:x:${USER}:\n`);
  for (const name of MERGED) symlinkSync(`usr/${name}`, join(root, name));
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  await tar(root, date, ['-rf', archive, ...readdirSync(root).sort()]);
  mkdirSync(join(root, DATA), { mode: 0o750 });
  await tar(root, date, ['-rf', archive, `--owner=${USER}`, `--group=${USER}`, DATA]);
}

/**
 * Archives the program as it is in the tarball.
 * @param unpacked the folder with the unpacked tarball, which is moved
 */
async function archiveProgram(
  archive: string,
  work: string,
  date: Date,
  unpacked: string,
): Promise<void> {
  const root = join(work, 'program-root');
  mkdirSync(join(root, 'opt'), { recursive: true });
  renameSync(unpacked, join(root, PROGRAM));
  await tar(root, date, ['-cf', archive, 'opt']);
}

/**
 * The configuration of the image.
 * @param layers the content of the layers, which are not compressed
 */
function imageConfig({ version, date, architecture }: Parts, layers: Buffer[]): object {
  return {
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
      Labels: {
        'org.opencontainers.image.title': 'gnss-site-setups',
        'org.opencontainers.image.version': version,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
    history: [
      { created_by: `Debian: ${DEBIAN_PACKAGES.join(' ')}` },
      { created_by: `gnss-site-setups ${version}` },
    ],
  };
}

/** Writes the entry of an image: what it is called, and which manifest it has. */
function writeIndex(image: string, version: string, manifest: Blob): void {
  // A tag has neither ~ nor +.
  const tag = imageTag(version);
  const annotations = {
    'org.opencontainers.image.ref.name': `localhost/gnss-site-setups:${tag}`,
  };
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] };
  write(join(image, 'index.json'), JSON.stringify(index));
  write(join(image, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

/**
 * Writes the image and returns its file.
 * @param unpacked the folder of the tarball, which is moved
 */
export async function writeContainerImage(
  parts: Parts,
  unpacked: string,
  output: string,
  work: string,
): Promise<string> {
  const { version, date, architecture, fast } = parts;
  const image = join(work, 'image');
  const debian = join(work, 'debian.tar');
  const program = join(work, 'program.tar');
  await archiveDebian(debian, work, date);
  await archiveProgram(program, work, date, unpacked);
  const contents = [readFileSync(debian), readFileSync(program)];
  const layers = contents.map((content) =>
    addBlob(
      image,
      'application/vnd.oci.image.layer.v1.tar+gzip',
      gzipSync(content, { level: fast ? 1 : 9 }),
    ),
  );
  const config = addDocument(
    image,
    'application/vnd.oci.image.config.v1+json',
    imageConfig(parts, contents),
  );
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = addDocument(image, mediaType, { schemaVersion: 2, mediaType, config, layers });
  writeIndex(image, version, manifest);
  const file = join(output, packageFiles(version, architecture).image);
  await tar(image, date, ['-cf', file, 'oci-layout', 'index.json', 'blobs']);
  return file;
}
