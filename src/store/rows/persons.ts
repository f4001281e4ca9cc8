/** What both engines read of the persons whom logs name as contacts. */

/** The names of persons, in order. @param which a condition */
export const persons = (which = 'true'): string => `name FROM person WHERE ${which} ORDER BY name`;
/** The condition that the remarks on record have not been searched for a person. */
export const UNSEARCHED = 'searched = 0';

/** A text on record that can name a person, or several texts. */
export interface RemarkRow {
  id: number;
  site: number;
  text: string | null;
}

/**
 * The columns and tables of all texts on record that can name a person, or from which other texts are derived. Each element selects
 * a batch of rows, in the order of their ids.
 * @param after the value to bind: the id before the first row
 * @param limit the value to bind: how many rows
 * @param join the function that joins texts
 */
export const remarks = (after: string, limit: string, join: 'group_concat' | 'string_agg'): readonly string[] => [
  `id, site_id AS site, configuration AS text FROM installation WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
  `id, id AS site, coalesce(name, '') || ' | ' || coalesce(monument_description, '') || ' | ' || coalesce(monument_foundation, '')
     || ' | ' || coalesce(marker_description, '') || ' | ' || coalesce(geologic_characteristic, '') || ' | ' || coalesce(bedrock_type, '')
     || ' | ' || coalesce(notes, '') AS text
   FROM site WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
  `id, site_id AS site,
     (SELECT ${join}(message || ' | ' || text, ' | ') FROM finding WHERE site_log_id = site_log.id) AS text
   FROM site_log WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
];
/** How many rows of {@link remarks} are read at once. */
export const REMARKS_AT_ONCE = 1000;
