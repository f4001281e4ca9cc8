/** Compared and ordered by code point, as SQLite does. */
const TEXT = 'text COLLATE "C"';

/** The tables of counts, which triggers maintain. */
const COUNTS = [
  `CREATE TABLE setup_count (
    invalidated integer NOT NULL,
    current     integer NOT NULL,
    setups      bigint NOT NULL,
    PRIMARY KEY (invalidated, current)
  )`,
  'INSERT INTO setup_count (invalidated, current, setups) VALUES (0, 0, 0), (0, 1, 0), (1, 0, 0)',

  // How many listed devices of a type there are, and how many Sites use or used one. An empty type is the unknown one.
  `CREATE TABLE equipment_type_count (
    equipment_type ${TEXT} NOT NULL,
    type           ${TEXT} NOT NULL,
    devices        bigint NOT NULL DEFAULT 0,
    in_use         bigint NOT NULL DEFAULT 0,
    conflicts      bigint NOT NULL DEFAULT 0,
    sites          bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (equipment_type, type)
  )`,
];

/** A function that a trigger calls after a statement. Its rows before and after are `old_rows` and `new_rows`. */
const counting = (name: string, table: string, changes: string, count: string): string[] => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      WITH changed AS (${changes.replaceAll('$sign', '1').replaceAll('$rows', 'new_rows')}) ${count};
    ELSE
      WITH changed AS (
        ${changes.replaceAll('$sign', '1').replaceAll('$rows', 'new_rows')}
        UNION ALL ${changes.replaceAll('$sign', '-1').replaceAll('$rows', 'old_rows')}) ${count};
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows
   FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
  `CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
   FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
];

/** A trigger that takes the mark of the serializers from a text that something else changes. */
const marking = (table: string, text: string): string =>
  `CREATE TRIGGER ${table}_text_changed BEFORE UPDATE OF ${text} ON ${table}
   FOR EACH ROW WHEN (NEW.written_by IS NOT DISTINCT FROM OLD.written_by) EXECUTE FUNCTION drop_mark()`;

/** The statements that create the tables of counts, and the triggers of these, of `written_by`, and of the last ids. */
export const triggers: readonly string[] = [
  ...COUNTS,
  ...counting(
    'count_setups',
    'setup',
    `SELECT (superseded_at IS NOT NULL)::integer AS invalidated, (superseded_at IS NULL AND effective_to IS NULL)::integer AS current,
       $sign AS number FROM $rows`,
    `INSERT INTO setup_count AS counted (invalidated, current, setups)
     SELECT invalidated, current, sum(number) FROM changed GROUP BY invalidated, current HAVING sum(number) <> 0
     ON CONFLICT (invalidated, current) DO UPDATE SET setups = counted.setups + excluded.setups`,
  ),
  ...counting(
    'count_devices',
    'equipment',
    `SELECT equipment_type, coalesce(type, '') AS type, $sign * listed AS listed, $sign * in_use AS in_use,
       $sign * conflicting AS conflicting FROM $rows`,
    `INSERT INTO equipment_type_count AS counted (equipment_type, type, devices, in_use, conflicts)
     SELECT equipment_type, type, sum(listed), sum(in_use), sum(conflicting) FROM changed GROUP BY equipment_type, type
     HAVING sum(listed) <> 0 OR sum(in_use) <> 0 OR sum(conflicting) <> 0
     ON CONFLICT (equipment_type, type) DO UPDATE SET
       devices = counted.devices + excluded.devices, in_use = counted.in_use + excluded.in_use,
       conflicts = counted.conflicts + excluded.conflicts`,
  ),
  // A Site counts once for a type, however many installations it has of it. OFFSET 0 has these
  // read before their devices: otherwise, a plan may read all devices.
  ...counting(
    'count_sites',
    'installation',
    'SELECT site_id, equipment_id, $sign AS number FROM $rows WHERE superseded_at IS NULL',
    `, by_type AS (
       SELECT site_id, equipment_type, type, sum(number) AS number FROM changed JOIN equipment ON equipment.id = equipment_id
       GROUP BY site_id, equipment_type, type HAVING sum(number) <> 0
     ), here AS MATERIALIZED (
       SELECT installation.site_id, device.* FROM installation
       CROSS JOIN LATERAL (SELECT equipment_type, type FROM equipment WHERE equipment.id = equipment_id OFFSET 0) AS device
       WHERE installation.site_id IN (SELECT site_id FROM by_type) AND superseded_at IS NULL
     ), installed AS (
       SELECT by_type.equipment_type, by_type.type, by_type.number, count(here.site_id) AS after
       FROM by_type LEFT JOIN here ON here.site_id = by_type.site_id AND here.equipment_type = by_type.equipment_type
         AND here.type IS NOT DISTINCT FROM by_type.type
       GROUP BY by_type.site_id, by_type.equipment_type, by_type.type, by_type.number
     )
     INSERT INTO equipment_type_count AS counted (equipment_type, type, sites)
     SELECT equipment_type, coalesce(type, ''), sum((after > 0)::integer - (after > number)::integer) FROM installed
     GROUP BY equipment_type, type HAVING sum((after > 0)::integer - (after > number)::integer) <> 0
     ON CONFLICT (equipment_type, type) DO UPDATE SET sites = counted.sites + excluded.sites`,
  ),

  `CREATE FUNCTION drop_mark() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.written_by := NULL;
    RETURN NEW;
  END $$`,
  marking('setup', 'equipment_in_use'),
  marking('equipment', 'document'),

  `CREATE FUNCTION remember_last_id() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO last_id AS remembered (table_name, id) VALUES (TG_TABLE_NAME, NEW.id)
    ON CONFLICT (table_name) DO UPDATE SET id = greatest(remembered.id, excluded.id);
    RETURN NULL;
  END $$`,
  'CREATE TRIGGER journal_added AFTER INSERT ON journal FOR EACH ROW EXECUTE FUNCTION remember_last_id()',
  'CREATE TRIGGER last_import_added AFTER INSERT ON last_import FOR EACH ROW EXECUTE FUNCTION remember_last_id()',
];
