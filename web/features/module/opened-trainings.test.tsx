import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { EditedModule, OpenedModule } from '#contract/module.ts'
import { useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { openedQuery } from './module-queries.ts'
import { OpenedTrainings } from './opened-trainings.tsx'

const LIST = 'GET /api/opened-modules'

function opened(id: string, fields: Partial<OpenedModule> = {}): OpenedModule {
  return {
    id,
    title: `Training ${id}`,
    openedAt: '2026-11-21T10:00:00.000Z',
    trainingUrl: `/training/${id}`,
    posterUrl: null,
    totalDuration: 200,
    seenSeconds: 0,
    completedAt: null,
    ...fields,
  }
}

function Section() {
  const query = useQuery({ ...openedQuery(useApi()), retry: false })
  return (
    <>
      <p>{query.isPending ? 'Loading' : 'Loaded'}</p>
      <OpenedTrainings query={query} />
    </>
  )
}

async function open(
  modules: OpenedModule[],
  more: Record<string, () => unknown> = {},
  edited: readonly EditedModule[] = [],
) {
  const api = fakeApi({ [LIST]: () => ({ success: true, modules, edited }), ...more })
  const app = renderApp(<Section />, { callApi: api.callApi })
  await screen.findByText('Loaded')
  return { ...app, calls: api.calls }
}

const titles = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
const refusal = () => {
  throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
}

describe('OpenedTrainings', () => {
  it('shows title, day and progress of each, and leads to its training page', async () => {
    await open([
      opened('a', { seenSeconds: 91 }),
      opened('b', { completedAt: '2026-11-21T10:00:00.000Z', seenSeconds: 180 }),
      opened('c', { totalDuration: null }),
    ])
    expect(screen.getByRole('heading', { level: 2, name: 'Trainings you opened' })).toBeVisible()
    expect(titles()).toEqual(['Training a', 'Training b', 'Training c'])
    expect(screen.getByRole('link', { name: 'Training a' })).toHaveAttribute('href', '/training/a')
    expect(screen.getAllByText('Opened Nov 21, 2026')).toHaveLength(3)
    expect(screen.getByText('45% seen')).toBeVisible()
    expect(screen.getAllByRole('progressbar')).toHaveLength(1)
    expect(screen.getByRole('progressbar', { name: 'Seen of Training a' })).toHaveAttribute('aria-valuenow', '45')
    expect(screen.getByText('Completed')).toBeVisible()
  })

  it('is not there for a person who has opened none', async () => {
    await open([])
    expect(screen.queryByRole('heading')).toBeNull()
  })

  it('shows three, and all on demand', async () => {
    const { user } = await open(['a', 'b', 'c', 'd'].map((id) => opened(id)))
    expect(titles()).toHaveLength(3)
    await user.click(screen.getByRole('button', { name: 'Show all 4' }))
    expect(titles()).toHaveLength(4)
    await user.click(screen.getByRole('button', { name: 'Show fewer' }))
    expect(titles()).toHaveLength(3)
  })

  it('takes one off at once, with the focus on the heading', async () => {
    const { user, calls } = await open([opened('a'), opened('b')], {
      'DELETE /api/opened-modules/a': () => new Promise(() => {}),
    })
    await user.click(screen.getByRole('button', { name: 'Remove from this list: Training a' }))
    await waitFor(() => expect(titles()).toEqual(['Training b']))
    expect(screen.getByRole('heading', { name: 'Trainings you opened' })).toHaveFocus()
    expect(calls).toContain('DELETE /api/opened-modules/a')
  })

  it('puts it back and says why when the server refuses', async () => {
    const { user } = await open([opened('a'), opened('b')], { 'DELETE /api/opened-modules/a': refusal })
    await user.click(screen.getByRole('button', { name: 'Remove from this list: Training a' }))
    expect(await screen.findByText('Failed to remove the training')).toBeInTheDocument()
    expect(screen.getByText('Busy.')).toBeInTheDocument()
    expect(titles()).toEqual(['Training a', 'Training b'])
  })

  it('does not bring another one back that was removed meanwhile', async () => {
    const answer = Promise.withResolvers<unknown>()
    const { user, calls } = await open([], {
      [LIST]: () => ({ success: true, modules: ['a', 'b', 'c'].map((id) => opened(id)) }),
      'DELETE /api/opened-modules/a': () => answer.promise,
      'DELETE /api/opened-modules/b': () => new Promise(() => {}),
    })
    await user.click(screen.getByRole('button', { name: 'Remove from this list: Training a' }))
    await user.click(screen.getByRole('button', { name: 'Remove from this list: Training b' }))
    await waitFor(() => expect(titles()).toEqual(['Training c']))
    answer.reject(new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' }))
    await waitFor(() => expect(titles()).toEqual(['Training a', 'Training c']))
    expect(calls.filter((call) => call === LIST)).toHaveLength(1)
  })

  it('says that it could not be loaded, and loads it again', async () => {
    let isAway = true
    const { user } = await open([], { [LIST]: () => (isAway ? refusal() : { success: true, modules: [opened('a')] }) })
    expect(screen.getByRole('alert')).toHaveTextContent('The trainings that you opened could not be loaded. Busy.')
    isAway = false
    await user.click(screen.getByRole('button', { name: 'Retry loading trainings' }))
    await waitFor(() => expect(titles()).toEqual(['Training a']))
  })
})

describe('trainings that a person was invited to edit', () => {
  it('stand before the others, and go once the person says so', async () => {
    const { user, calls } = await open([opened('a')], { 'DELETE /api/opened-modules/b': () => new Promise(() => {}) }, [
      opened('b'),
    ])
    expect(titles()).toEqual(['Training b', 'Training a'])
    await user.click(screen.getByRole('button', { name: 'Stop editing: Training b' }))
    const question = await screen.findByRole('alertdialog')
    expect(question).toHaveTextContent('You need another invitation to edit it again.')
    expect(calls).not.toContain('DELETE /api/opened-modules/b')
    await user.click(within(question).getByRole('button', { name: 'Stop editing' }))
    await waitFor(() => expect(titles()).toEqual(['Training a']))
    expect(calls).toContain('DELETE /api/opened-modules/b')
  })
})
