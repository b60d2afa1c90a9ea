import { describe, expect, test } from 'vitest'
import { chooseView } from './training-layout.tsx'

const unknown = { module: undefined, stepCount: 0, hasFailedToLoad: false, isGone: false, isExpectingSteps: false }

describe('chooseView', () => {
  test('waits for the module, as the processing screen right after an upload [spec 4.5]', () => {
    expect(chooseView(unknown)).toBe('loading')
    expect(chooseView({ ...unknown, isExpectingSteps: true })).toBe('awaited')
    expect(chooseView({ ...unknown, isExpectingSteps: true, hasFailedToLoad: true })).toBe('unavailable')
  })

  test('takes the page away once the module is gone', () => {
    const module = { status: 'READY' as const }
    expect(chooseView({ ...unknown, module, hasFailedToLoad: true })).toBe('workspace')
    expect(chooseView({ ...unknown, module, hasFailedToLoad: true, isGone: true })).toBe('unavailable')
  })

  test('keeps one workspace from the first look to the end, whatever the address says', () => {
    for (const status of ['PROCESSING', 'READY'] as const) {
      for (const isExpectingSteps of [true, false]) {
        expect(chooseView({ ...unknown, module: { status }, isExpectingSteps })).toBe('workspace')
      }
    }
  })

  test('gives the page to a failure only when there is nothing to follow', () => {
    const module = { status: 'FAILED' as const }
    expect(chooseView({ ...unknown, module, isExpectingSteps: true })).toBe('failed')
    expect(chooseView({ ...unknown, module, stepCount: 1 })).toBe('workspace')
  })
})
