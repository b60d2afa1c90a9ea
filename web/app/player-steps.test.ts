import { expect, test } from 'vitest'
import { makeStep } from '#web/testing/page-harness.tsx'
import { listPlayerSteps } from './player-steps.ts'

test('the chapters are in the order of the video, each with its picture', () => {
  const steps = [makeStep(2, 15.25), makeStep(1, 1)]
  const pictures = (posterUrl: string | null) => listPlayerSteps(steps, posterUrl).map((step) => step.pictureUrl)
  expect(listPlayerSteps(steps, null).map((step) => step.id)).toEqual(['s1', 's2'])
  expect(pictures(null)).toEqual([undefined, undefined])
  expect(pictures('/share/m1/pictures/poster')).toEqual([
    '/share/m1/pictures/step-1000',
    '/share/m1/pictures/step-15250',
  ])
  expect(pictures('https://a.test/media/m1/pictures/poster?ticket=x')[1]).toBe(
    'https://a.test/media/m1/pictures/step-15250?ticket=x',
  )
})
