import { expect, test } from 'vitest'
import type { CallApi } from './api.ts'
import { ApiError } from './api-error.ts'
import { keepStepImages } from './keep-images.ts'

const IMAGE = new Blob(['x'], { type: 'image/webp' })
const IMAGES = { small: IMAGE, large: IMAGE, wide: IMAGE }

/** Keeps images of a step where the server answers each name so. */
async function keep(answer: (name: string) => void): Promise<string[]> {
  const kept: string[] = []
  const callApi = (async ({ path }: { path: string }) => {
    const name = path.replace('/api/modules/m1/images/', '')
    answer(name)
    kept.push(name)
  }) as unknown as CallApi
  await keepStepImages({ moduleId: 'm1', callApi }, 'step-0', IMAGES)
  return kept
}

function failWide(code: 'images_full' | 'internal') {
  return (name: string) => {
    if (name.endsWith('w')) throw new ApiError({ status: 400, code, message: 'No.' })
  }
}

test('keeps the wide image of a step behind those that pages show, and does without where there is no room', async () => {
  expect(await keep(() => {})).toEqual(['step-0-960', 'step-0', 'step-0-1600w'])
  expect(await keep(failWide('images_full'))).toEqual(['step-0-960', 'step-0'])
  await expect(keep(failWide('internal'))).rejects.toThrow('No.')
})
