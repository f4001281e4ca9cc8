import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const SHARED = join(ROOT, '..', 'shared');

/** A network that is imported and recorded. */
export interface Network {
  name: string;
  /** The folders of its logs, each with its name in the folder of the recording. */
  sources: Record<string, string>;
  /** About how many Sites is asked: each n-th. */
  every: number;
  /** How many links are followed, of one kind and in all. */
  limits: { ofKind: number; links: number };
}

const LARGE = { ofKind: 15, links: 900 };
const shared = (name: string): string => join(SHARED, 'site-logs', name);

export const NETWORKS: readonly Network[] = [
  {
    name: 'sample',
    sources: { sample: join(ROOT, 'data', 'site-logs') },
    every: 1,
    limits: { ofKind: 40, links: 2000 },
  },
  { name: 'xml', sources: { xml: shared('geodesyml') }, every: 40, limits: LARGE },
  {
    name: 'text',
    sources: Object.fromEntries(
      ['text', 'text-history', 'versions', 'sopac'].map((name) => [`text/${name}`, shared(name)]),
    ),
    every: 40,
    limits: LARGE,
  },
];

/** The sources that are absent. */
export const missing = ({ sources }: Network): string[] =>
  Object.values(sources).filter((source) => !existsSync(source));

/** Copies the logs of a network, so that all paths that a command prints are the same. */
export function copyLogs({ sources }: Network, folder: string): void {
  for (const [name, source] of Object.entries(sources))
    cpSync(source, join(folder, name), { recursive: true });
}

/** Whether the shared cases were copied. */
export function copyCases(folder: string): boolean {
  const source = join(SHARED, 'cases');
  if (!existsSync(source)) return false;
  cpSync(source, join(folder, 'cases'), { recursive: true });
  return true;
}

/** Writes a newer log of a Site of the sample network, and files that are rejected. */
export function writeChanges(folder: string): void {
  const log = readFileSync(join(folder, 'sample', 'alic_20170223.log'), 'utf8');
  const newer = log
    .replace(/(Date Prepared +: ).*/, '$12018-01-01')
    .replace(/(Site Name +: ).*/, '$1Alice Springs, changed')
    .replace(/(Firmware Version +: )4\.02.*/g, '$14.99');
  mkdirSync(join(folder, 'changed'));
  writeFileSync(join(folder, 'changed', 'alic_20180101.log'), newer);
  mkdirSync(join(folder, 'rejected'));
  writeFileSync(join(folder, 'rejected', 'empty.log'), '');
  writeFileSync(join(folder, 'rejected', 'notes.log'), 'These are notes.\n');
  writeFileSync(join(folder, 'rejected', 'half.xml'), '<geo:GeodesyML>');
  writeFileSync(join(folder, 'rejected', 'twice.log'), log + log);
  writeFileSync(join(folder, 'rejected', 'none.log'), log.replaceAll('ALIC', ''));
}
