import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { DeletedModule } from '#contract/module.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { RecentlyDeleted } from './recently-deleted.tsx'

const DELETED = 'GET /api/modules/deleted'
const DAY_MS = 24 * 60 * 60_000

function deleted(id: string, title: string, leftMs: number): DeletedModule {
  const untilMs = Date.now() + leftMs
  return {
    id,
    title,
    deletedAt: new Date(untilMs - 7 * DAY_MS).toISOString(),
    restorableUntil: new Date(untilMs).toISOString(),
  }
}

const TWO = [deleted('a', 'Label printer', 6.2 * DAY_MS), deleted('b', 'Returns', 0.5 * DAY_MS)]

function open(answers: Record<string, () => unknown>) {
  const api = fakeApi(answers)
  return { ...renderApp(<RecentlyDeleted />, { callApi: api.callApi }), calls: api.calls }
}

/** What the server has, as long as nothing is restored. */
function openWith(modules: DeletedModule[]) {
  const left = [...modules]
  const restore = (id: string) => {
    left.splice(
      left.findIndex((module) => module.id === id),
      1,
    )
    return { success: true }
  }
  return open({
    [DELETED]: () => ({ success: true, modules: [...left] }),
    ...Object.fromEntries(modules.map(({ id }) => [`POST /api/modules/${id}/restore`, () => restore(id)])),
  })
}

const button = () => screen.findByRole('button', { name: /^Recently deleted/ })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('RecentlyDeleted', () => {
  it('is not there while there is nothing', async () => {
    const { calls } = openWith([])
    await waitFor(() => expect(calls).toEqual([DELETED]))
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('lists what was deleted, and how long it can be restored', async () => {
    const { user } = openWith(TWO)
    await user.click(await button())
    const items = within(screen.getByRole('dialog', { name: 'Recently deleted' })).getAllByRole('listitem')
    expect(items).toHaveLength(2)
    expect(items[0]).toHaveTextContent(/Label printer.*Deleted .* · 6 days left/)
    expect(items[1]).toHaveTextContent('less than a day left')
  })

  it.each([
    [7 * DAY_MS - 5_000, '7 days left'],
    [1.8 * DAY_MS, '1 day left'],
    [1.01 * DAY_MS, '1 day left'],
    [0.9 * DAY_MS, 'less than a day left'],
    [0, 'less than a day left'],
  ])('promises no day more than there is: %i ms are “%s”', async (leftMs, shown) => {
    const { user } = openWith([deleted('a', 'Label printer', leftMs)])
    await user.click(await button())
    expect(within(screen.getByRole('dialog')).getByRole('listitem')).toHaveTextContent(`· ${shown}`)
  })

  it('restores one, keeps the focus in the list, and says when nothing is left', async () => {
    const { user, calls } = openWith(TWO)
    await user.click(await button())
    await user.click(screen.getByRole('button', { name: 'Restore: Label printer' }))
    expect(await screen.findByText('“Label printer” is back')).toBeVisible()
    expect(calls).toContain('POST /api/modules/a/restore')
    await waitFor(() => expect(screen.getByRole('heading', { name: '1 module' })).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Restore: Returns' }))
    expect(await screen.findByText('Nothing here that can be restored.')).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Recently deleted/ })).toBeNull())
  })

  it('shows why a module could not be restored, and keeps it in the list', async () => {
    const { user } = open({
      [DELETED]: () => ({ success: true, modules: TWO }),
      'POST /api/modules/a/restore': () => {
        throw new ApiError({ status: 404, code: 'not_found', message: 'Its time is over.' })
      },
    })
    await user.click(await button())
    await user.click(screen.getByRole('button', { name: 'Restore: Label printer' }))
    expect(await screen.findByText('Failed to restore module')).toBeVisible()
    expect(screen.getByText('Its time is over.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Restore: Label printer' })).toBeEnabled()
  })

  it('retries on demand when the list could not be loaded', async () => {
    let isBroken = true
    vi.useFakeTimers()
    const { user } = open({
      [DELETED]: () => {
        if (isBroken) throw new ApiError({ status: 400, code: 'x', message: 'Not now.' })
        return { success: true, modules: TWO }
      },
    })
    // The time of the automatic retries.
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    vi.useRealTimers()
    await user.click(await button())
    expect(screen.getByRole('alert')).toHaveTextContent('What you deleted could not be loaded. Not now.')
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findAllByRole('listitem')).toHaveLength(2)
  })

  it('restores nothing without a connection, and says so', async () => {
    const { user } = openWith(TWO)
    await user.click(await button())
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(await screen.findByText('You are offline. Restore is back with the connection.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Restore: Returns' })).toBeDisabled()
  })
})
