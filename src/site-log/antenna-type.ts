/** The columns of an antenna type: the model in 1 to 16, and the radome in 17 to 20. */

const MODEL_COLUMNS = 16;
const RADOME_COLUMNS = 4;

/** The model of an antenna, and its radome; empty if there is none. */
interface AntennaType {
  model: string;
  radome: string;
}

/** The model and the radome in the columns of an antenna type. A radome may be malformed. */
export const splitAntennaType = (type: string): AntennaType => ({
  model: type.slice(0, MODEL_COLUMNS).trimEnd(),
  radome: type.slice(MODEL_COLUMNS).trim(),
});

/** An antenna type of a model, of at most 16 characters, and a radome. */
export const joinAntennaType = (model: string, radome: string): string =>
  model.padEnd(MODEL_COLUMNS) + radome;

/** Whether a text is the code of a radome, or NONE: four capitals or digits. */
export const isRadome = (text: string): boolean => /^[A-Z0-9]{4}$/.test(text);

/** Whether a text has the length of a radome. */
export const hasRadomeLength = (text: string): boolean => text.length === RADOME_COLUMNS;

/**
 * Whether an antenna type is one word and a radome. The models of the IGS have no blanks; older
 * names of several words (`DORNE MARGOLIN TRIM`) end without a radome.
 */
export const isWordAndRadome = ({ model, radome }: AntennaType): boolean =>
  !/\s/.test(model) && isRadome(radome);

/** Whether an antenna type ends before the columns of the radome. */
export const endsBeforeRadome = (type: string): boolean => type.length <= MODEL_COLUMNS;

/**
 * The model and the last four characters of an antenna type, in any columns; null if no blanks are
 * before these.
 */
export function splitInAnyColumns(type: string): AntennaType | null {
  const before = type.slice(0, -RADOME_COLUMNS);
  const radome = type.slice(-RADOME_COLUMNS);
  const model = before.trimEnd();
  const isSeparate = model !== '' && model !== before;
  return isSeparate && !/\s/.test(radome) ? { model, radome } : null;
}
