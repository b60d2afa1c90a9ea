import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { ApiError } from '#web/lib/api.ts'
import { makeModule } from '#web/testing/make-module.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ModuleLibrary } from './module-library.tsx'

const LIST = 'GET /api/modules'
const THREE = [
  makeModule({ id: 'a', title: 'Label printer' }),
  makeModule({ id: 'b', title: 'Reset a PASSWORD', status: 'PROCESSING', progress: 42, message: 'Listening' }),
  makeModule({ id: 'c', title: 'Returns', createdAt: 'nope', status: 'FAILED', lastError: 'No narration found.' }),
]

function open(answers: Record<string, () => unknown>) {
  const api = fakeApi(answers)
  const app = renderApp(<ModuleLibrary empty={<p>Nothing yet</p>} />, { callApi: api.callApi })
  return { ...app, calls: api.calls }
}

function openWith(modules: Module[], more: Record<string, () => unknown> = {}) {
  return open({ [LIST]: () => ({ success: true, modules }), ...more })
}

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)

afterEach(() => void vi.useRealTimers())

describe('ModuleLibrary', () => {
  it('shows the shape of the list while it loads', () => {
    open({ [LIST]: () => new Promise(() => {}) })
    expect(screen.getByRole('status')).toHaveTextContent('Loading your modules')
  })

  it('shows each module with its date, its state and its way in', async () => {
    openWith(THREE)
    expect(await screen.findByText('Label printer')).toBeVisible()
    expect(screen.getByText('Unknown date · 06:12')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Processing Reset a PASSWORD' })).toHaveAttribute(
      'aria-valuenow',
      '42',
    )
    expect(screen.getByText('No narration found.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Start Training: Label printer' })).toHaveAttribute('href', '/training/a')
  })

  it('says how much of a video has arrived while it is on its way', async () => {
    openWith([makeModule({ title: 'Returns', status: 'PROCESSING', hasVideo: false, uploadPercent: 43, progress: 5 })])
    expect(await screen.findByText('Video 43 % uploaded')).toBeVisible()
    expect(screen.getByText('Uploading')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Upload of Returns' })).toHaveAttribute('aria-valuenow', '43')
  })

  it('leads from a failed module to the reason instead of a training that is not there', async () => {
    openWith(THREE)
    const reason = await screen.findByRole('link', { name: 'See What Went Wrong: Returns' })
    expect(reason).toHaveAttribute('href', '/training/c')
    expect(screen.queryByRole('link', { name: 'Start Training: Returns' })).toBeNull()
  })

  it('names the module in every action, so that no two buttons sound the same', async () => {
    openWith(THREE)
    await screen.findByText('Label printer')
    const names = [...screen.getAllByRole('button'), ...screen.getAllByRole('link')]
      .filter((element) => element.closest('li'))
      .map((element) => element.getAttribute('aria-label') ?? element.textContent)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('Share: Label printer')
  })

  it('offers something else when there is nothing', async () => {
    openWith([])
    expect(await screen.findByText('Nothing yet')).toBeVisible()
  })

  it('finds titles whatever their case, and says when none matches', async () => {
    const { user } = openWith(THREE)
    const search = await screen.findByRole('searchbox')
    await user.type(search, 'passW')
    expect(titles()).toEqual(['Reset a PASSWORD'])
    await user.type(search, 'zzz')
    expect(screen.getByRole('heading', { name: 'No module matches' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(titles()).toHaveLength(3)
  })

  it('switches between grid and list', async () => {
    const { user } = openWith(THREE)
    await user.click(await screen.findByRole('button', { name: 'List' }))
    expect(screen.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('button', { name: 'Grid' })).toHaveAttribute('aria-pressed', 'false')
  })

  it('tells the error and asks again on demand', async () => {
    let isBroken = true
    const message = 'Not now.'
    const { user } = open({
      [LIST]: () => {
        if (isBroken) throw new ApiError({ status: 400, code: 'x', message })
        return { success: true, modules: THREE }
      },
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch modules')
    expect(screen.getByRole('alert')).toHaveTextContent(message)
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Label printer')).toBeVisible()
  })

  it('asks three times, a second and two seconds apart, before it tells', async () => {
    vi.useFakeTimers()
    const { calls } = open({
      [LIST]: () => {
        throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
      },
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toHaveLength(3)
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect(screen.getByRole('alert')).toHaveTextContent('Busy.')
  })

  it('copies the share link and says so', async () => {
    const { user } = openWith(THREE)
    await user.click((await screen.findAllByRole('button', { name: /^Share: / }))[0] as HTMLElement)
    expect(await navigator.clipboard.readText()).toBe('http://localhost:3000/share/a')
    expect(screen.getByRole('button', { name: 'Copied!' })).toBeVisible()
    expect(await screen.findByText('Link copied')).toBeInTheDocument()
  })
})

describe('deleting a module', () => {
  const remove = 'DELETE /api/modules/a'

  async function ask(answers: Record<string, () => unknown>) {
    let modules = THREE
    const opened = open({
      [LIST]: () => ({ success: true, modules }),
      [remove]: async () => {
        const answer = await answers[remove]?.()
        modules = THREE.slice(1)
        return answer
      },
    })
    await opened.user.click(await screen.findByRole('button', { name: 'Delete Label printer' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Are you sure you want to delete this module?' })
    return { ...opened, dialog }
  }

  it('does nothing when the question is declined', async () => {
    const { user, dialog, calls } = await ask({})
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByText('Label printer')).toBeVisible()
    expect(calls).not.toContain(remove)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete Label printer' })).toHaveFocus())
  })

  it('hides the card at once', async () => {
    const { user, dialog, calls } = await ask({ [remove]: () => ({ success: true }) })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Label printer' })).toBeNull())
    expect(calls).toContain(remove)
    expect(screen.getByRole('list', { name: 'Training modules' })).toHaveFocus()
  })

  it('brings the card back when the server refuses', async () => {
    const { user, dialog } = await ask({
      [remove]: () => {
        throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
      },
    })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete module')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Label printer' })).toBeVisible()
  })
})
