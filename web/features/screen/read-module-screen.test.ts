import { expect, it } from 'vitest'
import { SCREEN_READING_MAX_BYTES, type ScreenBlock, type ScreenReading } from '#contract/screen.ts'
import type { CallApi } from '#web/lib/api.ts'
import { screenProgress } from '#web/lib/screen-progress.ts'
import { append, type RunWorker, readModuleScreen } from './read-module-screen.ts'

function block(text: string, startMs: number, kind: ScreenBlock['kind'] = 'label'): ScreenBlock {
  return { text, startMs, endMs: startMs + 500, box: { x: 0, y: 0, width: 0.1, height: 0.02 }, kind, confidence: 0.9 }
}

const part = (readMs: number, isDone: boolean, blocks: ScreenBlock[] = []): ScreenReading => ({
  readMs,
  isDone,
  secrets: [],
  blocks,
})

/** A server that has this reading of the module, and what it is sent. */
function makeServer(stored: ScreenReading | null, readsScreen = true) {
  const saved: ScreenReading[] = []
  const callApi = (async ({ method, body }: { method?: string; body?: ScreenReading }) => {
    if (method !== 'PUT')
      return { success: true, readsScreen, reading: stored, corrections: [], videoId: 'm1', ignoredArea: null }
    if (body !== undefined) saved.push(body)
    return { success: true }
  }) as unknown as CallApi
  return { saved, callApi }
}

function start(callApi: CallApi, runWorker: RunWorker) {
  const request = { moduleId: 'm1', openVideo: () => new Blob(['x']), language: 'de', isBusy: () => false }
  return readModuleScreen({ ...request, callApi, signal: new AbortController().signal }, runWorker)
}

it('stores what each part shows, with what was read before it, and shows how far it is', async () => {
  const { saved, callApi } = makeServer(null)
  const shown: (number | undefined)[] = []
  await start(callApi, async (order, { onReading, onProgress }) => {
    expect(order).toMatchObject({ fromMs: 0, languages: ['deu'] })
    onProgress(40)
    shown.push(screenProgress.getState()['m1'])
    await onReading(part(120_000, false, [block('Datei', 0)]))
    await onReading(part(200_000, true, [block('Hilfe', 130_000)]))
  })
  expect(shown).toEqual([40])
  expect(screenProgress.getState()).not.toHaveProperty('m1')
  expect(saved.map(({ readMs, blocks }) => [readMs, blocks.map(({ text }) => text)])).toEqual([
    [120_000, ['Datei']],
    [200_000, ['Datei', 'Hilfe']],
  ])
})

it('goes on where an earlier page stopped', async () => {
  const { saved, callApi } = makeServer(part(120_000, false, [block('Datei', 0)]))
  await start(callApi, async ({ fromMs }, { onReading }) => {
    expect(fromMs).toBe(120_000)
    await onReading(part(200_000, true))
  })
  expect(saved.at(-1)).toMatchObject({ isDone: true, blocks: [{ text: 'Datei' }] })
})

it('reads anew what was read to its end', async () => {
  const { saved, callApi } = makeServer(part(200_000, true, [block('Datei', 0)]))
  await start(callApi, async ({ fromMs }, { onReading }) => {
    expect(fromMs).toBe(0)
    await onReading(part(200_000, true))
  })
  expect(saved).toEqual([{ ...part(200_000, true), videoId: 'm1' }])
})

it('opens the video again where its address expired, and gives up where nothing can be read', async () => {
  const { callApi } = makeServer(null)
  const froms: number[] = []
  const failing: RunWorker = async ({ fromMs }, { onReading }) => {
    froms.push(fromMs)
    if (fromMs === 0) await onReading(part(120_000, false))
    throw new Error('403')
  }
  await expect(start(callApi, failing)).rejects.toThrow('403')
  expect(froms).toEqual([0, 120_000])
})

it('reads nothing where the owner wants none', async () => {
  const { callApi } = makeServer(null, false)
  await start(callApi, () => Promise.reject(new Error('not to be read')))
})

it('keeps commands rather than other text where there is not enough room', () => {
  const long = Array.from({ length: 1_200 }, (_, index) => block(`${index} ${'word '.repeat(90)}`, index * 10_000))
  const { blocks } = append(part(1, false, [block('ls -a', 0, 'command')]), part(2, true, long))
  expect(new Blob([JSON.stringify(blocks)]).size).toBeLessThan(SCREEN_READING_MAX_BYTES)
  expect(blocks.some(({ text }) => text === 'ls -a')).toBe(true)
  expect(blocks.length).toBeGreaterThan(500)
})
