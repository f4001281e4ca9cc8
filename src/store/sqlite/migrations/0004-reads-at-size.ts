/** Valid installations at another Site that overlap one of a device. A device without a serial number never conflicts. */
const CONFLICTING = `serial_number IS NOT NULL AND EXISTS (
  SELECT 1 FROM installation AS one JOIN installation AS other ON other.equipment_id = one.equipment_id
  WHERE one.equipment_id = equipment.id AND one.superseded_at IS NULL AND other.superseded_at IS NULL AND other.site_id <> one.site_id
  AND other.period_from >= one.period_from AND (one.period_to IS NULL OR other.period_from < one.period_to))`;

/** Whether a Site has no other valid installation of a device of the same type. */
const onlyOneOfType = (row: 'NEW' | 'OLD'): string => `NOT EXISTS (
  SELECT 1 FROM installation JOIN equipment AS same ON same.id = equipment_id JOIN equipment AS own ON own.id = ${row}.equipment_id
  WHERE site_id = ${row}.site_id AND superseded_at IS NULL AND installation.id <> ${row}.id
  AND same.equipment_type = own.equipment_type AND same.type IS own.type)`;

const countSite = (row: 'NEW' | 'OLD', change: 1 | -1): string => `
  INSERT INTO equipment_type_count (equipment_type, type, sites)
  SELECT equipment_type, ifnull(type, ''), ${change} FROM equipment WHERE id = ${row}.equipment_id
  ON CONFLICT DO UPDATE SET sites = sites + excluded.sites;`;

/**
 * Counts of devices by type, which triggers maintain, and indexes, so that no read goes through a whole table. It does not
 * depend on the migration before it.
 */
export const readsAtSize = `
  -- in_use: an installation has no end. conflicting: two Sites list the device for the same time. Like listed, whoever writes
  -- the installations of a device updates these.
  ALTER TABLE equipment ADD COLUMN in_use INTEGER NOT NULL DEFAULT 0 CHECK (in_use IN (0, 1));
  ALTER TABLE equipment ADD COLUMN conflicting INTEGER NOT NULL DEFAULT 0 CHECK (conflicting IN (0, 1));
  DROP INDEX installation_of_equipment;
  CREATE INDEX installation_in_order ON installation (equipment_id, period_from) WHERE superseded_at IS NULL;
  UPDATE equipment SET conflicting = ${CONFLICTING}, in_use = EXISTS (
    SELECT 1 FROM installation WHERE equipment_id = equipment.id AND superseded_at IS NULL AND period_to IS NULL)
  WHERE listed = 1;

  -- How many listed devices of a type there are, and how many Sites use or used one. An empty type is the unknown one.
  CREATE TABLE equipment_type_count (
    equipment_type TEXT NOT NULL,
    type           TEXT NOT NULL,
    devices        INTEGER NOT NULL DEFAULT 0,
    in_use         INTEGER NOT NULL DEFAULT 0,
    conflicts      INTEGER NOT NULL DEFAULT 0,
    sites          INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (equipment_type, type)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO equipment_type_count (equipment_type, type, devices, in_use, conflicts, sites)
  SELECT equipment_type, ifnull(type, ''), count(DISTINCT equipment.id), count(DISTINCT iif(in_use, equipment.id, NULL)),
    count(DISTINCT iif(conflicting, equipment.id, NULL)), count(DISTINCT site_id)
  FROM equipment JOIN installation ON equipment_id = equipment.id AND superseded_at IS NULL
  WHERE listed = 1 GROUP BY equipment_type, type;

  CREATE TRIGGER equipment_counted AFTER UPDATE OF listed, in_use, conflicting ON equipment
  WHEN (NEW.listed, NEW.in_use, NEW.conflicting) IS NOT (OLD.listed, OLD.in_use, OLD.conflicting) BEGIN
    INSERT INTO equipment_type_count (equipment_type, type, devices, in_use, conflicts)
    VALUES (NEW.equipment_type, ifnull(NEW.type, ''), NEW.listed - OLD.listed, NEW.in_use - OLD.in_use, NEW.conflicting - OLD.conflicting)
    ON CONFLICT DO UPDATE SET
      devices = devices + excluded.devices, in_use = in_use + excluded.in_use, conflicts = conflicts + excluded.conflicts;
  END;
  CREATE TRIGGER installation_added AFTER INSERT ON installation WHEN NEW.superseded_at IS NULL AND ${onlyOneOfType('NEW')} BEGIN
    ${countSite('NEW', 1)}
  END;
  CREATE TRIGGER installation_superseded AFTER UPDATE OF superseded_at ON installation
  WHEN OLD.superseded_at IS NULL AND NEW.superseded_at IS NOT NULL AND ${onlyOneOfType('OLD')} BEGIN
    ${countSite('OLD', -1)}
  END;
  CREATE TRIGGER installation_restored AFTER UPDATE OF superseded_at ON installation
  WHEN OLD.superseded_at IS NOT NULL AND NEW.superseded_at IS NULL AND ${onlyOneOfType('NEW')} BEGIN
    ${countSite('NEW', 1)}
  END;

  CREATE INDEX change_of_kind ON change (equipment_type, at, site_id, kind_position) WHERE superseded_at IS NULL;
  -- Scanning and sorting these is fast where scanning the documents is not.
  CREATE INDEX setup_in_time ON setup (effective_to, superseded_at);
  DROP INDEX equipment_of_serial_number;
  CREATE INDEX equipment_of_serial_number ON equipment (serial_number, equipment_type) WHERE listed = 1;
  CREATE INDEX equipment_by_manufacturer ON equipment (document ->> '$.manufacturer' IS NULL, document ->> '$.manufacturer', id)
    WHERE listed = 1;
  CREATE INDEX equipment_of_manufacturer
    ON equipment (equipment_type, document ->> '$.manufacturer' IS NULL, document ->> '$.manufacturer', id) WHERE listed = 1;
`;
