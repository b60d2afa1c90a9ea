import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import { type Preparation, type PreparationOptions, prepareRecogniser } from './prepare-recogniser.ts'
import { preparedSpeech } from './prepared-speech.ts'
import { type SpeechServer, startSpeechServer } from './speech-server.ts'
import { openPackageIndex, type PackageIndex } from './whisper/testing/package-index.ts'

const UNREACHABLE = 'http://127.0.0.1:1'

let dir: string
let said: string[]
let open: (Preparation | SpeechServer | PackageIndex)[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'adapt-prepare-'))
  said = []
  open = []
})

afterEach(async () => {
  for (const each of open) await each.close()
  await rm(dir, { recursive: true })
})

/** A machine without a network, whose user has nothing in the cache. */
function prepare(env: Record<string, string>, more: Partial<PreparationOptions> = {}): Preparation {
  const preparation = prepareRecogniser({
    env: {
      PATH: process.env['PATH'],
      XDG_CACHE_HOME: dir,
      LOCALAPPDATA: dir,
      PIP_INDEX_URL: `${UNREACHABLE}/simple`,
      HF_ENDPOINT: UNREACHABLE,
      ...env,
    },
    workDir: dir,
    say: (line) => said.push(line),
    onLine: () => undefined,
    ensurePocketsphinx: async () => false,
    timing: { silenceMs: 100, pauseMs: 1, hubMs: 100 },
    ...more,
  })
  open.push(preparation)
  return preparation
}

/** A program that says of itself that it is some Python. */
async function writePython(version: string, platform: string): Promise<string> {
  const path = join(dir, 'python')
  await writeFile(path, `#!/bin/sh\necho '${JSON.stringify({ path, version, platform })}'\n`)
  await chmod(path, 0o755)
  return path
}

async function reasonOf(preparation: Preparation): Promise<string> {
  await preparation.settled
  const readiness = preparation.readiness()
  return readiness.state === 'missing' ? readiness.reason : readiness.state
}

const ADVICE = /Add a caption file instead, or try again when speech recognition is there\.$/

describe('prepareRecogniser', () => {
  it.each([
    [
      'no Python',
      'nowhere',
      null,
      /^Speech recognition by Whisper needs Python 3\.10 to 3\.14 on .*, and there is no Python here\./,
    ],
    ['Python 3.9', '3.9', 'linux-x64', /and what is here is 3\.9 on linux-x64\./],
    ['Alpine', '3.12', 'linux-x64-musl', /and what is here is 3\.12 on linux-x64-musl\./],
    ['Windows on ARM', '3.12', 'win32-arm64', /and what is here is 3\.12 on win32-arm64\./],
  ] as const)('says on a machine with %s what it needs', async (_, version, platform, sentence) => {
    const path = platform === null ? join(dir, version) : await writePython(version, platform)
    const reason = await reasonOf(prepare({ ADAPT_PYTHON: path }))
    expect(reason).toMatch(sentence)
    expect(reason).toMatch(ADVICE)
    expect(said).toEqual([reason.replace(ADVICE, '').trim()])
  })

  it('says without a network that it tries again, and does so by itself', async () => {
    expect(await reasonOf(prepare({}))).toMatch(/^Speech recognition could not be downloaded: 127\.0\.0\.1:1 does not/)
    const index = await openPackageIndex(new Map())
    open.push(index)
    const retrying = prepare({ PIP_INDEX_URL: index.indexUrl }, { retryMs: 10 })
    expect(await reasonOf(retrying)).toContain('does not have faster_whisper-1.2.1-py3-none-any.whl')
    await expect.poll(() => index.listed).toBeGreaterThan(2)
    expect(said.filter((line) => line.includes('does not have'))).toHaveLength(1)
  })

  it('is pocketsphinx where Whisper cannot be had', async () => {
    const preparation = prepare({ ADAPT_NO_INSTALL: '1' }, { ensurePocketsphinx: async () => true })
    await preparation.settled
    expect(preparation.readiness()).toMatchObject({ state: 'ready', recogniser: { model: 'pocketsphinx-en-us' } })
    expect(said).toEqual([
      expect.stringMatching(/^ADAPT_NO_INSTALL refuses to download speech recognition/),
      'Speech is recognised by pocketsphinx, in English.',
    ])
  })

  it('leaves Whisper out where that is wished, without a word', async () => {
    const preparation = prepare({ ADAPT_WHISPER: 'off' }, { ensurePocketsphinx: async () => true })
    await preparation.settled
    expect(preparation.readiness()).toMatchObject({ state: 'ready', recogniser: { model: 'pocketsphinx-en-us' } })
    expect(said).toEqual([])
  })
})

describe('preparedSpeech', () => {
  const chunk = {
    audio: new Uint8Array(10),
    contentType: 'audio/mp4',
    durationMs: 1_000,
    language: null,
    prompt: null,
  } as const
  const { signal } = new AbortController()
  /** What any client of an OpenAI-compatible server makes of a 503. */
  const busy: SpeechToText = {
    name: 'busy',
    transcribe: () => Promise.reject(new AppError('ai_busy', 'The speech service is busy.')),
  }

  async function openService(preparation: Pick<Preparation, 'readiness'>) {
    const server = await startSpeechServer({ workDir: dir, onFailure: console.error, ...preparation })
    open.push(server)
    return { baseUrl: server.baseUrl, speech: preparedSpeech(busy, server.baseUrl) }
  }

  it('waits while it is prepared, and says how far that is', async () => {
    const { speech, baseUrl } = await openService({
      readiness: () => ({ state: 'preparing', doneBytes: 96, totalBytes: 240 }),
    })
    expect(await speech.findPreparation?.(signal)).toEqual({ doneBytes: 96, totalBytes: 240 })
    await expect(speech.transcribe(chunk, signal)).rejects.toMatchObject({ code: 'ai_busy', isPreparing: true })
    const form = new FormData()
    form.set('file', new File([new Uint8Array(1)], 'chunk.wav'))
    const answer = await fetch(`${baseUrl}/audio/transcriptions`, { method: 'POST', body: form })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  })

  it('says why it cannot be prepared, and what to do', async () => {
    const preparation = prepare({ ADAPT_PYTHON: join(dir, 'nowhere') })
    const { speech } = await openService(preparation)
    await preparation.settled
    expect(await speech.findPreparation?.(signal)).toBeNull()
    const fault: unknown = await speech.transcribe(chunk, signal).catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'no_recogniser', message: expect.stringMatching(ADVICE) as string })
  })

  it('is as it was where the server is another one', async () => {
    const speech = preparedSpeech(busy, UNREACHABLE)
    expect(await speech.findPreparation?.(signal)).toBeNull()
    await expect(speech.transcribe(chunk, signal)).rejects.toMatchObject({ code: 'ai_busy', isPreparing: false })
  })
})
