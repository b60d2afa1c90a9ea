import { ANSWER_UNWATCHED_MS } from '#contract/limits.ts'
import { faultOf } from '#worker/core/errors.ts'
import type { AnsweredTurn, AnswerListener } from '#worker/domain/tutor/answer-turn.ts'
import { writeEnd, writePiece } from '#worker/domain/tutor/ask-tutor.ts'
import type { Halt } from '#worker/domain/tutor/publish-answer.ts'
import { logLine } from '#worker/log/log.ts'

type Listener = ReadableByteStreamController

/** Gives an answer piece by piece to a listener. @returns how it ended */
export type Answer = (listener: AnswerListener) => Promise<AnsweredTurn>

/** One running answer, with its text so far and all its listeners. */
export class RunningAnswer {
  /** Null: its runner died. */
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

  /** Streams the answer from its first piece on. */
  listen(): ReadableStream<Uint8Array> {
    let own: Listener
    return new ReadableStream({
      type: 'bytes',
      start: (controller) => {
        own = controller
        this.listeners.add(own)
        this.noticeSilence()
        const textSoFar = this.pieces.map(writePiece).join('')
        if (textSoFar !== '') this.send(own, textSoFar)
        if (this.end !== null) this.finish(own, this.end)
      },
      cancel: () => this.leave(own),
    })
  }

  /** Waits for the end of the answer. At the deadline the answer ends with its text so far. */
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
    const listener = { publish: async (piece: string) => this.publish(piece), untilHalted: () => this.halted.promise }
    const answered = await answer(listener).catch(async (error: unknown) => {
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

  private publish(piece: string): void {
    if (piece !== '') this.pieces.push(piece)
    const line = writePiece(piece)
    for (const each of this.listeners) this.send(each, line)
  }

  /** A listener that has disconnected must not keep the answer from the others. */
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
