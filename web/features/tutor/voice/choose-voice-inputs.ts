import { findRecogniser } from './recogniser.ts'
import { RecogniserInput } from './recogniser-input.ts'
import { canRecord, RecordingInput, type Transcribe } from './recording-input.ts'
import type { OpenVoiceInput } from './voice-input.ts'

/** Android's recogniser ignores `continuous`, beeps at each start and loses speech in between. */
const LOSES_SPEECH = /Android/i

/** The ways in which this browser can listen, the best first; none where it cannot. */
export function chooseVoiceInputs(transcribe: Transcribe): OpenVoiceInput[] {
  const Maker = findRecogniser()
  const recognise: OpenVoiceInput[] = Maker === null ? [] : [(listener) => new RecogniserInput(Maker, listener)]
  const record: OpenVoiceInput[] = canRecord() ? [(listener) => new RecordingInput(transcribe, listener)] : []
  return LOSES_SPEECH.test(navigator.userAgent) ? [...record, ...recognise] : [...recognise, ...record]
}
