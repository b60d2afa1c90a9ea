import { nanoid } from 'nanoid'
import { ANSWER_DEADLINE_MS } from '#contract/limits.ts'
import { type ModuleRole, seesDraft } from '#contract/module.ts'
import type { AnswerEnd, AnswerMeta, EarlierTurn } from '#contract/tutor.ts'
import type { Context, ServedContext } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { IsolateCache } from '#worker/core/isolate-cache.ts'
import { listAnswers } from '#worker/domain/answer/answer-store.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { payForAnswer } from '#worker/domain/quota/spend-ai.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { readBlocks } from '#worker/domain/screen/read-blocks.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { keepSpoken } from '#worker/domain/transcript/sound-marks.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { type LearnerView, openLearnerView, toCaption } from '#worker/domain/version/learner-view.ts'
import { listVisibleRows, listVisibleSegments, listVisibleStepRows } from '#worker/domain/visible-rows.ts'
import { logLine } from '#worker/log/log.ts'
import { ANSWER_MAX_TOKENS, type TutorTask } from '#worker/ports/language-model.ts'
import { makeScreen } from './answer-screen.ts'
import { makeNotes, openIndex, type ShownSegment, type TutorIndex } from './open-index.ts'
import {
  type AnswerPlan,
  findStepAt,
  type PublishedAnswer,
  planAnswer,
  presentMeta,
  publishWhole,
} from './plan-answer.ts'
import { answerPrompt } from './prompts/answer-question.v4.ts'
import { judgePrompt } from './prompts/judge-sentences.v1.ts'
import { type Halt, type PublishOptions, publishModelAnswer } from './publish-answer.ts'
import { findAnswer, listInLanguageOf, planTrainerAnswer } from './trainer-answers.ts'
import { endTurn, insertTurn, type NewTurn, readStanding, type TurnRow, takeLinkAnswer } from './turn-store.ts'

/** A question of one person about one module. Plain data: it crosses from one invocation to another. */
export interface Turn extends Omit<NewTurn, 'id' | 'createdAt'> {
  askedAtMs: number
  index: IndexOf
  /**
   * Of a question by the link: answers a day that a model may write for such. Nothing of the question is kept. Null for a
   * person who is signed in.
   */
  linkAnswersPerDay: number | null
  /** Of a question by the link: the turns before it, oldest first, as the page sends them. */
  earlier?: readonly EarlierTurn[] | undefined
  /** Of the request that asks, for the log. */
  requestId?: string | undefined
}

/** An answer that has come to an end. */
export interface AnsweredTurn {
  text: string
  meta: AnswerMeta
  end: AnswerEnd
  /** From the question to the end. */
  ms: number
}

/** Passes an answer on, piece by piece. Its calls reject once the connection is lost. */
export interface AnswerListener {
  /** An empty piece is a heartbeat. */
  publish(piece: string): Promise<void>
  /** Settles when the answer is not to go on. Null: it has ended, and there is nothing to wait for any more. */
  untilHalted(): Promise<Halt | null>
}

/** A lost connection is noticed only when something is sent through it, by the second heartbeat at the latest. */
const HEARTBEAT_MS = 2_000
/** A model that does not end its answer is cut off after this time. */
const LONGEST_ANSWER_MS = 60_000

/**
 * Answers a question and stores both. For a turn that was asked before, no model is called: its stored answer is sent
 * once more. Where that is empty, broken off or without a known end, the answer quotes the speaker instead.
 */
export async function answerTurn(context: ServedContext, turn: Turn, listener: AnswerListener): Promise<AnsweredTurn> {
  const day = dayOf(turn.askedAtMs)
  const [index, standing, answers] = await Promise.all([
    loadIndex(context, turn.index),
    readStanding(context.db, turn, day),
    listAnswers(context.db, turn.moduleId),
  ])
  const { stored } = standing
  if (stored !== null && wasSaid(stored)) return replayAnswer(stored, listener)
  const earlier = turn.earlier ?? standing.earlier
  const query = { question: turn.question, timeMs: turn.videoTimeMs, stepId: turn.stepId, earlier }
  const step = findStepAt(index.steps, query)
  const stepId = step?.id ?? null
  const translated = await listInLanguageOf(context.db, { turn, answers, language: index.language })
  const answer = findAnswer(answers, { question: turn.question, stepId }, translated)
  const plan = answer === null ? planAnswer(index, query) : await planTrainerAnswer(index, answer, turn.question)
  const { moduleId } = turn
  const ask = (segments: readonly ShownSegment[]): TutorTask => {
    return { moduleId, messages: answerPrompt(index, segments, { ...query, step }) }
  }
  const asking = await chooseModel(context, { turn, plan, day, standing, ask })
  const row: NewTurn = { ...turn, id: nanoid(), stepId, createdAt: turn.askedAtMs }
  // Idempotent, so that a lost connection can be retried at once, and while the model thinks.
  const keep = () => insertTurn(context.d1, row, asking === null ? null : day)
  const isKept = turn.linkAnswersPerDay === null ? keep().catch(keep) : Promise.resolve()
  // Its failure is handled in `keepAnswer`; this only prevents an unhandled rejection before that.
  isKept.catch(() => undefined)
  const following = follow(listener)
  try {
    const published = await publishAnswer(plan, {
      asking,
      askJudge: (sentences) => ({ moduleId, messages: judgePrompt(sentences) }),
      leftMs: () => turn.askedAtMs + ANSWER_DEADLINE_MS - SEND_MS - context.nowMs(),
      ...following,
    })
    // The answer is stored only after the learner has all of it.
    await following.untilPassedOn()
    return await keepAnswer(context, turn, { ...published, isKept })
  } finally {
    following.end()
  }
}

/** Reserved so that a sentence that is judged last can still be sent before the request's deadline. */
const SEND_MS = 500

/** Sends the answer of a plan: the model's, or the prepared one where no model is asked. */
export async function publishAnswer(
  { question, whole, by, shown }: AnswerPlan,
  { asking, ...options }: Omit<PublishOptions, keyof Asking | 'by' | 'question'> & { asking: Asking | null },
): Promise<PublishedAnswer> {
  if (asking === null || shown === null) return publishWhole(whole, by, options.publish)
  return publishModelAnswer(whole, shown, { ...options, ...asking, question, by })
}

/** A model and the task that it is given. */
type Asking = Pick<PublishOptions, 'model' | 'task'>

interface MayAsk {
  turn: Turn
  plan: AnswerPlan
  day: string
  standing: Awaited<ReturnType<typeof readStanding>>
  ask: (segments: readonly ShownSegment[]) => TutorTask
}

/** A model that is paid for this answer; null where none is there, or none may be asked. */
async function chooseModel(context: ServedContext, { turn, plan, day, standing, ask }: MayAsk): Promise<Asking | null> {
  const { moduleId, linkAnswersPerDay } = turn
  const { tutorModel } = context.services
  const { stored, modelAnswers, linkAnswers } = standing
  if (stored !== null || modelAnswers >= context.modelAnswersPerDay) return null
  if (tutorModel === null || plan.shown === null) return null
  // With a share link, a model is asked only where the transcript itself has no answer.
  if (linkAnswersPerDay !== null && (plan.whole.isCovered || linkAnswers >= linkAnswersPerDay)) return null
  const isOver =
    linkAnswersPerDay !== null && !(await takeLinkAnswer(context.d1, { moduleId, day, atMost: linkAnswersPerDay }))
  if (isOver) return null
  const task = ask(plan.shown)
  const model = await payForAnswer(context, { ...task, maxTokens: ANSWER_MAX_TOKENS }, tutorModel)
  return model && { model, task }
}

/** A stopped answer counts as given, because its learner wanted no more of it; an empty one does not. */
function wasSaid({ end, answer }: TurnRow): boolean {
  return end === 'complete' || (end === 'stopped' && answer !== '')
}

/** Passes pieces on, and notices when that is not wanted or not possible any more. */
function follow(listener: AnswerListener) {
  const halt = new AbortController()
  const lose = () => halt.abort('lost' satisfies Halt)
  let passedOn = Promise.resolve()
  const publish = (piece: string) => {
    passedOn = listener.publish(piece).catch(lose)
  }
  const timer = setTimeout(lose, LONGEST_ANSWER_MS)
  const signs = setInterval(() => publish(''), HEARTBEAT_MS)
  listener.untilHalted().then((why) => (why === null ? undefined : halt.abort(why)), lose)
  return {
    halt: halt.signal,
    publish,
    /** Settles when the last piece has been passed on. */
    untilPassedOn: () => passedOn,
    end: () => {
      clearTimeout(timer)
      clearInterval(signs)
    },
  }
}

async function replayAnswer(row: TurnRow, listener: AnswerListener): Promise<AnsweredTurn> {
  const meta = row.meta ?? { turnId: row.turnId, isCovered: false, citations: [], step: null }
  if (row.answer !== '') await listener.publish(row.answer)
  return { text: row.answer, meta, end: row.end ?? 'broken', ms: (row.endedAt ?? row.createdAt) - row.createdAt }
}

async function keepAnswer(
  { d1, nowMs }: Context,
  turn: Turn,
  { answer, end, by, isKept }: PublishedAnswer & { isKept: Promise<void> },
): Promise<AnsweredTurn> {
  const { moduleId } = turn
  const endedAt = nowMs()
  const meta = presentMeta(turn.turnId, answer)
  const keep = () => endTurn(d1, turn, { answer: answer.text, end, meta, answeredBy: by, endedAt })
  try {
    await isKept
    if (turn.linkAnswersPerDay === null) await keep().catch(keep)
  } catch (error) {
    // The learner has the answer; the sweep marks the turn as broken, and asking once more answers it once more.
    logLine('warn', 'tutor_answer_not_kept', { moduleId, ...faultOf(error) })
  }
  const ms = endedAt - turn.askedAtMs
  logLine('info', 'tutor_answer', { moduleId, model: by, end, isCovered: answer.isCovered, durationMs: ms })
  return { text: answer.text, meta, end, ms }
}

/** Which state of a module an index was made from, and for whom. */
export interface IndexOf {
  moduleId: string
  version: string
  /** Those who change the steps read all notes; everyone else those that may be quoted. */
  role: 'owner' | 'viewer'
}

/** An index of three hours of speech has some 10 MB, and an isolate 128 in all. */
const MAX_KEPT_WORDS = 150_000

/** The index of a module for each role, which sees other notes. */
type Indexes = Record<IndexOf['role'], TutorIndex>

const indexes = new IsolateCache<Indexes>({
  maxWeight: MAX_KEPT_WORDS,
  // Learners of a published version have an index of their own.
  weigh: ({ owner, viewer }) => countWords(owner) + (viewer.tokens === owner.tokens ? 0 : countWords(viewer)),
})

/**
 * A transcript that grows has more segments; every other change of steps or transcript has a new version of the steps.
 * A title changes by itself, as do the language that an owner names and what is read from the screen.
 */
export function indexOf(module: ModuleRow, role: ModuleRole): IndexOf {
  const { id: moduleId, run, transcriptKey, segmentCount, stepsVersion, screenKey, title, language } = module
  const { publishedVersion } = module
  const version = [run, transcriptKey, segmentCount, stepsVersion, screenKey, title, language, publishedVersion]
  return { moduleId, role: seesDraft(role) ? 'owner' : 'viewer', version: version.join('/') }
}

/** What the tutor knows of a module; kept in memory for the next question. */
export async function loadIndex(context: Pick<Context, 'db' | 'bucket' | 'nowMs'>, of: IndexOf): Promise<TutorIndex> {
  const load = () => formIndexes(context, of.moduleId)
  return (await indexes.load(of.moduleId, context.nowMs(), load, of.version))[of.role]
}

async function formIndexes(context: Pick<Context, 'db' | 'bucket'>, moduleId: string): Promise<Indexes> {
  const module = await findModule(context.db, moduleId)
  const [transcript, blocks] = await Promise.all([
    module === null ? null : readTranscript(context, module),
    module === null ? [] : readBlocks(context, module),
  ])
  const cuts = module?.cuts ?? []
  const steps = listVisibleStepRows(await listSteps(context.db, moduleId), cuts)
  const segments = keepSpoken(listVisibleSegments(transcript?.segments ?? [], cuts))
  // Sections are transcribed in their order, so all that comes before the last one is known.
  const isGrowing = module?.status === 'PROCESSING' && module.captionsKey === null
  const owner = openIndex({
    title: module?.title ?? '',
    language: module?.language ?? null,
    knownUntil: isGrowing ? (segments.at(-1)?.endMs ?? 0) / 1_000 : null,
    segments: segments.map(({ id, startMs, endMs, text }) => ({ id, startMs, endMs, text })),
    steps: steps.map(({ id, title, description, startMs, endMs, aliases }) => {
      return { id, title, description, aliases, start: startMs / 1_000, end: endMs / 1_000 }
    }),
    notes: makeNotes(steps),
    screen: makeScreen(listVisibleRows(blocks, cuts)),
  })
  const view = module === null ? null : await openLearnerView(context, module)
  const viewer = view?.version == null ? owner : await openPublishedIndex(view)
  return { owner, viewer: { ...viewer, notes: viewer.notes.filter(({ isQuotable }) => isQuotable) } }
}

/** What the tutor knows of a published version. */
async function openPublishedIndex(view: LearnerView): Promise<TutorIndex> {
  const [steps, notes, { segments }, blocks] = await Promise.all([
    view.readSteps(),
    view.readNotes(),
    view.readTranscript(),
    view.readScreen(),
  ])
  const noted = new Map(notes.map(({ stepId, text }) => [stepId, text]))
  const withNotes = steps.map(({ id, start }) => {
    return { id, startMs: Math.round(start * 1_000), notes: noted.get(id) ?? '', notesQuotable: true }
  })
  return openIndex({
    title: view.module.title,
    language: view.module.language,
    segments: keepSpoken(segments.map(toCaption)).map(({ id, startMs, endMs, text }) => ({ id, startMs, endMs, text })),
    steps: steps.map(({ id, title, description, start, end, aliases }) => {
      return { id, title, description, aliases, start, end }
    }),
    notes: makeNotes(withNotes),
    screen: makeScreen(blocks),
  })
}

function countWords({ tokens, notes, screen }: TutorIndex): number {
  const kept = [...(screen?.stems ?? []), ...(screen?.rows.map(({ words }) => words) ?? [])]
  const shown = kept.reduce((sum, stems) => sum + stems.size, 0)
  return notes.reduce((sum, { index }) => sum + index.tokens.length, tokens.length + shown)
}
