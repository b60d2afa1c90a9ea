import { expect, test } from 'vitest'
import { makeStep } from '#web/testing/page-harness.tsx'
import { listPlayerSteps } from './player-steps.ts'

test('the steps of a player are in the order of the video, each with its own picture where it has one', () => {
  const steps = [
    { ...makeStep(2, 15.25), image: 'at-16000' },
    { ...makeStep(1, 1), image: 'step-1000' },
    { ...makeStep(3, 30), image: 'poster' },
    { ...makeStep(4, 40), image: null },
  ]
  const images = (posterUrl: string | null) => listPlayerSteps(steps, posterUrl).map((step) => step.imageUrl)
  expect(listPlayerSteps(steps, null).map((step) => step.id)).toEqual(['s1', 's2', 's3', 's4'])
  expect(images(null)).toEqual([undefined, undefined, undefined, undefined])
  expect(images('/share/m1/images/poster').slice(0, 2)).toEqual([
    '/share/m1/images/step-1000',
    '/share/m1/images/at-16000',
  ])
  expect(images('https://a.test/media/m1/images/poster?ticket=x')[1]).toBe(
    'https://a.test/media/m1/images/at-16000?ticket=x',
  )
  expect(images('/share/m1/images/poster').slice(2)).toEqual([undefined, undefined])
})
