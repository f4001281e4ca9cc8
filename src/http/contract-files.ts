import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The exported contract as it lies in the package: `openapi.json`, and a JSON Schema for each published type. */
export class ContractFiles {
  private readonly known = new Map<string, Promise<string>>();

  /** @param folder the folder that export-schemas wrote */
  constructor(private readonly folder: string) {}

  /** The text of a file, read once. The name is one of the contract's own, never a client's. */
  read(name: string): Promise<string> {
    const known = this.known.get(name) ?? readFile(join(this.folder, name), 'utf8');
    this.known.set(name, known);
    return known;
  }
}
