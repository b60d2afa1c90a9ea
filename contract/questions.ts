import { z } from 'zod'
import { QUESTIONS_GROUPED_MAX } from './limits.ts'
import { Success } from './problem.ts'

/** Similar questions that people asked the tutor at about the same place. It never says who asked. */
export const QuestionGroup = z.object({
  /** Its oldest question's. */
  id: z.string(),
  /** The wording that says best what all of them ask; long ones are cut. */
  text: z.string(),
  /** Other wordings, the most frequent first; some of them. */
  wordings: z.array(z.string()),
  /** Of all its questions, which settle it. */
  ids: z.array(z.string()),
  count: z.number().int(),
  /** How many different people asked. */
  people: z.number().int(),
  /** Where the video stood, whole seconds, ascending; some of them. */
  moments: z.array(z.number().int()),
  /** Questions that were answered from the video, and those of which the tutor said that it does not cover them. */
  answered: z.number().int(),
  notCovered: z.number().int(),
  /** ISO 8601, UTC. */
  lastAskedAt: z.string(),
})
export type QuestionGroup = z.infer<typeof QuestionGroup>

/** What was asked at one place: a step; the video as a whole; or steps that are gone, all of them together. */
export const QuestionPlace = z.object({
  kind: z.enum(['step', 'video', 'removed']),
  /** Null for what is not a step. `start` and `end` in seconds, `number` from 1. */
  step: z
    .object({ id: z.string(), title: z.string(), number: z.number().int(), start: z.number(), end: z.number() })
    .nullable(),
  /** What the tutor could not answer comes first, then what is asked most. */
  groups: z.array(QuestionGroup),
})
export type QuestionPlace = z.infer<typeof QuestionPlace>

/**
 * Answer of `GET /api/questions/{moduleId}`: what is open, in the order of the steps. Owners only. The newest
 * {@link QUESTIONS_GROUPED_MAX} questions are looked at; the quick prompts of the chat are none of them.
 */
export const QuestionsAnswer = Success.extend({
  places: z.array(QuestionPlace),
  /** All open questions, and how many of them were looked at. */
  open: z.number().int(),
  grouped: z.number().int(),
  /** Groups that are left out of `places`, since others matter more. */
  hiddenGroups: z.number().int(),
})
export type QuestionsAnswer = z.infer<typeof QuestionsAnswer>

/**
 * Body of `POST /api/questions/{moduleId}/settle`, which takes questions off the list, and of
 * `POST /api/questions/{moduleId}/reopen`, which brings them back. Both may be done twice.
 */
export const NamedQuestions = z.strictObject({
  ids: z.array(z.string().min(1).max(64)).min(1).max(QUESTIONS_GROUPED_MAX),
})
export type NamedQuestions = z.infer<typeof NamedQuestions>
