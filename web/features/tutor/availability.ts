/**
 * What the tutor knows: the whole transcript, the steps alone, nothing, or nothing yet because the video is still
 * being processed.
 */
export type Availability = 'ready' | 'steps-only' | 'nothing' | 'processing'

const NOTES: Record<Exclude<Availability, 'ready'>, string> = {
  'steps-only': 'This video has no transcript, so the tutor knows its steps only.',
  nothing: 'There is nothing that the tutor could answer from: this video has neither a transcript nor steps.',
  processing: 'You can ask as soon as the video has been processed.',
}

/** What to say of it; null where there is nothing to say. */
export function noteAvailability(availability: Availability): string | null {
  return availability === 'ready' ? null : NOTES[availability]
}

export function canAnswer(availability: Availability): boolean {
  return availability === 'ready' || availability === 'steps-only'
}
