import { expect, it } from 'vitest'
import { makeModule } from '#contract/testing/examples.ts'
import { makeItem } from '#web/features/upload/upload-item.ts'
import type { CallApi } from '#web/lib/api.ts'
import { readUploadedScreen } from './read-uploaded-screen.ts'

/** An uploaded video whose module has one status after the other. */
async function upload(statuses: readonly string[], options: { isOver?: () => boolean } = {}): Promise<string[]> {
  const calls: string[] = []
  const left = [...statuses]
  const callApi = (async ({ path }: { path: string }) => {
    calls.push(path)
    if (path.endsWith('/screen'))
      return { success: true, readsScreen: false, reading: null, corrections: [], videoId: 'm1', ignoredArea: null }
    return { success: true, module: { ...makeModule(), status: left.shift(), language: 'en' } }
  }) as unknown as CallApi
  const item = { ...makeItem(new File(['x'], 'a.mp4')), attempt: { moduleId: 'm1' } }
  const more = { isBusy: () => false, isOver: () => false, wait: () => Promise.resolve(), ...options }
  await readUploadedScreen(item as unknown as Parameters<typeof readUploadedScreen>[0], { callApi, ...more })
  return calls
}

it('reads the screen once the training is made, when no recogniser needs the machine', async () => {
  expect(await upload(['PROCESSING', 'PROCESSING', 'READY'])).toEqual([
    ...Array.from({ length: 3 }, () => '/api/modules/m1'),
    '/api/modules/m1/screen',
  ])
})

it('reads nothing after another person has signed in', async () => {
  expect(await upload(['READY'], { isOver: () => true })).toEqual([])
})
