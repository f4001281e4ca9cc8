import type { Database } from 'better-sqlite3';

/** The gaps between removals and the installations that end them, as they are on record; indexes for changes with gaps. */
const TABLES = `
  -- counterpart_id: of a removal, the installation that ends the gap after it; of that installation, the removal.
  -- gap_before: of such an installation, the length of the gap in seconds.
  ALTER TABLE change ADD COLUMN counterpart_id INTEGER;
  ALTER TABLE change ADD COLUMN gap_before INTEGER;
  DROP INDEX change_at;
  DROP INDEX change_at_site;
  CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type, gap_before) WHERE superseded_at IS NULL;
  CREATE INDEX change_at_site ON change (site_id, at, kind_position, id, equipment_type, gap_before) WHERE superseded_at IS NULL;
  CREATE INDEX change_recorded ON change (recorded_at, gap_before, counterpart_id) WHERE superseded_at IS NULL;
  CREATE INDEX setup_recorded ON setup (recorded_at);
`;

/** A valid change of a Site, in chronological order. */
interface Row {
  id: number;
  site_id: number;
  at: string;
  equipment_type: string;
  kind: string;
  /** The type and serial number of the device, as JSON. */
  device: string;
}

const ROWS = `
  SELECT id, site_id, at, equipment_type, document ->> '$.kind' AS kind,
    CASE document ->> '$.kind'
      WHEN 'removed' THEN json_array(document ->> '$.before.content.id.type', document ->> '$.before.content.id.serialNumber')
      ELSE json_array(document ->> '$.after.content.id.type', document ->> '$.after.content.id.serialNumber') END AS device
  FROM change NOT INDEXED
  WHERE superseded_at IS NULL AND document ->> '$.kind' IN ('removed', 'installed')
  ORDER BY site_id, equipment_type, at, id`;

const NO_DEVICE = '[null,null]';

/** Pairs the removals and installations of one kind at one Site. */
function pair(rows: Row[]): [removed: Row, installed: Row][] {
  const pairs: [Row, Row][] = [];
  const open: Row[] = [];
  for (const at of new Set(rows.map((row) => row.at))) {
    const atOnce = rows.filter((row) => row.at === at);
    let installed = atOnce.filter(({ kind }) => kind === 'installed');
    while (installed.length > 0 && open.length > 0) {
      const latest = open.filter((row) => row.at === open.at(-1)!.at);
      const end = (removed: Row, by: Row): void => {
        pairs.push([removed, by]);
        latest.splice(latest.indexOf(removed), 1);
        open.splice(open.indexOf(removed), 1);
      };
      installed = installed.filter((by) => {
        const same = latest.find(({ device }) => device === by.device && device !== NO_DEVICE);
        if (same !== undefined) end(same, by);
        return same === undefined;
      });
      for (const by of installed.splice(0, latest.length)) end(latest[0]!, by);
    }
    open.push(...atOnce.filter(({ kind }) => kind === 'removed'));
  }
  return pairs;
}

/** Adds the gaps between changes, and indexes for what was recorded since a time. */
export function gaps(db: Database): void {
  db.exec(TABLES);
  const save = db.prepare('UPDATE change SET counterpart_id = ?, gap_before = ? WHERE id = ?');
  const savePairs = (rows: Row[]): void => {
    for (const [removed, installed] of pair(rows)) {
      save.run(installed.id, null, removed.id);
      save.run(removed.id, (Date.parse(installed.at) - Date.parse(removed.at)) / 1000, installed.id);
    }
  };
  // Read all before writing: no statement may write a table that another one is reading.
  const groups: Row[][] = [];
  for (const row of db.prepare<[], Row>(ROWS).all()) {
    const last = groups.at(-1);
    if (last?.[0]?.site_id === row.site_id && last[0].equipment_type === row.equipment_type) last.push(row);
    else groups.push([row]);
  }
  for (const group of groups) savePairs(group);
}
