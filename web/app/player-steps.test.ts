import { expect, test } from 'vitest'
import { makeStep } from '#web/testing/page-harness.tsx'
import { listPlayerSteps } from './player-steps.ts'

test('the steps of a player are in the order of the video, each with its picture', () => {
  const steps = [makeStep(2, 15.25), makeStep(1, 1)]
  const images = (posterUrl: string | null) => listPlayerSteps(steps, posterUrl).map((step) => step.imageUrl)
  expect(listPlayerSteps(steps, null).map((step) => step.id)).toEqual(['s1', 's2'])
  expect(images(null)).toEqual([undefined, undefined])
  expect(images('/share/m1/images/poster')).toEqual(['/share/m1/images/step-1000', '/share/m1/images/step-15250'])
  expect(images('https://a.test/media/m1/images/poster?ticket=x')[1]).toBe(
    'https://a.test/media/m1/images/step-15250?ticket=x',
  )
})
