import { RpcTarget } from 'cloudflare:workers'
import { ANSWER_UNWATCHED_MS } from '#contract/limits.ts'
import type { AnsweredTurn, AnswerListener, Halt, Turn } from '#worker/domain/tutor/answer-turn.ts'
import { writeEnd, writePiece } from '#worker/domain/tutor/ask-tutor.ts'
import type { TurnKey } from '#worker/domain/tutor/turn-store.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'

type Listener = ReadableByteStreamController

/** Gives an answer piece by piece to a listener. @returns how it ended */
export type Answer = (listener: AnswerListener) => Promise<AnsweredTurn>

/** One running answer, with its text so far and all its listeners. */
export class RunningAnswer {
  /** Null: its runner broke off. */
  readonly ended: Promise<AnsweredTurn | null>
  private readonly encoder = new TextEncoder()
  private readonly listeners = new Set<Listener>()
  private readonly pieces: string[] = []
  private readonly halted = Promise.withResolvers<Halt | null>()
  private end: string | null = null
  private unheard: ReturnType<typeof setTimeout> | null = null
  private waiting = 0

  /** @param keep stores the text so far of a runner that died and cannot store it any more */
  constructor(answer: Answer, keep: (text: string) => Promise<void>) {
    this.ended = this.run(answer, keep)
    this.noticeSilence()
  }

  /** The text so far. */
  get text(): string {
    return this.pieces.join('')
  }

  halt(why: Halt): void {
    this.halted.resolve(why)
  }

  /** The answer from its first piece on. */
  listen(): ReadableStream<Uint8Array> {
    let own: Listener
    return new ReadableStream({
      type: 'bytes',
      start: (controller) => {
        own = controller
        this.listeners.add(own)
        this.noticeSilence()
        const said = this.pieces.map(writePiece).join('')
        if (said !== '') this.send(own, said)
        if (this.end !== null) this.finish(own, this.end)
      },
      cancel: () => this.leave(own),
    })
  }

  /** Waits for the end, but not for long: then the answer has to be given with what there is. */
  async waitFor(deadlineMs: number): Promise<AnsweredTurn | null> {
    const timer = setTimeout(() => this.halt('late'), deadlineMs)
    this.waiting += 1
    this.noticeSilence()
    try {
      return await this.ended
    } finally {
      clearTimeout(timer)
      this.waiting -= 1
      this.noticeSilence()
    }
  }

  private async run(answer: Answer, keep: (text: string) => Promise<void>): Promise<AnsweredTurn | null> {
    const answered = await answer(this.openListener()).catch(async (error: unknown) => {
      logLine('warn', 'tutor_runner_lost', faultOf(error))
      await keep(this.text).catch((fault: unknown) => {
        logLine('warn', 'tutor_answer_not_kept', faultOf(fault))
      })
      return null
    })
    this.end = writeEnd(answered)
    // A call of another invocation that is never answered would keep all of this in memory.
    this.halted.resolve(null)
    if (this.unheard !== null) clearTimeout(this.unheard)
    for (const listener of this.listeners) this.finish(listener, this.end)
    return answered
  }

  private openListener(): AnswerListener {
    return new Reporter({
      publish: async (piece) => {
        if (piece !== '') this.pieces.push(piece)
        const line = writePiece(piece)
        for (const each of this.listeners) this.send(each, line)
      },
      untilHalted: () => this.halted.promise,
    })
  }

  /** One listener who is gone must not keep the answer from the others. */
  private send(listener: Listener, lines: string): void {
    try {
      listener.enqueue(this.encoder.encode(lines))
    } catch (error) {
      logLine('warn', 'tutor_listener_dropped', faultOf(error))
      this.leave(listener)
    }
  }

  private finish(listener: Listener, end: string): void {
    this.send(listener, end)
    if (!this.listeners.delete(listener)) return
    listener.close()
  }

  private leave(listener: Listener): void {
    this.listeners.delete(listener)
    this.noticeSilence()
  }

  /** Halts an answer that has had no listener for a while; a client whose connection broke has time to reconnect. */
  private noticeSilence(): void {
    if (this.unheard !== null) clearTimeout(this.unheard)
    if (this.end !== null || this.listeners.size + this.waiting > 0) return
    this.unheard = setTimeout(() => this.halt('stopped'), ANSWER_UNWATCHED_MS)
  }
}

/** What another invocation may call of an answer. */
class Reporter extends RpcTarget implements AnswerListener {
  readonly #listener: AnswerListener

  constructor(listener: AnswerListener) {
    super()
    this.#listener = listener
  }

  publish(piece: string): Promise<void> {
    return this.#listener.publish(piece)
  }

  untilHalted(): Promise<Halt | null> {
    return this.#listener.untilHalted()
  }
}

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
