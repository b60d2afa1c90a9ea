import { nanoid } from 'nanoid'
import type { AnswerEnd, AnswerMeta } from '#contract/tutor.ts'
import type { Db } from '#worker/db/db.ts'
import { describeError } from '#worker/errors.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'
import { findStepAt } from './answer-extractively.ts'
import { type IndexOf, loadIndex } from './load-index.ts'
import type { TutorIndex } from './open-index.ts'
import { planAnswer } from './plan-answer.ts'
import { presentMeta } from './present-answer.ts'
import { answerPrompt } from './prompts/answer-question.v2.ts'
import type { Asked } from './rank-passages.ts'
import { type Halt, type ToldAnswer, tellAnswer } from './tell-answer.ts'
import { endTurn, findTurn, insertTurn, type TurnKey, type TurnRow } from './turn-store.ts'

/** A question of one person about one module. Plain data: it crosses from one invocation to another. */
export interface Turn extends TurnKey {
  question: string
  /** Null when the page did not tell. */
  videoTimeMs: number | null
  /** The step that the page showed; null when none, or unknown. */
  stepId: string | null
  askedAtMs: number
  index: IndexOf
}

/** An answer that has come to an end. */
export interface AnsweredTurn {
  text: string
  meta: AnswerMeta
  end: AnswerEnd
  /** From the question to the end. */
  ms: number
}

/** Who passes an answer on, piece by piece. May be gone at any time; then its calls reject. */
export interface AnswerListener {
  tell(piece: string): Promise<void>
  /** Settles when the answer is not to go on. */
  untilHalted(): Promise<Halt>
}

export interface TurnDeps {
  db: Db
  d1: D1Database
  nowMs: () => number
  model: TutorModel | null
  /** How often the model may be asked about one module on one day. */
  modelAnswersPerDay: number
}

/** Nobody reads on for longer; a model that goes on and on is cut off. */
const LONGEST_ANSWER_MS = 60_000

/**
 * Answers a question and keeps both. A turn that was asked before is not asked again: what was said then is told once
 * more, and where it broke off, or nobody knows how it ended, the speaker's own words take its place.
 */
export async function answerTurn(deps: TurnDeps, turn: Turn, listener: AnswerListener): Promise<AnsweredTurn> {
  const index = await loadIndex(deps.db, turn.index)
  const asked: Asked = { question: turn.question, timeMs: turn.videoTimeMs, stepId: turn.stepId }
  const plan = planAnswer(index, asked)
  const limit = plan.shown === null || deps.model === null ? 0 : deps.modelAnswersPerDay
  const { isNew, mayAskModel } = await insertTurn(deps.d1, toRow(turn, index, asked), {
    day: new Date(turn.askedAtMs).toISOString().slice(0, 10),
    limit,
  })
  const before = isNew ? null : await findTurn(deps.db, turn)
  if (before !== null && (before.end === 'complete' || before.end === 'stopped')) return retell(before, listener)
  const following = follow(listener)
  try {
    const told = await tellAnswer(plan, {
      model: mayAskModel ? deps.model : null,
      ask: (shown) => ({
        moduleId: turn.moduleId,
        messages: answerPrompt({ question: turn.question, steps: index.steps, segments: shown }),
      }),
      ...following,
    })
    return await keep(deps, turn, told)
  } finally {
    following.end()
  }
}

function toRow({ index: _index, askedAtMs, ...turn }: Turn, index: TutorIndex, asked: Asked) {
  return { ...turn, id: nanoid(), stepId: findStepAt(index.steps, asked)?.id ?? null, createdAt: askedAtMs }
}

/** Passes pieces on, and notices when that is not wanted or not possible any more. */
function follow(listener: AnswerListener) {
  const halt = new AbortController()
  const lose = () => halt.abort('lost' satisfies Halt)
  const timer = setTimeout(lose, LONGEST_ANSWER_MS)
  listener.untilHalted().then((why) => halt.abort(why), lose)
  return {
    halt: halt.signal,
    tell: (piece: string) => void listener.tell(piece).catch(lose),
    end: () => clearTimeout(timer),
  }
}

async function retell(row: TurnRow, listener: AnswerListener): Promise<AnsweredTurn> {
  const meta = row.meta ?? { turnId: row.turnId, isCovered: false, citations: [], step: null }
  if (row.answer !== '') await listener.tell(row.answer)
  return { text: row.answer, meta, end: row.end ?? 'broken', ms: (row.endedAt ?? row.createdAt) - row.createdAt }
}

async function keep(deps: TurnDeps, turn: Turn, { answer, end, by }: ToldAnswer): Promise<AnsweredTurn> {
  const endedAt = deps.nowMs()
  const meta = presentMeta(turn.turnId, answer)
  try {
    await endTurn(deps.d1, turn, { answer: answer.text, end, meta, answeredBy: by, endedAt })
  } catch (error) {
    // It was told; the sweep marks it as broken, and asking it again answers it again.
    console.warn({ event: 'tutor_answer_not_kept', moduleId: turn.moduleId, cause: describeError(error) })
  }
  return { text: answer.text, meta, end, ms: endedAt - turn.askedAtMs }
}
