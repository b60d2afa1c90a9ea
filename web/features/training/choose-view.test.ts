import { describe, expect, test } from 'vitest'
import { chooseView } from './choose-view.ts'

const unknown = { module: undefined, hasFailedToLoad: false, isGone: false, isExpectingSteps: false }

describe('chooseView', () => {
  test('waits for the module, as the processing screen right after an upload', () => {
    expect(chooseView(unknown)).toBe('loading')
    expect(chooseView({ ...unknown, isExpectingSteps: true })).toBe('processing')
    expect(chooseView({ ...unknown, isExpectingSteps: true, hasFailedToLoad: true })).toBe('unavailable')
  })

  test('shows processing until the first steps, and after an upload until the end', () => {
    const empty = { status: 'PROCESSING' as const, steps: [] }
    const partial = { status: 'PROCESSING' as const, steps: [{}] }
    expect(chooseView({ ...unknown, module: empty })).toBe('processing')
    expect(chooseView({ ...unknown, module: partial })).toBe('workspace')
    expect(chooseView({ ...unknown, module: partial, isExpectingSteps: true })).toBe('processing')
  })

  test('takes the page away once the module is gone', () => {
    const module = { status: 'READY' as const, steps: [{}] }
    expect(chooseView({ ...unknown, module, hasFailedToLoad: true })).toBe('workspace')
    expect(chooseView({ ...unknown, module, hasFailedToLoad: true, isGone: true })).toBe('unavailable')
  })

  test('ends with the training or the reason why there is none, whatever the address says', () => {
    expect(chooseView({ ...unknown, module: { status: 'READY', steps: [] }, isExpectingSteps: true })).toBe('workspace')
    expect(chooseView({ ...unknown, module: { status: 'FAILED', steps: [] }, isExpectingSteps: true })).toBe('failed')
  })
})
