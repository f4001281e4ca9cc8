/** What is counted of one device. */
export interface CountedDevice {
  equipmentType: string;
  /** Null if unknown. */
  type: string | null;
  isListed: boolean;
  isInUse: boolean;
  isConflicting: boolean;
}

/** A use of a type at a Site. */
export type UseOfType = Pick<CountedDevice, 'equipmentType' | 'type'> & { siteId: number };

/**
 * How many devices of a type there are, are in use and in conflict, and how many Sites use or used
 * one. An empty type is the unknown one.
 */
export interface TypeCount {
  equipmentType: string;
  type: string;
  devices: number;
  inUse: number;
  conflicts: number;
  sites: number;
}

/** The devices and uses at a moment. */
interface State {
  devices: CountedDevice[];
  uses: UseOfType[];
}

/** By how much the counts of each type differ between two states. Pure. */
export function deriveCountChanges(before: State, after: State): TypeCount[] {
  const counts = new Map<string, TypeCount>();
  const countOf = ({
    equipmentType,
    type,
  }: Pick<CountedDevice, 'equipmentType' | 'type'>): TypeCount => {
    const key = `${equipmentType}\0${type ?? ''}`;
    const count = counts.get(key) ?? {
      equipmentType,
      type: type ?? '',
      devices: 0,
      inUse: 0,
      conflicts: 0,
      sites: 0,
    };
    counts.set(key, count);
    return count;
  };
  const add = ({ devices, uses }: State, sign: 1 | -1): void => {
    for (const device of devices) {
      const count = countOf(device);
      if (device.isListed) count.devices += sign;
      if (device.isInUse) count.inUse += sign;
      if (device.isConflicting) count.conflicts += sign;
    }
    // A Site counts once for a type, however many uses it has of it.
    const once = new Map(
      uses.map((use) => [`${use.siteId}\0${use.equipmentType}\0${use.type ?? ''}`, use]),
    );
    for (const use of once.values()) countOf(use).sites += sign;
  };
  add(before, -1);
  add(after, 1);
  return [...counts.values()].filter(({ devices, inUse, conflicts, sites }) =>
    [devices, inUse, conflicts, sites].some(Boolean),
  );
}
