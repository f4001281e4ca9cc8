/** Adds one to the count of the Setups in the state of a row, or takes one away. */
const countSetup = (row: 'NEW' | 'OLD', change: '+ 1' | '- 1'): string => `
    UPDATE setup_count SET setups = setups ${change}
    WHERE invalidated = (${row}.superseded_at IS NOT NULL) AND current = (${row}.superseded_at IS NULL AND ${row}.effective_to IS NULL);`;

/**
 * Counts of Setups by state, which triggers maintain, and an index for each order of Setups and devices, so that no page of
 * a large collection needs a sort or a scan of the documents.
 */
export const deepPages = `
  CREATE TABLE setup_count (
    invalidated INTEGER NOT NULL,
    current     INTEGER NOT NULL,
    setups      INTEGER NOT NULL,
    PRIMARY KEY (invalidated, current)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO setup_count (invalidated, current, setups) VALUES
    (0, 0, (SELECT count(*) FROM setup WHERE superseded_at IS NULL AND effective_to IS NOT NULL)),
    (0, 1, (SELECT count(*) FROM setup WHERE superseded_at IS NULL AND effective_to IS NULL)),
    (1, 0, (SELECT count(*) FROM setup WHERE superseded_at IS NOT NULL));

  CREATE TRIGGER setup_added AFTER INSERT ON setup BEGIN
    ${countSetup('NEW', '+ 1')}
  END;
  CREATE TRIGGER setup_changed AFTER UPDATE OF effective_to, superseded_at ON setup BEGIN
    ${countSetup('OLD', '- 1')}
    ${countSetup('NEW', '+ 1')}
  END;

  -- Each index has, after the column that it orders by, what breaks ties, and then what searches filter by.
  DROP INDEX setup_in_time;
  DROP INDEX setup_of_site;
  CREATE INDEX setup_of_site ON setup (site_id, effective_from, superseded_at, effective_to);
  CREATE INDEX setup_by_id ON setup (id, superseded_at, effective_to);
  CREATE INDEX setup_by_start ON setup (effective_from, id, superseded_at, effective_to);
  CREATE INDEX setup_by_end ON setup (effective_to, id, superseded_at);

  DROP INDEX equipment_by_manufacturer;
  DROP INDEX equipment_of_manufacturer;
  CREATE INDEX equipment_by_manufacturer ON equipment (document ->> '$.manufacturer', id, equipment_type) WHERE listed = 1;
  CREATE INDEX equipment_by_aspiration ON equipment (document ->> '$.aspiration', id, equipment_type) WHERE listed = 1;

  -- Following one index with the kind in it takes little longer than an index per kind, which costs more to write.
  DROP INDEX change_at;
  DROP INDEX change_of_kind;
  CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type) WHERE superseded_at IS NULL;

  -- Also for which Sites used a device at an instant.
  DROP INDEX installation_in_order;
  CREATE INDEX installation_in_order ON installation (equipment_id, period_from, period_to, site_id) WHERE superseded_at IS NULL;
`;
