import { describe, expect, it, vi } from 'vitest'
import { CaptionsAnswer } from '#contract/transcript.ts'
import { fakeApi } from '#web/testing/render-app.tsx'
import { CaptionCheck, captionsPath, needsLook } from './caption-check.ts'

const CLEAN = { success: true, cues: 212 }
const FILE = new File(['WEBVTT'], 'talk.vtt')
const SOURCE = { file: FILE, moduleId: null, durationMs: null }
const DOUBT = { code: 'longer', captionsSeconds: 3_120, videoSeconds: 480 }

function open(answers: Record<string, () => unknown>) {
  const onAccepted = vi.fn<(check: unknown) => void>()
  const { callApi, calls } = fakeApi(answers)
  return { check: new CaptionCheck(callApi, onAccepted), onAccepted, calls }
}

describe('needsLook', () => {
  it.each([
    ['clean UTF-8', {}, false],
    ['UTF-16', { encoding: 'utf-16le' }, false],
    ['Windows-1251', { encoding: 'windows-1251' }, true],
    ['another encoding that is close', { alternatives: ['big5'] }, true],
    ['a repair', { repairCount: 1 }, true],
    ['times that were moved', { shift: { reason: 'after_end', first: -1, last: -1, isMoved: true } }, true],
    ['a doubt', { doubt: DOUBT }, true],
    ['another language than the video', { language: 'en', spoken: 'es' }, true],
    ['two languages', { languages: ['en', 'de'].map((language) => ({ language, cues: 1, firstLines: [] })) }, true],
  ])('of captions with %s', (_what, found, isNeeded) => {
    expect(needsLook(CaptionsAnswer.parse({ ...CLEAN, ...found }))).toBe(isNeeded)
  })
})

it('asks about a file alone with how long its video lasts, and about one of a module by its id', () => {
  expect(captionsPath(null, { times: 'file' }, 480_000.4)).toBe('/api/captions?times=file&durationMs=480000')
  expect(captionsPath(null, {}, null)).toBe('/api/captions')
  expect(captionsPath('m1', { charset: 'big5' }, 480_000)).toBe('/api/captions/m1?charset=big5')
})

describe('CaptionCheck', () => {
  it('uses a clean file at once', async () => {
    const { check, onAccepted } = open({ 'POST /api/captions': () => CLEAN })
    await check.open(SOURCE)
    expect(onAccepted).toHaveBeenCalledOnce()
    expect(check.getState()).toMatchObject({ isAccepted: true, report: { cues: 212 } })
  })

  it('uses nothing under the hands of a person, and asks nothing twice', async () => {
    const { check, onAccepted } = open({
      'POST /api/captions': () => ({ ...CLEAN, encoding: 'windows-1251' }),
      'POST /api/captions?charset=utf-8': () => CLEAN,
      'POST /api/captions?charset=utf-8&durationMs=480000': () => CLEAN,
      'POST /api/captions?charset=utf-8&durationMs=1000': () => ({ ...CLEAN, doubt: DOUBT }),
    })
    await check.open(SOURCE)
    await check.choose({ charset: 'utf-8' })
    expect(onAccepted).not.toHaveBeenCalled()
    check.accept()
    await check.open({ ...SOURCE, durationMs: 480_000 })
    expect(onAccepted).toHaveBeenCalledTimes(2)
    await check.open({ ...SOURCE, durationMs: 1_000 })
    expect(check.getState()).toMatchObject({ isAccepted: false, report: { doubt: DOUBT } })
    check.accept()
    await check.open({ ...SOURCE, durationMs: 1_000 })
    expect(onAccepted).toHaveBeenCalledTimes(4)
  })

  it('keeps what the likely encodings read when one is chosen', async () => {
    const readings = [{ encoding: 'big5', lines: ['a'] }]
    const { check } = open({
      'POST /api/captions': () => ({ ...CLEAN, encoding: 'big5', alternatives: ['euc-kr'], readings }),
      'POST /api/captions?charset=euc-kr': () => ({ ...CLEAN, encoding: 'euc-kr' }),
    })
    await check.open(SOURCE)
    await check.choose({ charset: 'euc-kr' })
    expect(check.getState()?.readings).toEqual(readings)
  })

  it('forgets an answer that comes after another file was picked', async () => {
    const answers: ((answer: unknown) => void)[] = []
    const { check, onAccepted } = open({
      'POST /api/captions': () => new Promise((resolve) => answers.push(resolve)),
    })
    const first = check.open(SOURCE)
    const second = check.open({ ...SOURCE, file: new File(['WEBVTT'], 'other.vtt') })
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    for (const answer of answers.toReversed()) answer(CLEAN)
    await Promise.all([first, second])
    expect(onAccepted).toHaveBeenCalledOnce()
    expect(check.getState()?.file.name).toBe('other.vtt')
  })

  it('sends no file that is too large', async () => {
    const { check, calls } = open({})
    await check.open({ ...SOURCE, file: new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'talk.vtt') })
    expect(check.getState()?.error?.message).toBe('The caption file is larger than 2 MB.')
    expect(calls).toEqual([])
  })
})
