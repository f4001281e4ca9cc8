/** The texts of Setups and devices that responses contain unchanged, and the version of the serializers that wrote each. */
export const writtenDocuments = `
  -- written_by: the version of the serializers that wrote the text of the row; null if they did not write it.
  ALTER TABLE setup ADD COLUMN written_by INTEGER;
  ALTER TABLE equipment ADD COLUMN written_by INTEGER;
  -- Whoever changes a text without the serializers loses the mark.
  CREATE TRIGGER setup_text_changed AFTER UPDATE OF equipment_in_use ON setup WHEN NEW.written_by IS OLD.written_by BEGIN
    UPDATE setup SET written_by = NULL WHERE id = NEW.id;
  END;
  CREATE TRIGGER equipment_text_changed AFTER UPDATE OF document ON equipment WHEN NEW.written_by IS OLD.written_by BEGIN
    UPDATE equipment SET written_by = NULL WHERE id = NEW.id;
  END;

  -- The version with which all texts have been written. A row that could not be written is without a mark.
  CREATE TABLE documents_version (version INTEGER NOT NULL) STRICT;
`;
