import { act, fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { makeModule } from '#contract/testing/examples.ts'
import { useReprocessModule } from '#web/lib/change-module.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { WatchOf } from './upload-root.tsx'

const AT_WORK = 'GET /api/modules/processing'
const ME = 'user_1'

/** What the server says; tests change it as time passes. */
const server = { atWork: [] as Module[], modules: new Map<string, Module>() }

function atWork(id: string, change: Partial<Module> = {}): Module {
  return makeModule({ id, title: `Title of ${id}`, status: 'PROCESSING', progress: 40, userId: ME, ...change })
}

function ends(id: string, change: Partial<Module> = {}): void {
  server.atWork = server.atWork.filter((module) => module.id !== id)
  server.modules.set(id, makeModule({ id, title: `Title of ${id}`, ...change }))
}

function open(at = '/dashboard', tabs = 1, page: ReactNode = null) {
  const answers = Object.fromEntries(
    ['a', 'b'].map((id) => [
      `GET /api/modules/${id}`,
      () => ({ success: true, module: { ...server.modules.get(id), steps: [] } }),
    ]),
  )
  const begin = () => {
    server.atWork = [atWork('a')]
    return { success: true, moduleId: 'a', run: 2 }
  }
  const api = fakeApi({
    [AT_WORK]: () => ({ success: true, modules: server.atWork }),
    'POST /api/reprocess/a': begin,
    ...answers,
  })
  const elsewhere = { '/training/a': 'Page of the module' }
  delete (elsewhere as Record<string, string>)[at]
  const watches = Array.from({ length: tabs }, (_, tab) => <WatchOf key={tab} userId={ME} />)
  const shown = (
    <>
      {watches}
      {page}
    </>
  )
  const app = renderApp(shown, { callApi: api.callApi, at, elsewhere })
  return { ...app, polls: () => api.calls.filter((call) => call === AT_WORK).length }
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function look(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

beforeEach(() => {
  vi.useFakeTimers()
  server.atWork = [atWork('a')]
})

afterEach(async () => {
  // A toast leaves a moment after it was pressed or has timed out.
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  vi.restoreAllMocks()
  vi.useRealTimers()
  localStorage.clear()
})

describe('WatchOf', () => {
  it('shows on another page that a module is ready, with the way there', async () => {
    const { router } = open()
    await pass(100)
    ends('a')
    await pass(5_100)
    expect(screen.getByText('“Title of a” is ready')).toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Start Training' }))
    expect(router.state.location.pathname).toBe('/training/a')
  })

  it('shows why a module has failed', async () => {
    open()
    await pass(100)
    ends('a', { status: 'FAILED', lastError: 'No narration found.' })
    await pass(5_100)
    expect(screen.getByText('“Title of a” could not be processed')).toBeInTheDocument()
    expect(screen.getByText('No narration found.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'See why' })).toBeInTheDocument()
  })

  it('shows that a new version is there, or why not, of a module that stays ready', async () => {
    const newVersion = {
      run: 2,
      status: 'PROCESSING',
      progress: 30,
      message: '',
      lastError: null,
      failureCode: null,
    } as const
    const again = (id: string) => ({ ...atWork(id), status: 'READY' as const, newVersion })
    server.atWork = [again('a'), again('b')]
    open()
    await pass(100)
    ends('a', { status: 'READY' })
    await pass(5_100)
    expect(screen.getByText('“Title of a” is ready')).toBeInTheDocument()
    ends('b', { status: 'READY', newVersion: { ...newVersion, status: 'FAILED', lastError: 'No allowance.' } })
    await pass(5_100)
    expect(screen.getByText('“Title of b” could not be reprocessed')).toBeInTheDocument()
    expect(screen.getByText('No allowance.')).toBeInTheDocument()
  })

  it('asks only while there is something to wait for', async () => {
    server.atWork = []
    const { polls } = open()
    await pass(60_000)
    expect(polls()).toBe(1)
  })

  it('waits for a module that is processed again from a page', async () => {
    server.atWork = []
    function ProcessAgain() {
      const { mutate } = useReprocessModule()
      return (
        <button type="button" onClick={() => mutate({ moduleId: 'a', from: 'failed' })}>
          Again
        </button>
      )
    }
    open('/dashboard', 1, <ProcessAgain />)
    await pass(10_000)
    fireEvent.click(screen.getByRole('button', { name: 'Again' }))
    await pass(100)
    ends('a')
    await pass(5_100)
    expect(screen.getByText('“Title of a” is ready')).toBeInTheDocument()
  })

  it('asks slowly while the page is hidden', async () => {
    look('hidden')
    const { polls } = open()
    await pass(61_000)
    expect(polls()).toBeGreaterThanOrEqual(2)
    expect(polls()).toBeLessThanOrEqual(4)
    look('visible')
  })

  it('shows no notice on the page of the module itself', async () => {
    open('/training/a')
    await pass(100)
    ends('a')
    await pass(5_100)
    expect(screen.queryByText('“Title of a” is ready')).toBeNull()
  })

  it("leaves a colleague's upload to the colleague", async () => {
    server.atWork = [atWork('a', { userId: 'user_2' })]
    open()
    await pass(100)
    ends('a')
    await pass(5_100)
    expect(screen.queryByText('“Title of a” is ready')).toBeNull()
  })

  it('shows after a reload which modules ended meanwhile, and each only once', async () => {
    localStorage.setItem(`adapt_watched_modules:${ME}`, JSON.stringify({ a: 'Title of a' }))
    server.atWork = []
    ends('a')
    open('/dashboard', 2)
    await pass(5_100)
    expect(screen.getAllByText('“Title of a” is ready')).toHaveLength(1)
    expect(localStorage.getItem(`adapt_watched_modules:${ME}`)).toBe('{}')
  })

  it('shows a browser notification only when it is turned on and the tab is hidden', async () => {
    const shown: string[] = []
    class FakeNotification {
      static permission = 'granted'
      constructor(title: string) {
        shown.push(title)
      }
    }
    vi.stubGlobal('Notification', FakeNotification)
    server.atWork = [atWork('a'), atWork('b')]
    open()
    await pass(100)
    look('hidden')
    ends('a')
    await pass(31_000)
    expect(shown).toEqual([])
    localStorage.setItem('adapt_notify_when_ready', 'on')
    ends('b')
    await pass(31_000)
    expect(shown).toEqual(['“Title of b” is ready'])
    look('visible')
    vi.unstubAllGlobals()
  })
})
