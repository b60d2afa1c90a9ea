import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ScreenAnswer, ScreenBlock } from '#contract/screen.ts'
import { makeModule } from '#contract/testing/examples.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { setScreenProgress } from '#web/lib/screen-progress.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ScreenSettings } from './screen-settings.tsx'

const BLOCK: ScreenBlock = {
  text: 'ls -a',
  startMs: 0,
  endMs: 1_000,
  box: { x: 0, y: 0, width: 0.1, height: 0.1 },
  kind: 'command',
  confidence: 0.9,
}

function open(answer: Partial<ScreenAnswer>, fields: Partial<LoadedModule> = {}) {
  const patched: unknown[] = []
  const api = fakeApi({
    'GET /api/modules/m1/screen': () => ({
      success: true,
      corrections: [],
      videoId: 'm1',
      ignoredArea: null,
      ...answer,
      readsScreen: patched.length === 0 && answer.readsScreen,
    }),
    'PATCH /api/modules/m1': (body) => {
      patched.push(body)
      return { success: true }
    },
    'PUT /api/account/screen': (body) => {
      patched.push(body)
      return { success: true }
    },
  })
  const module = {
    ...makeModule(),
    id: 'm1',
    status: 'READY',
    hasVideo: true,
    language: null,
    ...fields,
  } as LoadedModule
  return {
    ...renderApp(<ScreenSettings module={module} onSeek={() => undefined} />, { callApi: api.callApi }),
    patched,
  }
}

it('offers to read a screen that was not read, and says what was read from another', async () => {
  open({ readsScreen: true, reading: null })
  expect(await screen.findByRole('button', { name: 'Read the screen' })).toBeVisible()
})

it('says what was read, and how far this tab is with reading', async () => {
  open({ readsScreen: true, reading: { readMs: 9_000, isDone: true, secrets: [], blocks: [BLOCK] } })
  expect(await screen.findByRole('status')).toHaveTextContent('1 line was read from the screen.')
  act(() => setScreenProgress('m1', 40))
  expect(screen.getByRole('status')).toHaveTextContent('Reading the screen: 40 %')
  expect(screen.queryByRole('button', { name: /Read the screen/ })).toBeNull()
  act(() => setScreenProgress('m1', null))
})

it('offers nothing while the video is being processed', async () => {
  open({ readsScreen: true, reading: null }, { status: 'PROCESSING' })
  expect(await screen.findByRole('switch', { name: 'Text on the screen' })).toBeChecked()
  expect(screen.queryByRole('button')).toBeNull()
})

it('is switched off by its owner', async () => {
  const { user, patched } = open({ readsScreen: true, reading: null })
  await user.click(await screen.findByRole('switch', { name: 'Text on the screen' }))
  expect(patched).toEqual([{ readsScreen: false }])
  expect(await screen.findByText('The text that the video shows is not read.')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

it('is switched off for all trainings by those who manage the organization’s', async () => {
  const fields = { organization: 'active' } as const
  const { user, patched } = open(
    { readsScreen: true, reading: null, organization: { readsScreen: true, mayChange: true } },
    fields,
  )
  await user.click(await screen.findByRole('switch', { name: /in all trainings of your organization/ }))
  expect(patched).toEqual([{ readsScreen: false }])
  expect(await screen.findByText('The text that the video shows is not read.')).toBeVisible()
})

it.each([
  ['another member', 'active', { readsScreen: true, mayChange: false }],
  ['a person without an organization', null, null],
] as const)('shows no switch of an organization to %s', async (_, of, organization) => {
  open({ readsScreen: true, reading: null, organization }, { organization: of })
  await screen.findByRole('switch', { name: 'Text on the screen' })
  expect(screen.getAllByRole('switch')).toHaveLength(1)
})
