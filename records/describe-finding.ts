import * as m from '#messages'
import type { Finding } from './findings.ts'

/** Says what is wrong with an export, in the language of the build. */
export function describeFinding(finding: Finding): string {
  switch (finding.code) {
    case 'record_changed':
      return m.finding_record_changed({ seq: finding.seq })
    case 'record_detached':
      return m.finding_record_detached({ seq: finding.seq })
    case 'record_moved':
      return m.finding_record_moved({ seq: finding.seq })
    case 'records_missing': {
      const { seq, lastSeq } = finding
      return seq === lastSeq ? m.finding_record_missing({ seq }) : m.finding_records_missing({ seq, lastSeq })
    }
    case 'checkpoint_broken':
      return m.finding_checkpoint_broken({ seq: finding.seq, day: finding.day })
    case 'end_broken':
      return m.finding_end_broken({ seq: finding.seq })
    case 'table_changed':
      return m.finding_table_changed({ seq: finding.seq })
    case 'version_missing':
      return m.finding_version_missing({ seq: finding.seq })
    case 'name_changed':
      return m.finding_name_changed({ seq: finding.seq, name: finding.name })
    case 'name_missing':
      return m.finding_name_missing({ seq: finding.seq })
    case 'photo_missing':
      return m.finding_photo_missing({ seq: finding.seq })
    case 'photo_changed':
      return m.finding_photo_changed({ seq: finding.seq })
    case 'file_changed':
      return m.finding_file_changed({ file: finding.file })
    case 'file_missing':
      return m.finding_file_missing({ file: finding.file })
    case 'part_missing':
      return m.finding_part_missing({ file: finding.file })
    case 'part_foreign':
      return m.finding_part_foreign({ file: finding.file })
  }
}

/** Says what was removed as it has to be, which is no finding. */
export function describeRemoved(removedPhotos: number): string[] {
  const shown = removedPhotos.toLocaleString(m.language_tag())
  return removedPhotos === 0 ? [] : [m.verify_photos_removed({ count: removedPhotos, shown })]
}

/**
 * Says which record is the one of a checkpoint that the reader has kept. None is no finding: an export has no records
 * before its first nor after its last, and a hash may be mistyped.
 */
export function describeKept(keptSeq: number | null): string {
  return keptSeq === null ? m.verify_kept_missing() : m.verify_kept_found({ seq: keptSeq })
}
