/** What the bench's page can be asked for, as `window.bench`. Times are of the machine's clock where they say `at`. */
export interface UploadBench {
  cut(how: { digests: boolean }): Promise<CutReport>
  /** Does nothing for so long, and measures what keeps the page's own thread from answering then. */
  idle(ms: number): Promise<ThreadReport>
  draw(order: { timesMs: number[]; maxWidthPx: number }): Promise<DrawReport>
  /** Converts the picked file; what is cut or drawn afterwards is of the result. */
  convert(): Promise<ConvertReport>
  inspect(): Promise<Record<string, unknown> & { problem: { title: string; canBeSent: boolean } | null }>
  /** Sends the picked file as the upload page does, with its audio ahead of it or without. */
  send(how: { isAudioFirst: boolean }): Promise<SendReport>
  /** Sends noise in one PUT, or as the upload page sends a file of that size. @returns how long it took, in ms */
  sendBytes(what: { sizeBytes: number; isWhole: boolean }): Promise<number>
  /** Known while the upload runs. */
  sending: { moduleId: string | null }
}

export interface ThreadReport {
  /** What kept the page's own thread from answering, in ms; nothing under 50 counts as such. */
  longTasksMs: number[]
  /** The longest that a timer due at once had to wait, in ms: also shows what is shorter than a long task. */
  longestWaitMs: number
}

export interface CutReport extends ThreadReport {
  durationMs: number
  chunks: { chunk: number; startMs: number; endMs: number; sizeBytes: number; digest: string }[]
  firstChunkMs: number
  allChunksMs: number
}

interface ConvertReport {
  sizeBytes: number
  percents: number[]
  tookMs: number
}

interface DrawReport {
  images: { timeMs: number; type: string; sizeBytes: number; width: number; height: number }[]
  tookMs: number
}

interface SendReport {
  moduleId: string
  /** When storage had the last byte. */
  storedAtMs: number
  tookMs: number
  /** How far the audio came, and when. */
  audio: { phase: string; sentChunks: number; tookMs: number } | null
}
