import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMediaFacts } from '#media/read-facts.ts'
import { cutAll, pickMedia } from '#media/testing/cut-all.ts'
import { normaliseWhisper } from '#worker/adapters/whisper/normalise-whisper.ts'
import { listProcesses } from '../start/processes.ts'
import { ensureTools } from '../start/tools.ts'
import { wordErrorRate } from '../testing/word-error-rate.ts'
import { judgeWords, openTestedWhisper } from './whisper/testing/tested-whisper.ts'
import type { WhisperTranscription } from './whisper/whisper-process.ts'
import type { WhisperRecogniser } from './whisper-recogniser.ts'

// Left out by vitest.config.ts where the engine is not in the cache.
const SAID = 'Open the cover of the printer. Now take out the old roll. Then press the button to close the cover.'
const NO_SPEECH_MS = 20_000
/** Loading takes seconds, on a busy machine many. */
const LOADED_WITHIN_MS = 240_000
const TRANSCRIBED_WITHIN_MS = 120_000

let dir: string
let whisper: WhisperRecogniser
let narration: Buffer
const { signal } = new AbortController()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'adapt-whisper-test-'))
  await ensureTools(['ffmpeg', 'flite'])
  const path = join(dir, 'narration.wav')
  spawnSync('flite', ['-voice', 'slt', '-t', SAID, '-o', path])
  narration = await readFile(path)
  whisper = await openTestedWhisper(dir)
}, LOADED_WITHIN_MS)

afterAll(async () => {
  await whisper.close()
  await rm(dir, { recursive: true })
})

async function transcribe(audio: Uint8Array, language: string | null = 'en') {
  return (await whisper.transcribe({ audio, language, prompt: null, signal })) as WhisperTranscription
}

function pidOfEngine(): number {
  return (
    listProcesses().find(({ parent, command }) => parent === process.pid && command.includes('transcribe.py'))?.pid ?? 0
  )
}

it(
  'transcribes words with their blanks, times, probabilities, and the marks of each segment',
  async () => {
    const { text, words, segments, language, duration } = await transcribe(narration)
    expect(wordErrorRate(SAID, text)).toBeLessThan(0.2)
    expect(language).toBe('en')
    expect(
      words
        .map(({ word }) => word)
        .join('')
        .trim(),
    ).toBe(text)
    expect(words.every(({ word }) => word.startsWith(' '))).toBe(true)
    expect(segments.flatMap((segment) => segment.words)).toEqual(words)
    for (const segment of segments) {
      expect(segment.avg_logprob).toBeLessThan(0)
      expect(segment.compression_ratio).toBeGreaterThan(0)
      expect(segment.no_speech_prob).toBeLessThan(0.6)
    }
    for (const { start, end, probability } of words) {
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(duration + 1)
      expect(probability).toBeGreaterThan(0)
    }
    expect(await readdir(dir)).toEqual(['narration.wav'])
  },
  TRANSCRIBED_WITHIN_MS,
)

it.each(['m4a', 'aac', 'ogg', 'mp3', 'webm'])(
  'decodes %s without any other program',
  async (format) => {
    const path = join(dir, `narration.${format}`)
    const codec = format === 'ogg' || format === 'webm' ? ['-c:a', 'libopus'] : []
    spawnSync('ffmpeg', ['-loglevel', 'error', '-i', join(dir, 'narration.wav'), ...codec, path])
    const audio = await readFile(path)
    await rm(path)
    expect(wordErrorRate(SAID, (await transcribe(audio)).text)).toBeLessThan(0.3)
  },
  TRANSCRIBED_WITHIN_MS,
)

it(
  'understands a voice of 8 kHz, as telephones record it, in the chunk that is cut out of a video',
  async () => {
    const path = join(dir, 'telephone.mp4')
    const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5']
    const voice = ['-i', join(dir, 'narration.wav'), '-c:a', 'aac', '-ar', '8000', '-ac', '1']
    spawnSync('ffmpeg', ['-loglevel', 'error', ...picture, ...voice, '-shortest', path])
    const open = pickMedia(await readFile(path))
    await rm(path)
    const { chunks } = await cutAll({ open, facts: await readMediaFacts(open()) })
    expect(chunks).toHaveLength(1)
    const { text } = await transcribe(chunks[0]?.bytes ?? new Uint8Array())
    expect(wordErrorRate(SAID, text)).toBeLessThan(0.3)
  },
  TRANSCRIBED_WITHIN_MS,
)

it.each([
  ['white noise', 'anoisesrc=amplitude=0.5:seed=1'],
  ['a hum', 'sine=frequency=100'],
])(
  'understands nothing in %s',
  async (_, source) => {
    const path = join(dir, 'no-speech.wav')
    const input = ['-f', 'lavfi', '-i', source, '-t', String(NO_SPEECH_MS / 1000)]
    spawnSync('ffmpeg', ['-loglevel', 'error', ...input, '-ar', '16000', path])
    const audio = await readFile(path)
    await rm(path)
    const { words } = normaliseWhisper(await transcribe(audio, null), NO_SPEECH_MS)
    expect(judgeWords(words, NO_SPEECH_MS)).not.toBe('understood')
  },
  TRANSCRIBED_WITHIN_MS,
)

it('refuses what is no audio', async () => {
  const html = new TextEncoder().encode('<html>no audio</html>')
  await expect(transcribe(html)).rejects.toMatchObject({ status: 400, cause: 'audio_unreadable' })
})

it('does not follow a playlist to other files of the machine', async () => {
  const segment = `#EXTM3U\n#EXTINF:1,\nfile://${join(dir, 'narration.wav')}\n#EXT-X-ENDLIST\n`
  await expect(transcribe(new TextEncoder().encode(segment))).rejects.toMatchObject({ cause: 'audio_unreadable' })
})

it(
  'takes a language that the model does not know for the one that it does',
  async () => {
    expect((await transcribe(narration, 'de')).language).toBe('en')
  },
  TRANSCRIBED_WITHIN_MS,
)

it(
  'is started again when it crashes, and answers what it was asked',
  async () => {
    const waiting = transcribe(narration)
    const killed = pidOfEngine()
    process.kill(killed, 'SIGKILL')
    expect(wordErrorRate(SAID, (await waiting).text)).toBeLessThan(0.2)
    expect(pidOfEngine()).not.toBe(killed)
  },
  LOADED_WITHIN_MS,
)

it(
  'transcribes on an old processor, without vector instructions',
  async () => {
    const old = await openTestedWhisper(dir, { CT2_FORCE_CPU_ISA: 'GENERIC' })
    try {
      const { text } = await old.transcribe({ audio: narration, language: 'en', prompt: null, signal })
      expect(wordErrorRate(SAID, text)).toBeLessThan(0.2)
    } finally {
      await old.close()
    }
  },
  LOADED_WITHIN_MS,
)

it('ends with the one that started it', async () => {
  const running = pidOfEngine()
  await whisper.close()
  await expect.poll(() => listProcesses().some(({ pid }) => pid === running)).toBe(false)
})
