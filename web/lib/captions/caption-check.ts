import { createStore } from 'zustand/vanilla'
import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import { CaptionsAnswer, type CaptionsQuery } from '#contract/transcript.ts'
import * as m from '#messages'
import type { CallApi } from '../api.ts'
import { captionTypeOf } from '../files.ts'

/** Two megabytes over a slow phone connection take longer than the usual ten seconds. */
export const CAPTIONS_TIMEOUT_MS = 60_000

/** A caption file, and what is known of the video that it is for. */
export interface CaptionSource {
  file: File
  /** Null before there is one. */
  moduleId: string | null
  /** Where there is no module yet that knows it. */
  durationMs: number | null
}

/** What has become of a caption file that a person picked. */
export interface CaptionCheckState extends CaptionSource {
  choices: CaptionsQuery
  /** As the file was read last; null before. */
  report: CaptionsAnswer | null
  /** What the likely encodings make of it; they stay when a person chooses one. */
  readings: CaptionsAnswer['readings']
  /** Why it could not be read. */
  error: Error | null
  isReading: boolean
  /** Whether it can be used: nothing was to be looked at, or a person has looked at it. */
  isAccepted: boolean
}

/** Where a caption file goes. @param moduleId null for one that is only read */
export function captionsPath(
  moduleId: string | null,
  choices: CaptionsQuery,
  durationMs: number | null = null,
): string {
  const query = new URLSearchParams(choices)
  if (moduleId === null && durationMs !== null && durationMs >= 1)
    query.set('durationMs', String(Math.round(durationMs)))
  const path = moduleId === null ? '/api/captions' : `/api/captions/${encodeURIComponent(moduleId)}`
  return query.size === 0 ? path : `${path}?${query}`
}

/** A caption file as it is sent. @throws {Error} for what is none, or is too large */
export function captionBody(file: File): { content: File; contentType: string } {
  const contentType = captionTypeOf(file)
  if (contentType === null) throw new Error(m.choose_a_caption_file())
  if (file.size > CAPTIONS_MAX_BYTES) throw new Error(m.the_caption_file_is_larger())
  return { content: file, contentType }
}

const NOT_READ: Pick<CaptionCheckState, 'report' | 'readings'> = { report: null, readings: [] }

/** Encodings that cannot be mistaken for another. */
const CERTAIN_ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'utf-16le', 'utf-16be'])

/** Whether a person should look at a caption file before it is used. */
export function needsLook(report: CaptionsAnswer): boolean {
  const { encoding, alternatives, repairCount, languages, spoken, shift, doubt } = report
  const isInOne = languages.length < 2 && spoken === null
  const isPlain = CERTAIN_ENCODINGS.has(encoding) && alternatives.length === 0 && isInOne
  return !isPlain || repairCount > 0 || shift !== null || doubt !== null
}

/** All that a person is shown of a report; the same again needs no second look. */
function findingsOf({ encoding, repairCount, language, spoken, shift, doubt }: CaptionsAnswer): string {
  return JSON.stringify({ encoding, repairCount, language, spoken, shift, doubt })
}

/** Reads a caption file before it is used, and has a person look at what was repaired, left out or doubted. */
export class CaptionCheck {
  private readonly store = createStore<CaptionCheckState | null>(() => null)
  private readonly callApi: CallApi
  /** Called once a file can be used. */
  private readonly onAccepted: (check: CaptionCheckState) => void
  private reading: AbortController | null = null
  /** What a person has accepted of the file. */
  private seen: string | null = null

  constructor(callApi: CallApi, onAccepted: (check: CaptionCheckState) => void) {
    this.callApi = callApi
    this.onAccepted = onAccepted
  }

  readonly getState = this.store.getState
  readonly subscribe = this.store.subscribe

  /** Reads a file; the same one with what is now known of its video keeps what a person chose. */
  open(source: CaptionSource): Promise<void> {
    const now = this.getState()
    const isSame = now?.file === source.file
    if (!isSame) this.seen = null
    return this.read(source, isSame ? now.choices : {})
  }

  /** Reads the file in another way. */
  async choose(choices: CaptionsQuery): Promise<void> {
    const now = this.getState()
    if (now !== null) await this.read(now, { ...now.choices, ...choices })
  }

  /** Reads the file once more, after a failure. */
  async retry(): Promise<void> {
    await this.choose({})
  }

  /** Uses the file as it is shown. */
  accept(): void {
    const now = this.getState()
    if (now === null || now.report === null || now.isReading) return
    this.seen = findingsOf(now.report)
    const accepted = { ...now, isAccepted: true }
    this.store.setState(accepted, true)
    this.onAccepted(accepted)
  }

  close(): void {
    this.reading?.abort()
    this.store.setState(null, true)
  }

  private async read({ file, moduleId, durationMs }: CaptionSource, choices: CaptionsQuery): Promise<void> {
    this.reading?.abort()
    const reading = new AbortController()
    this.reading = reading
    const before = this.getState()
    const { report, readings } = before?.file === file ? before : NOT_READ
    const source = { file, moduleId, durationMs, choices }
    const state = { ...source, report, readings, error: null, isReading: true, isAccepted: false }
    this.store.setState(state, true)
    try {
      const answer = await this.send(state, reading.signal)
      if (this.reading !== reading || reading.signal.aborted) return
      const newReadings = answer.readings.length > 0 ? answer.readings : readings
      this.store.setState({ ...state, report: answer, readings: newReadings, isReading: false }, true)
      // What a person is looking at is never used under their hands.
      const isOpenToLook = report !== null && before?.isAccepted !== true
      if (!isOpenToLook && (!needsLook(answer) || findingsOf(answer) === this.seen)) this.accept()
    } catch (error) {
      if (reading.signal.aborted) return
      // not-shown: something else was thrown than an error.
      const shown = error instanceof Error ? error : new Error(String(error))
      this.store.setState({ ...state, error: shown, isReading: false }, true)
    }
  }

  private async send({ file, moduleId, durationMs, choices }: CaptionCheckState, signal: AbortSignal) {
    return this.callApi({
      path: captionsPath(moduleId, choices, durationMs),
      method: 'POST',
      file: captionBody(file),
      schema: CaptionsAnswer,
      timeoutMs: CAPTIONS_TIMEOUT_MS,
      signal,
    })
  }
}
