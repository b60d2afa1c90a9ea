import { vi } from 'vitest'

/** A microphone and the browser's recorder, for jsdom, which has neither. */
export class FakeMicrophone {
  static isTypeSupported = (type: string) => type.startsWith('audio/webm')
  static readonly all: FakeMicrophone[] = []
  static sizeBytes = 4
  readonly mimeType: string
  state: RecordingState = 'inactive'
  ondataavailable: ((event: { data: Blob }) => void) | null = null
  onstop: (() => void) | null = null

  constructor(_stream: unknown, { mimeType = '' }: { mimeType?: string }) {
    this.mimeType = mimeType
    FakeMicrophone.all.push(this)
  }

  start(): void {
    this.state = 'recording'
  }

  stop(): void {
    this.state = 'inactive'
    this.ondataavailable?.({ data: new Blob(['x'.repeat(FakeMicrophone.sizeBytes)]) })
    this.onstop?.()
  }
}

/** @returns stops what the microphone is used for */
export function seedMicrophone(refusal?: string) {
  const stopTrack = vi.fn()
  FakeMicrophone.all.length = 0
  FakeMicrophone.sizeBytes = 4
  vi.stubGlobal('MediaRecorder', FakeMicrophone)
  const getUserMedia = vi.fn(async () => {
    if (refusal !== undefined) throw new DOMException('no', refusal)
    return { getTracks: () => [{ stop: stopTrack }] }
  })
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  return { stopTrack }
}

export function removeMicrophone(): void {
  Reflect.deleteProperty(navigator, 'mediaDevices')
}
