import type { Recogniser } from '../voice/recogniser-input.ts'

type Said = [text: string, isFinal: boolean]

/** A browser's speech recognition that recognises the phrases of a test. */
export class FakeRecogniser implements Recogniser {
  static readonly all: FakeRecogniser[] = []
  lang = ''
  continuous = false
  interimResults = false
  onresult: Recogniser['onresult'] = null
  onerror: Recogniser['onerror'] = null
  onend: Recogniser['onend'] = null
  isRunning = false
  /** Safari does not always say that it has stopped. */
  endsWhenStopped = true
  #said: Said[] = []

  constructor() {
    FakeRecogniser.all.push(this)
  }

  static get last(): FakeRecogniser {
    const last = FakeRecogniser.all.at(-1)
    if (last === undefined) throw new Error('nothing listens')
    return last
  }

  start(): void {
    this.isRunning = true
  }

  stop(): void {
    if (this.endsWhenStopped) this.end()
  }

  abort(): void {
    this.isRunning = false
  }

  end(): void {
    this.isRunning = false
    this.onend?.()
  }

  fail(error: string): void {
    this.onerror?.({ error })
    this.end()
  }

  /** All results of this recogniser up to now, as browsers send them. */
  recognise(...said: Said[]): void {
    this.#said = said
    this.onresult?.({ results: this.#said.map(([transcript, isFinal]) => ({ isFinal, 0: { transcript } })) })
  }
}
