import { expect, it } from 'vitest'
import { ImageName, maxBytesOf } from './image.ts'

it('takes names of posters and of images of steps, and no others', () => {
  const takes = (name: string) => ImageName.safeParse(name).success
  expect(['poster', 'step-0', 'at-960', 'step-960-960', 'at-5-1600w'].every(takes)).toBe(true)
  expect(['a_-Z012345.step-0', 'b.at-960-960'].every(takes)).toBe(true)
  expect(['.step-0', 'a.poster', 'a.b.step-0', 'a23456789012.step-0'].some(takes)).toBe(false)
  expect(['poster-960', 'step-01', 'step--1', 'at-5-320', 'at-5-1600', '../poster'].some(takes)).toBe(false)
})

it('lets each size of an image weigh more than the smaller one', () => {
  const kB = (name: string) => maxBytesOf(ImageName.parse(name)) / 1024
  expect(['at-5', 'at-5-960', 'at-5-1600w', 'poster'].map(kB)).toEqual([32, 80, 200, 200])
})
