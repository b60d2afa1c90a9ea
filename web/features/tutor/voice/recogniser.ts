/** The part of the browser's speech recognition that is used; TypeScript's own library does not know it. */
export interface Recogniser {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: RecogniserResult) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}

export interface RecogniserResult {
  results: ArrayLike<{ isFinal: boolean; [index: number]: { transcript: string } }>
}

export type RecogniserMaker = new () => Recogniser

/** Null where the browser has none, as in Firefox. */
export function findRecogniser(): RecogniserMaker | null {
  const scope = globalThis as { SpeechRecognition?: RecogniserMaker; webkitSpeechRecognition?: RecogniserMaker }
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition ?? null
}
