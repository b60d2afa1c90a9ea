import { act, render } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countUnseenNotice, usePageTitle } from './use-page-title.ts'

function Page() {
  usePageTitle('Dashboard')
  return null
}

function look(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

afterEach(() => vi.restoreAllMocks())

describe('usePageTitle', () => {
  it('counts notices while the tab is hidden, until it is visible', () => {
    render(<Page />)
    expect(document.title).toBe('Dashboard · Adapt')
    act(() => countUnseenNotice())
    expect(document.title).toBe('Dashboard · Adapt')
    look('hidden')
    act(() => countUnseenNotice())
    act(() => countUnseenNotice())
    expect(document.title).toBe('(2) Dashboard · Adapt')
    look('visible')
    expect(document.title).toBe('Dashboard · Adapt')
  })
})
