/** What is wrong with an export, and where. */
export type Finding =
  /** The text of a record, or its hash, is another one, or none at all. */
  | { code: 'record_changed'; seq: number }
  /** A record names another one as the one before. */
  | { code: 'record_detached'; seq: number }
  /** A record stands behind later ones, or twice. */
  | { code: 'record_moved'; seq: number }
  | { code: 'records_missing'; seq: number; lastSeq: number }
  /** A record is another one than on the day of a checkpoint. */
  | { code: 'checkpoint_broken'; seq: number; day: string }
  /** The list does not end with the record that was the last one. */
  | { code: 'end_broken'; seq: number }
  /** The table for spreadsheets says something else than a record. */
  | { code: 'table_changed'; seq: number }
  /** The version that a record is about is not in the export. */
  | { code: 'version_missing'; seq: number }
  /** The name of a person is not the one that a record means. */
  | { code: 'name_changed'; seq: number; name: string }
  /** A person has no name, and no record says that it was erased. */
  | { code: 'name_missing'; seq: number }
  /** A photo that a record names is not in the export, though its person was not erased. */
  | { code: 'photo_missing'; seq: number }
  /** A photo is not the one that a record names. */
  | { code: 'photo_changed'; seq: number }
  | { code: 'file_changed'; file: string }
  | { code: 'file_missing'; file: string }
  /** A ZIP file that the others name is not there. */
  | { code: 'part_missing'; file: string }
  /** A ZIP file is of another export, or there twice. */
  | { code: 'part_foreign'; file: string }
