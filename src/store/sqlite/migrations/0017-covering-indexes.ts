/**
 * Indexes with everything that searches of all Sites read of a row. SQLite tests `superseded_at IS NULL` again even where the
 * index has no other rows, and would read each row for it.
 */
export const coveringIndexes = `
  DROP INDEX installation_at_site;
  CREATE INDEX installation_at_site ON installation (site_id, equipment_id, period_from, period_to, superseded_at)
    WHERE superseded_at IS NULL;
  DROP INDEX installation_in_order;
  CREATE INDEX installation_in_order ON installation (equipment_id, period_from, period_to, site_id, superseded_at)
    WHERE superseded_at IS NULL;
  DROP INDEX site_of_four_characters;
  CREATE INDEX site_of_four_characters ON site (four_character_id, nine_character_id, retired_at);
`;
