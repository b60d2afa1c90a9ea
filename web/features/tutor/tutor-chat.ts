import { createStore } from 'zustand/vanilla'
import { type ChatMessage, dropTimeMarkers, type StreamMeta, type TutorQuestion } from '#contract/tutor.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { followAnswer, getAnswer, StoppedAnswer, type TutorCalls, wait } from './get-answer.ts'
import { isRunning, type Turn, type TurnFailure } from './turn-view.tsx'

const TROUBLE: TurnFailure = { kind: 'trouble' }

/** The stored turns of a conversation. */
export function listTurns(messages: readonly ChatMessage[]): Turn[] {
  const answers = new Map(messages.filter(({ role }) => role === 'assistant').map((answer) => [answer.turnId, answer]))
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ turnId, content }) => ({ turnId, question: content, ...readAnswer(answers.get(turnId)) }))
}

function readAnswer(answer: ChatMessage | undefined): Omit<Turn, 'turnId' | 'question'> {
  if (answer === undefined) return { state: 'failed', text: '', meta: null, failure: TROUBLE }
  const { meta } = answer
  const text = dropTimeMarkers(answer.content)
  if (answer.isTyping) return { state: text === '' ? 'waiting' : 'streaming', text, meta, failure: null }
  if (answer.end === 'broken' && text === '') return { state: 'failed', text, meta, failure: TROUBLE }
  return { state: answer.end ?? 'broken', text, meta, failure: null }
}

/**
 * Merges the conversation as it is shown: a running answer of this page replaces the stored one, and a complete stored
 * answer replaces one that failed here.
 */
export function mergeTurns(storedTurns: readonly Turn[], localTurns: readonly Turn[]): Turn[] {
  const localById = new Map(localTurns.map((turn) => [turn.turnId, turn]))
  const mergedTurns = storedTurns.map((turn) => {
    const live = localById.get(turn.turnId)
    const isWhole = turn.state === 'complete' || turn.state === 'stopped'
    return live !== undefined && (isRunning(live) || !isWhole) ? live : turn
  })
  const storedIds = new Set(storedTurns.map(({ turnId }) => turnId))
  return [...mergedTurns, ...localTurns.filter(({ turnId }) => !storedIds.has(turnId))]
}

/** How long to wait where the server does not say. */
const DEFAULT_WAIT_S = 30

function nameFailure(error: unknown): TurnFailure {
  if (!(error instanceof ApiError)) return { kind: 'trouble' }
  if (error.status === 429) {
    const retryAtMs = Date.now() + (error.retryAfterS ?? DEFAULT_WAIT_S) * 1_000
    return { kind: 'limited', message: error.sentence, retryAtMs }
  }
  if (error.status === 0 && !navigator.onLine) return { kind: 'offline' }
  return { kind: 'trouble' }
}

/** By which way a question is answered: those that were spoken have their own (specification §7). */
export type AskedBy = 'keyboard' | 'voice'

/** Where in the video a question is asked. */
export type Whereabouts = Pick<TutorQuestion, 'currentStep' | 'allSteps' | 'videoTime'>

export interface TutorChatOptions {
  moduleId: string
  /** On behalf of the person who is signed in now. */
  calls: TutorCalls
  readWhereabouts: () => Whereabouts
  /** A question has reached the server: other pages can follow its answer. */
  onAsked: () => void
  /** Called when the stored conversation has changed. */
  onKept: () => void
  /** The conversation as the server has it now. */
  reload: () => Promise<readonly Turn[]>
  /** An answer that was given here has ended, somehow. */
  onAnswer: (turn: Turn) => void
}

/** Tries to take up an answer of which the server says that it is being given, before it counts as broken. */
const FOLLOW_TRIES = 3
const FOLLOW_EVERY_MS = 2_000

type Answer = Pick<Turn, 'text' | 'meta'>

/** The questions of this page and their answers as they stream in; one at a time. */
export class TutorChat {
  readonly #read: () => TutorChatOptions
  readonly store = createStore<readonly Turn[]>(() => [])
  #line: { turnId: string; over: AbortController } | null = null

  /** @param read gives the options as they are now */
  constructor(read: () => TutorChatOptions) {
    this.#read = read
  }

  get #turns(): readonly Turn[] {
    return this.store.getState()
  }

  set #turns(turns: readonly Turn[]) {
    this.store.setState(turns, true)
  }

  get isBusy(): boolean {
    return this.#line !== null
  }

  ask(question: string, by: AskedBy, turnId: string = crypto.randomUUID()): void {
    if (this.isBusy) return
    const turn = begin(turnId, question)
    this.#turns = [...this.#without(turnId), turn]
    const { calls, moduleId, readWhereabouts } = this.#read()
    const context = { moduleId, turnId, ...readWhereabouts() }
    void this.#run(turn, async (signal) => {
      if (by === 'keyboard') {
        return readWhole(await getAnswer(calls, { ...context, userMessage: question }, this.#listenerOf(turn, signal)))
      }
      return calls.askSpoken({ moduleId, question, videoTime: context.videoTime, turnId }, signal)
    })
  }

  /** Asks again what was not answered, as the same question: the server asks no model twice for one. */
  retry({ turnId, question }: Turn): void {
    this.ask(question, 'keyboard', turnId)
  }

  /** Follows an answer that another page requested, or this one before it was reloaded. */
  follow({ turnId, question, text }: Turn): void {
    if (this.isBusy) return
    const turn: Turn = { ...begin(turnId, question), text, state: text === '' ? 'waiting' : 'streaming' }
    this.#turns = [...this.#without(turnId), turn]
    void this.#run(turn, (signal) => this.#followOrReload(turn, signal))
  }

  /** Ends the answer, here and where it is being written. */
  stop(): void {
    const turnId = this.#line?.turnId
    if (turnId === undefined) return
    this.#hangUp()
    this.#change(turnId, { state: 'stopped' })
    this.#notifyAnswer(turnId)
    const { calls, onKept } = this.#read()
    // Should this call fail, the server ends the answer by itself, because no client reads it any more.
    calls.stop(turnId).then(onKept, onKept)
  }

  forget(): void {
    this.#hangUp()
    this.#turns = []
  }

  /** Closes the streams; the server writes on for a while, in case the learner comes back. */
  readonly close = (): void => {
    this.#hangUp()
    this.#turns = this.#turns.filter((turn) => !isRunning(turn))
  }

  #hangUp(): void {
    this.#line?.over.abort()
    this.#line = null
  }

  async #run({ turnId }: Turn, answer: (signal: AbortSignal) => Promise<Answer>): Promise<void> {
    const over = new AbortController()
    this.#line = { turnId, over }
    const end = await answer(over.signal).then(
      ({ text, meta }): Partial<Turn> => ({ text: dropTimeMarkers(text), meta, state: 'complete' }),
      (error): Partial<Turn> => this.#nameEnd(turnId, error),
    )
    if (over.signal.aborted) return
    this.#line = null
    this.#change(turnId, end)
    this.#notifyAnswer(turnId)
    if (end.failure === undefined) this.#read().onKept()
  }

  #notifyAnswer(turnId: string): void {
    const turn = this.#turns.find((other) => other.turnId === turnId)
    if (turn !== undefined) this.#read().onAnswer(turn)
  }

  async #followOrReload(turn: Turn, signal: AbortSignal): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return readWhole(await followAnswer(this.#read().calls, turn.turnId, this.#listenerOf(turn, signal)))
      } catch (error) {
        if (signal.aborted) throw error
        const storedTurn = (await this.#read().reload()).find(({ turnId }) => turnId === turn.turnId)
        if (storedTurn?.state === 'complete') return storedTurn
        // What the server has of it holds.
        if (storedTurn !== undefined && !isRunning(storedTurn)) this.#turns = this.#without(turn.turnId)
        if (storedTurn === undefined || !isRunning(storedTurn)) throw error
        if (tries === FOLLOW_TRIES || (error instanceof ApiError && error.status === 401)) throw error
        await wait(FOLLOW_EVERY_MS)
      }
    }
  }

  #listenerOf({ turnId }: Turn, signal: AbortSignal) {
    return {
      signal,
      onOpen: () => this.#read().onAsked(),
      onText: (received: string) => {
        const text = dropTimeMarkers(received)
        const currentText = this.#turns.find((turn) => turn.turnId === turnId)?.text ?? ''
        // A resumed stream starts from its first piece; the text that is shown already stays.
        if (!currentText.startsWith(text)) this.#change(turnId, { text, state: 'streaming' })
      },
    }
  }

  #nameEnd(turnId: string, error: unknown): Partial<Turn> {
    if (error instanceof StoppedAnswer) return { state: 'stopped' }
    const hasPart = this.#turns.find((turn) => turn.turnId === turnId)?.text !== ''
    return { state: hasPart ? 'broken' : 'failed', failure: nameFailure(error) }
  }

  #without(turnId: string): readonly Turn[] {
    return this.#turns.filter((turn) => turn.turnId !== turnId)
  }

  #change(turnId: string, change: Partial<Turn>): void {
    this.#turns = this.#turns.map((turn) => (turn.turnId === turnId ? { ...turn, ...change } : turn))
  }
}

function begin(turnId: string, question: string): Turn {
  return { turnId, question, state: 'waiting', text: '', meta: null, failure: null }
}

function readWhole({ answer, ms: _ms, ...meta }: StreamMeta): Answer {
  return { text: answer, meta }
}
