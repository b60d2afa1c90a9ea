import type { WhisperModel } from './models.ts'
import type { LockedFile } from './wheel-lock.ts'

export interface Progress {
  doneBytes: number
  totalBytes: number
}

export interface InstallOptions {
  /** Of this user, shared by checkouts. */
  cacheDir: string
  indexUrl: string
  hubUrl: string
  /** Runs the engine, and unpacks it. */
  pythonPath: string
  wheels: readonly LockedFile[]
  /** By name, or a folder of the user's own. */
  model: WhisperModel | string
  mayInstall: boolean
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  /** Shows a line to the person who runs Adapt. */
  say: (line: string) => void
  /** How patient downloads are; for tests that cannot wait. */
  timing?: { silenceMs: number; pauseMs: number; hubMs: number }
}

/** Says in one sentence why speech cannot be recognised with Whisper, and what helps. */
export class WhisperMissing extends Error {
  override readonly name = 'WhisperMissing'
  /** Whether it may work a minute later without anybody doing something. */
  readonly isPassing: boolean

  constructor(message: string, { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isPassing = isPassing
  }
}
