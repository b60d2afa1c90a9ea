import { createEvents, type EventAttributes } from 'ics'
import type { OwnTraining } from '#contract/team/my-trainings.ts'

/**
 * Writes the days until which there is something to do as a calendar (RFC 5545). The same training has the same event each
 * time, so that a later file changes it instead of adding another one.
 * @param origin of this Adapt, for links and the names of events
 */
export function writeCalendar(trainings: readonly OwnTraining[], origin: string): string {
  const { host } = new URL(origin)
  const events = trainings.flatMap(({ moduleId, title, path, ...training }): EventAttributes[] => {
    const dayAt = training.isOpen ? training.dueAt : training.expiresAt
    if (dayAt === null) return []
    // The day that the reader's own calendar shows.
    const day = new Date(dayAt)
    return [
      {
        uid: `${moduleId}@${host}`,
        title,
        url: `${origin}${path}`,
        start: [day.getFullYear(), day.getMonth() + 1, day.getDate()],
        duration: { days: 1 },
        busyStatus: 'FREE',
      },
    ]
  })
  const { error, value } = createEvents(events, { productId: 'Adapt' })
  if (error) throw error
  return value ?? ''
}
