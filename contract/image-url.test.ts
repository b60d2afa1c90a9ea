import { expect, it } from 'vitest'
import { imageNameOf, imageUrl, largeName, smallName, wantedImage, wideName } from './image-url.ts'

it('names the image of a step by the millisecond at which it begins', () => {
  expect([12_500.4, 0, -3].map(imageNameOf)).toEqual(['step-12500', 'step-0', 'step-0'])
})

it('wants the image of the start, of the chosen moment, or none', () => {
  expect(wantedImage({ start: 1.5, imageAt: null })).toBe('step-1500')
  expect(wantedImage({ start: 1.5, imageAt: 0 })).toBe('at-0')
  expect(wantedImage({ start: 1.5, imageAt: 2.25 })).toBe('at-2250')
  expect(wantedImage({ start: 1.5, imageAt: 'none' })).toBeNull()
})

it('names images of another video than the first of a module by its mark', () => {
  expect(wantedImage({ start: 0, imageAt: null, videoMark: 'x-9' })).toBe('x-9.step-0')
  expect(wantedImage({ start: 0, imageAt: 2, videoMark: 'x-9' })).toBe('x-9.at-2000')
  expect(wantedImage({ start: 0, imageAt: 'none', videoMark: 'x-9' })).toBeNull()
})

it('names all sizes of an image, and finds the smallest', () => {
  for (const name of ['step-960', 'at-0', 'x-960.step-960'] as const)
    expect([name, largeName(name), wideName(name)].map(smallName)).toEqual([name, name, name])
  expect([largeName('at-0'), wideName('at-0')]).toEqual(['at-0-960', 'at-0-1600w'])
})

it('finds an image beside the poster', () => {
  expect(imageUrl('/api/modules/m/images/poster?t=1', 'at-0')).toBe('/api/modules/m/images/at-0?t=1')
})
