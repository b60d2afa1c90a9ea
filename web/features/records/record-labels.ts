import type { ShownRecord } from '#contract/records/record-list.ts'
import type { KnownBy, RecordKind } from '#contract/records/training-record.ts'
import * as m from '#messages'

/** What each kind of record is called. */
export const KIND_LABELS: Readonly<Record<RecordKind, string>> = {
  assigned: m.record_kind_assigned(),
  unassigned: m.record_kind_unassigned(),
  started: m.record_kind_started(),
  reached: m.record_kind_reached(),
  confirmed: m.record_kind_confirmed(),
  signed_off: m.record_kind_signed_off(),
  refused: m.record_kind_refused(),
  retraining: m.record_kind_retraining(),
  corrected: m.record_kind_corrected(),
  erased: m.record_kind_erased(),
  kept: m.record_kind_kept(),
}

/** How it was known who somebody is. */
export const KNOWN_LABELS: Readonly<Record<KnownBy, string>> = {
  signed_in: m.record_known_signed_in(),
  personal_link: m.record_known_personal_link(),
  code: m.record_known_code(),
  supervisor: m.record_known_supervisor(),
}

/** Marks a text of people inside another text, for `NAMED`. */
export function markName(text: string): string {
  return `<name>${text}</name>`
}

/** What a person is called in a list. */
export function nameOf({ name }: { name: string | null }): string {
  return name ?? m.record_erased_person()
}

/** What a training is called in a list, with its version; marked as `markName` does. */
export function titleOf({ title, number }: ShownRecord['trainings'][number]): string {
  const shown = markName(title ?? m.record_deleted_training())
  return number === null ? shown : `${shown}, ${m.record_version({ number })}`
}
