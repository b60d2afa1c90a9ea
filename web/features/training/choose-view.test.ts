import { describe, expect, test } from 'vitest'
import { chooseView, NAMING_HASH } from './choose-view.ts'

const unknown = {
  module: undefined,
  stepCount: 0,
  hasFailedToLoad: false,
  isGone: false,
  isExpectingSteps: false,
  hash: '',
}
const OWNED = { failureCode: null, role: 'owner' } as const

describe('chooseView', () => {
  test('waits for the module, as the processing screen right after an upload', { tags: 'spec-4.5' }, () => {
    expect(chooseView(unknown)).toBe('loading')
    expect(chooseView({ ...unknown, isExpectingSteps: true })).toBe('awaited')
    expect(chooseView({ ...unknown, isExpectingSteps: true, hasFailedToLoad: true })).toBe('unavailable')
  })

  test('takes the page away once the module is gone', () => {
    const module = { ...OWNED, status: 'READY' as const }
    expect(chooseView({ ...unknown, module, hasFailedToLoad: true })).toBe('workspace')
    expect(chooseView({ ...unknown, module, hasFailedToLoad: true, isGone: true })).toBe('unavailable')
  })

  test('keeps one workspace from the first look to the end, whatever the address says', () => {
    for (const status of ['PROCESSING', 'READY'] as const) {
      for (const isExpectingSteps of [true, false]) {
        expect(chooseView({ ...unknown, module: { ...OWNED, status }, isExpectingSteps })).toBe('workspace')
      }
    }
  })

  test('gives the page to a failure only when there is nothing to follow', () => {
    const module = { ...OWNED, status: 'FAILED' as const }
    expect(chooseView({ ...unknown, module, isExpectingSteps: true })).toBe('failed')
    expect(chooseView({ ...unknown, module, stepCount: 1 })).toBe('workspace')
  })

  test('has its owner name the scenes of a video without speech, also once the first name has made it READY', () => {
    const module = { ...OWNED, status: 'FAILED', failureCode: 'unnamed' } as const
    expect(chooseView({ ...unknown, module })).toBe('naming')
    expect(chooseView({ ...unknown, module, stepCount: 1 })).toBe('naming')
    expect(chooseView({ ...unknown, module: { ...module, role: 'viewer', failureCode: null } })).toBe('failed')
    const ready = { ...OWNED, status: 'READY' } as const
    expect(chooseView({ ...unknown, module: ready, hash: NAMING_HASH })).toBe('naming')
    expect(chooseView({ ...unknown, module: { ...ready, role: 'viewer' }, hash: NAMING_HASH })).toBe('workspace')
    expect(chooseView({ ...unknown, module: { ...ready, status: 'PROCESSING' }, hash: NAMING_HASH })).toBe('workspace')
  })
})
