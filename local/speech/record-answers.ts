// `npm run generate:answers [-- de tr]`: speaks a narration in each language with voices of this machine, and stores what
// Whisper base answers for worker/adapters/whisper/behaviour/real-answers.test.ts. On Debian the voices come with libttspico-utils (of
// non-free), espeak-ng, flite, festival, festival-hi, festvox-hi-nsk, festvox-ru and festvox-czech-ph.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareWhisper } from './prepare-whisper.ts'
import { NARRATIONS, type Narration, type Voice } from './whisper/narrations.ts'
import type { WhisperRecogniser } from './whisper-recogniser.ts'

const ANSWERS_DIR = join(import.meta.dirname, '../../worker/adapters/whisper/testing/real-answers')
const MODEL = 'base'
/** More digits than a time or a probability is good for. */
const DECIMALS = 3

/** A text in festival's language, which has it in the encoding of the voice. */
function encode(text: string, encoding: string): Buffer {
  return execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text })
}

function speak(voice: Voice, text: string, path: string): void {
  if (voice.program === 'flite') execFileSync('flite', ['-voice', voice.name, '-t', text, '-o', path])
  if (voice.program === 'pico2wave') execFileSync('pico2wave', ['-l', voice.name, '-w', path, text])
  if (voice.program === 'espeak-ng')
    execFileSync('espeak-ng', ['-v', voice.name, '-s', String(voice.wordsPerMinute), '-w', path, text])
  if (voice.program !== 'festival') return
  const lines = [
    `(voice_${voice.name})`,
    voice.setUp ?? '',
    `(set! spoken (utt.synth (Utterance Text ${JSON.stringify(text)})))`,
    `(utt.save.wave spoken ${JSON.stringify(path)} 'riff)`,
  ]
  const script = `${path}.scm`
  writeFileSync(script, encode(lines.join('\n'), voice.encoding))
  execFileSync('festival', ['--batch', script], { stdio: 'pipe' })
}

function round(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value
}

async function record(whisper: WhisperRecogniser, narration: Narration, dir: string): Promise<string> {
  const { language, voice, said: transcript, spelled, isLanguageGiven, prompt } = narration
  const path = join(dir, `${language}.wav`)
  speak(voice, spelled ?? transcript, path)
  const { signal } = new AbortController()
  const given = { language: isLanguageGiven ? language : undefined, prompt }
  const answer = await whisper.transcribe({
    audio: readFileSync(path),
    language: given.language ?? null,
    prompt: prompt ?? null,
    signal,
  })
  const answerPath = join(ANSWERS_DIR, `${language}.json`)
  writeFileSync(answerPath, JSON.stringify({ said: transcript, voice, given, model: whisper.model, answer }, round))
  console.log(`${language}: ${answer.text}`)
  return answerPath
}

const chosen = process.argv.slice(2)
const narrations = NARRATIONS.filter(({ language }) => chosen.length === 0 || chosen.includes(language))
const dir = mkdtempSync(join(tmpdir(), 'adapt-answers-'))
const whisper = await prepareWhisper({
  env: { ...process.env, ADAPT_WHISPER: MODEL },
  mayInstall: true,
  workDir: dir,
  signal: new AbortController().signal,
  onLine: () => undefined,
  onProgress: () => undefined,
  say: console.log,
})
try {
  const paths: string[] = []
  for (const narration of narrations) paths.push(await record(whisper, narration, dir))
  execFileSync('biome', ['format', '--write', ...paths])
} finally {
  await whisper.close()
  rmSync(dir, { recursive: true })
}
