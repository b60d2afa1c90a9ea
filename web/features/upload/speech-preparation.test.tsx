import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Health } from '#contract/debug.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { SpeechPreparation } from './speech-preparation.tsx'

const HEALTH: Health = {
  success: true,
  postgres: 'ok',
  s3: 'ok',
  qstash: 'ok',
  d1: 'ok',
  r2: 'ok',
  queues: 'ok',
  ai: 'ok',
  durableObjects: 'ok',
  speechPreparation: null,
  environment: 'local',
  uptime: 1,
  version: '1',
  release: '1',
}
const MEGABYTE = 1024 ** 2

it('says how far speech recognition is prepared, until it is', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const answers = [{ doneBytes: 0, totalBytes: 0 }, { doneBytes: 96 * MEGABYTE, totalBytes: 240 * MEGABYTE }, null]
  const { callApi, calls } = fakeApi({
    'GET /api/health': () => ({ ...HEALTH, speechPreparation: answers.shift() ?? null }),
  })
  renderApp(<SpeechPreparation />, { callApi })
  expect(await screen.findByText('Speech recognition is being prepared')).toBeVisible()
  expect(screen.getByText('Videos that you upload meanwhile wait for it.', { exact: false })).toBeVisible()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await screen.findByText('Speech recognition is being prepared: 96 of 240 MB')).toBeVisible()
  await vi.advanceTimersByTimeAsync(3_000)
  await vi.waitFor(() => expect(screen.queryByText(/Speech recognition/)).toBeNull())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toHaveLength(3)
  vi.useRealTimers()
})

it('says nothing where the state is not known', async () => {
  const { callApi, calls } = fakeApi({})
  renderApp(<SpeechPreparation />, { callApi })
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByText(/Speech recognition/)).toBeNull()
})
