/**
 * The search of former equipment, and of devices by words. The next import reads the current logs again, for the former
 * equipment of each Site.
 */
export const formerEquipment = `
  -- What is searched of the equipment that a Site no longer uses, folded.
  ALTER TABLE site_summary ADD COLUMN former_text TEXT NOT NULL DEFAULT '';
  INSERT OR IGNORE INTO site_to_read SELECT id FROM site;

  CREATE INDEX equipment_by_words ON equipment (
    equipment_type,
    lower(ifnull(type, '') || char(10) || ifnull(serial_number, '') || char(10) || ifnull(document ->> '$.manufacturer', '')),
    id
  ) WHERE listed = 1;
`;
