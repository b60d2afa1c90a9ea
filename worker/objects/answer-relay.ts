import type { AnsweredTurn, AnswerListener, Turn } from '#worker/domain/tutor/answer-turn.ts'
import type { TurnKey } from '#worker/domain/tutor/turn-store.ts'
import { RunningAnswer } from './running-answer.ts'

/** Answers a question in an invocation of its own. */
export interface TutorRunner {
  answer(turn: Turn, listener: AnswerListener): Promise<AnsweredTurn>
}

/** Text so far of an answer that is being given. */
export type RunningText = Pick<TurnKey, 'turnId'> & { text: string }

/** The running answers about one module: each is asked for once, and streamed to every client that wants it. */
export class AnswerRelay {
  private readonly running = new Map<string, RunningAnswer>()
  private readonly runner: () => TutorRunner

  private readonly keepBroken: (turn: TurnKey, text: string) => Promise<void>

  constructor(deps: { runner: () => TutorRunner; keepBroken: (turn: TurnKey, text: string) => Promise<void> }) {
    this.runner = deps.runner
    this.keepBroken = deps.keepBroken
  }

  /** Starts the answer to a question, or finds it when it is running already. */
  ask(turn: Turn): RunningAnswer {
    const key = keyOf(turn)
    const known = this.running.get(key)
    if (known !== undefined) return known
    const answer = new RunningAnswer(
      async (listener) => {
        const { text, meta, end, ms } = await this.runner().answer(turn, listener)
        // The caller of an RPC must dispose of its result; a copy needs no disposal.
        return { text, meta, end, ms }
      },
      (text) => this.keepBroken(turn, text),
    )
    this.running.set(key, answer)
    void answer.ended.then(() => this.running.delete(key))
    return answer
  }

  find(key: TurnKey): RunningAnswer | null {
    return this.running.get(keyOf(key)) ?? null
  }

  /** Those of one person. */
  listOf(userId: string): RunningText[] {
    return [...this.running].flatMap(([key, { text }]) => {
      const [owner, turnId = ''] = JSON.parse(key) as string[]
      return owner === userId ? [{ turnId, text }] : []
    })
  }
}

function keyOf({ userId, turnId }: Pick<TurnKey, 'userId' | 'turnId'>): string {
  return JSON.stringify([userId, turnId])
}
