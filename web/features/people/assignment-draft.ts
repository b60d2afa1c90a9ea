import { ASSIGNED_PEOPLE_MAX } from '#contract/limits.ts'
import type { DoneRule } from '#contract/records/training-record.ts'
import type { NewAssignment } from '#contract/team/assignment.ts'

/** An assignment as its form has it. */
export interface AssignmentDraft {
  subject: NewAssignment['subject'] | null
  groupIds: string[]
  personIds: string[]
  rule: DoneRule
  dueKind: 'none' | 'day' | 'days'
  /** As in `2027-03-31`; empty before one is chosen. */
  day: string
  days: string
  /** Empty for never. */
  months: string
  countsEarlier: boolean
}

export const EMPTY_ASSIGNMENT: AssignmentDraft = {
  subject: null,
  groupIds: [],
  personIds: [],
  rule: { reached: true, confirmed: false, signedOff: false },
  dueKind: 'none',
  day: '',
  days: '14',
  months: '',
  countsEarlier: false,
}

/** Reads what the form says. @returns null while something is missing or is no number */
export function readDraft(draft: AssignmentDraft): Omit<NewAssignment, 'byName' | 'timeZone'> | null {
  const { subject, groupIds, personIds, rule, countsEarlier } = draft
  const asksForNothing = !rule.reached && !rule.confirmed && !rule.signedOff
  if (subject === null || asksForNothing || groupIds.length + personIds.length === 0) return null
  if (personIds.length > ASSIGNED_PEOPLE_MAX) return null
  const due = readDue(draft)
  const everyMonths = draft.months.trim() === '' ? null : readNumber(draft.months, 120)
  if (due === undefined || everyMonths === undefined) return null
  return { subject, groupIds, personIds, rule, due, everyMonths, countsEarlier }
}

/** Undefined for what is no date. */
function readDue({ dueKind, day, days }: AssignmentDraft): NewAssignment['due'] | undefined {
  if (dueKind === 'none') return null
  if (dueKind === 'day') return day === '' ? undefined : { kind: 'day', day }
  const number = readNumber(days, 3_650)
  return number === undefined ? undefined : { kind: 'days', days: number }
}

function readNumber(text: string, max: number): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined
}
