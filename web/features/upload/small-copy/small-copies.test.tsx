import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { copyQueue } from './copy-queue.ts'
import { SmallCopies } from './small-copies.tsx'

/** A server with trainings that lack a copy, and the number of times that it was asked for them. */
function open(lacking: string[]) {
  const ask = vi.fn<() => void>()
  const callApi = (({ path }: { path: string }) => {
    // Work that has begun waits for ever.
    if (path !== '/api/modules/small-copies') return new Promise(() => {})
    ask()
    return Promise.resolve({ success: true, modules: lacking.map((id) => ({ id, title: id })) })
  }) as unknown as CallApi
  renderApp(<SmallCopies />, { callApi })
  return { ask }
}

afterEach(() => copyQueue.stop())

describe('SmallCopies', () => {
  it('has nothing to say while all trainings have theirs', async () => {
    const { ask } = open([])
    await vi.waitFor(() => expect(ask).toHaveBeenCalledOnce())
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('makes those that are missing when asked to, says how far it is, and stops', async () => {
    const user = userEvent.setup()
    const { ask } = open(['m1', 'm2'])
    await user.click(await screen.findByRole('button', { name: /Small copies\s*2/ }))
    expect(screen.getByText('2 trainings have no small copy.')).toBeVisible()
    expect(copyQueue.store.getState().moduleIds).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Make now' }))
    await vi.waitFor(() => expect(copyQueue.store.getState().moduleIds).toEqual(['m1', 'm2']))
    expect(screen.getByText('Still to make: 2')).toBeVisible()
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    act(() => copyQueue.store.setState({ wait: 'video' }))
    expect(screen.getByRole('status')).toHaveTextContent('Waits while a video plays.')
    act(() => copyQueue.store.setState({ wait: 'sparing' }))
    expect(screen.getByRole('status')).toHaveTextContent('Waits to spare the battery or mobile data.')
    act(() => copyQueue.store.setState({ wait: null }))
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    expect(ask).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(copyQueue.store.getState().moduleIds).toEqual([])
    expect(await screen.findByRole('button', { name: 'Make now' })).toBeVisible()
  })
})
