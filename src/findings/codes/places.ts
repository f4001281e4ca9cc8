/** Places of two logs, in the words of findings. */

/** A place in a log: its country as written, and its position in degrees. */
interface PlaceOfLog {
  country: string | null;
  place: { latitude: number; longitude: number } | null;
}

/** Two logs of the same four characters that are far apart. */
export type FarPlaces = {
  kilometres: number;
  /** The id of the Site on record. */
  site: string;
  /** The name of its current log; null if that is not known. */
  other: string | null;
  /** The place in the log. */
  here: PlaceOfLog;
  /** The place on record. */
  there: PlaceOfLog;
};

/** A country, and degrees with two decimals: `in Chile (33.15 S, 70.67 W)`. */
function placeWords({ country, place }: PlaceOfLog): string {
  const where = country === null ? 'in an unknown country' : `in ${country}`;
  if (place === null) return where;
  const { latitude, longitude } = place;
  const north = `${Math.abs(latitude).toFixed(2)} ${latitude < 0 ? 'S' : 'N'}`;
  const east = `${Math.abs(longitude).toFixed(2)} ${longitude < 0 ? 'W' : 'E'}`;
  return `${where} (${north}, ${east})`;
}

/** Where two logs say that the station is, and how far that is apart. */
export const twoPlaces = ({ here, there, other, kilometres }: FarPlaces): string =>
  `this log is ${placeWords(here)}, and ${other ?? 'the log'} on record ${placeWords(there)}, ` +
  `${kilometreWords(kilometres)} away`;

/** A distance in whole kilometres: `11,039 km`. */
const kilometreWords = (kilometres: number): string =>
  `${Math.round(kilometres).toLocaleString('en')} km`;
