import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The parts of a `.cpuprofile` that are used. Lines and columns count from 0. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; scriptId: string; url: string; lineNumber: number; columnNumber: number } }[];
  /** The running node at each sample. */
  samples: number[];
  /** The time before each sample, in microseconds. */
  timeDeltas: number[];
}

/** A function and its self time as a share of the busy time. */
export interface Spender {
  name: string;
  /** File and line; for our own files, those of the source. */
  place: string;
  share: number;
}

export interface Profile {
  /** Largest share first. */
  functions: Spender[];
  garbageCollector: number;
  /** The share outside JavaScript: kernel work for sockets, libuv, the HTTP parser. */
  program: number;
}

/** Entries of a profile that are not functions. */
const NO_FUNCTIONS = ['(root)', '(idle)', '(program)', '(garbage collector)'];

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

function placeOf({ url, scriptId, lineNumber, columnNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return scriptId === '0' ? '(native)' : '(generated)';
  if (!url.startsWith('file:')) return `${url}:${lineNumber + 1}`;
  const file = fileURLToPath(url);
  const dependency = /\bnode_modules\b.*$/.exec(file);
  if (dependency !== null) return `${dependency[0]}:${lineNumber + 1}`;
  if (existsSync(`${file}.map`)) {
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
    const entry = map.findEntry(lineNumber, columnNumber);
    if ('originalLine' in entry) {
      return `${entry.originalSource.replace(/^(\.\.\/)+/, '')}:${entry.originalLine + 1}`;
    }
  }
  return `${relative(REPOSITORY, file)}:${lineNumber + 1}`;
}

/** Reads the output of `node --cpu-prof`. */
export function readProfile(path: string): Profile {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8')) as CpuProfile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, { name: string; frame: CpuProfile['nodes'][number]['callFrame']; time: number }>();
  let busy = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id)!;
    // The node of a sample runs until the next sample.
    const time = timeDeltas[index + 1] ?? 0;
    const { functionName: name, scriptId, lineNumber, columnNumber } = frame;
    if (name !== '(idle)') busy += time;
    const key = `${name} ${scriptId}:${lineNumber}:${columnNumber}`;
    const entry = times.get(key) ?? { name: name === '' ? '(anonymous)' : name, frame, time: 0 };
    entry.time += time;
    times.set(key, entry);
  });
  const entries = [...times.values()].sort((a, b) => b.time - a.time);
  const shareOf = (name: string): number => (entries.find((entry) => entry.name === name)?.time ?? 0) / busy;
  return {
    functions: entries
      .filter(({ name }) => !NO_FUNCTIONS.includes(name))
      .map(({ name, frame, time }) => ({ name, place: placeOf(frame), share: time / busy })),
    garbageCollector: shareOf('(garbage collector)'),
    program: shareOf('(program)'),
  };
}
