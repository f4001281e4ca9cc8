/** The gaps between removals and the installations that end them, and the feed of what each event of the journal changed. */
export const gapsAndFeed = [
  // counterpart_id: of a removal, the installation that ends the gap after it; of that installation, the removal.
  // gap_before: of such an installation, the length of the gap in seconds.
  'ALTER TABLE change ADD COLUMN counterpart_id bigint',
  'ALTER TABLE change ADD COLUMN gap_before bigint',
  'DROP INDEX change_at',
  'DROP INDEX change_at_site',
  'CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type, gap_before) WHERE superseded_at IS NULL',
  'CREATE INDEX change_at_site ON change (site_id, at, kind_position, id, equipment_type, gap_before) WHERE superseded_at IS NULL',
  'CREATE INDEX change_recorded ON change (recorded_at) WHERE superseded_at IS NULL',
  'CREATE INDEX setup_recorded ON setup (recorded_at)',

  // id is the number of the event in the journal; events that changed no content have no row. site_log_id is the log that
  // the record of the Site followed afterwards. document is what changed, as JSON.
  `CREATE TABLE feed (
    id          bigint PRIMARY KEY,
    site_id     bigint NOT NULL,
    site_log_id bigint NOT NULL,
    document    text COLLATE "C" NOT NULL,
    checksum    bigint NOT NULL
  )`,
];
