import { z } from 'zod'
import { LearnerToken } from '../learning.ts'
import { QUESTION_MAX_CHARS, QUESTIONS_GROUPED_MAX, TRAINER_ANSWER_MAX_CHARS, VIDEO_MAX_S } from '../limits.ts'
import { Success } from '../problem.ts'
import { AnswerTranslation } from '../share.ts'
import { StepId } from '../step.ts'
import { TurnId } from '../tutor.ts'

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
  /** How many different people asked the trainer, besides the tutor. */
  askedTrainer: z.number().int(),
  /** One device without an account asked all of them: only such can be ignored. */
  isOfOneDevice: z.boolean(),
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

/** An answer of the trainer, which the tutor gives to everybody who asks the same. */
export const TrainerAnswer = z.object({
  id: z.string(),
  question: z.string(),
  text: z.string(),
  /** The step that it points at; null for none, and where that is gone. */
  step: z.object({ id: z.string(), title: z.string(), start: z.number() }).nullable(),
  /** Seconds: the moment that the trainer chose, or else where its step begins; null for none. */
  start: z.number().nullable().default(null),
  /** ISO 8601, UTC. */
  answeredAt: z.string(),
  /** Its steps have changed since it was given, or was confirmed. */
  isEarlier: z.boolean(),
  /** Null for what the trainer wrote. */
  translation: AnswerTranslation.nullable().default(null),
})
export type TrainerAnswer = z.infer<typeof TrainerAnswer>

/** The same for owners. */
export const OwnAnswer = TrainerAnswer.extend({
  /** Whether it stands in print and in exports. */
  inPrint: z.boolean(),
  /** Seconds: the moment that was chosen, also where its steps have changed since; null for none. */
  moment: z.number().nullable().default(null),
})
export type OwnAnswer = z.infer<typeof OwnAnswer>

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
  /** What the trainer has answered: what was given for an earlier version first, then the newest. */
  answers: z.array(OwnAnswer),
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

const answerText = z.string().trim().min(1).max(TRAINER_ANSWER_MAX_CHARS)
/** Where the video shows it: a step, or a moment in seconds, which is of the step around it. */
const AnswerPlace = z.object({ stepId: StepId.nullish(), moment: z.number().min(0).max(VIDEO_MAX_S).nullish() })

/**
 * Body of `POST /api/questions/{moduleId}/answers`: answers questions, which settles them. The question is the wording
 * under which it is kept.
 */
export const NewAnswer = NamedQuestions.extend({
  question: z.string().trim().min(1).max(QUESTION_MAX_CHARS),
  ...AnswerPlace.shape,
  text: answerText,
  inPrint: z.boolean().default(false),
})
export type NewAnswer = z.infer<typeof NewAnswer>

/**
 * Body of `PATCH /api/questions/{moduleId}/answers/{answerId}`. Each change confirms it for the steps as they are. A
 * step without a moment takes the place of a moment.
 */
export const AnswerPatch = z.strictObject({ ...AnswerPlace.shape, text: answerText, inPrint: z.boolean() }).partial()
export type AnswerPatch = z.infer<typeof AnswerPatch>

/** Body of `POST /api/asked/{moduleId}`: asks the trainer what the tutor had no answer to. An act of its own. */
export const AskTrainer = z.strictObject({
  question: z.string().trim().min(1).max(QUESTION_MAX_CHARS),
  /** Of the answer that did not help; a repeated call changes nothing. */
  turnId: TurnId,
  videoTime: z.number().min(0).max(VIDEO_MAX_S).nullish(),
  stepId: z.string().max(64).nullish(),
  /** Who asks, where no sign-in says it; without either, the asker is new. */
  learner: LearnerToken.optional(),
})
export type AskTrainer = z.infer<typeof AskTrainer>

/** Answer of `POST /api/asked/{moduleId}`. */
export const AskTrainerAnswer = Success.extend({
  /** What this device is known by, for the next call; null for an account. */
  learner: LearnerToken.nullable(),
})
export type AskTrainerAnswer = z.infer<typeof AskTrainerAnswer>

/** What somebody asked the trainer. */
export const AskedQuestion = z.object({
  question: z.string(),
  /** ISO 8601, UTC. */
  askedAt: z.string(),
  /** Null while there is none. */
  answer: TrainerAnswer.nullable(),
})
export type AskedQuestion = z.infer<typeof AskedQuestion>

/** Answer of `GET /api/asked/{moduleId}?learner=`: own questions to the trainer, the newest first. */
export const AskedAnswer = Success.extend({ asked: z.array(AskedQuestion) })
export type AskedAnswer = z.infer<typeof AskedAnswer>

/** A question in the digest of a week: of all the trainings of a caller's list. */
export const DigestQuestion = z.object({
  moduleId: z.string(),
  /** Of the training. */
  title: z.string(),
  text: z.string(),
  /** How many different people asked it. */
  people: z.number().int(),
  /** It has an answer of the trainer. */
  isAnswered: z.boolean(),
})
export type DigestQuestion = z.infer<typeof DigestQuestion>

/**
 * Answer of `GET /api/questions`: what was asked in the last seven days that no video covers, those without an answer
 * first, then by the number of people.
 */
export const DigestAnswer = Success.extend({ questions: z.array(DigestQuestion) })
export type DigestAnswer = z.infer<typeof DigestAnswer>
