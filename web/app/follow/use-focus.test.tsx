import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { LOOK_EVENT } from '#web/lib/zoom/look-at.ts'
import { makeStep } from '#web/testing/page-harness.tsx'
import { useFocus } from './use-focus.ts'

const PART = { x: 10, y: 20, width: 40, height: 40 }
const MARKED: ListedStep = { ...makeStep(1, 0), focus: PART }
const WHOLE: ListedStep = makeStep(2, 15)

/** Parts that the player is asked to show. */
let asked: unknown[]

function makePlayer() {
  const [player, video] = [document.createElement('div'), document.createElement('video')]
  player.className = 'player'
  player.append(video)
  player.addEventListener(LOOK_EVENT, (event) => asked.push((event as CustomEvent).detail))
  return video
}

function follow(video: HTMLVideoElement | null) {
  const player = { current: { video } as PlayerHandle }
  const clock = createStore<number>(() => 0)
  const view = renderHook(({ step }) => useFocus({ player, clock }, step), { initialProps: { step: MARKED } })
  const arrive = (late: HTMLVideoElement) => {
    player.current = { video: late } as PlayerHandle
    act(() => clock.setState((seconds) => seconds + 0.25))
  }
  return { ...view, arrive }
}

function hold(width: number, height: number) {
  Object.assign(window, { innerWidth: width, innerHeight: height })
}

beforeEach(() => {
  asked = []
  hold(390, 844)
})

test('an upright phone is shown the marked part of a step once, and the whole of one without', () => {
  const { rerender, arrive, unmount } = follow(null)
  expect(asked).toEqual([])
  const video = makePlayer()
  arrive(video)
  arrive(video)
  expect(asked).toEqual([PART])
  rerender({ step: WHOLE })
  expect(asked).toEqual([PART, null])
  rerender({ step: MARKED })
  unmount()
  expect(asked).toEqual([PART, null, PART, null])
})

test.each([
  ['held sideways', 844, 390],
  ['as wide as a screen', 1280, 1400],
])('a device %s is shown the whole', (_, width, height) => {
  hold(width, height)
  const { unmount } = follow(makePlayer())
  unmount()
  expect(asked).toEqual([])
})
