import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Health } from '#contract/debug.ts'
import { ApiContext, type CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { makeQueryClient } from '#web/lib/query-client.ts'
import { HealthCard } from './health-card.tsx'

const WELL: Health = {
  success: true,
  postgres: 'ok',
  s3: 'ok',
  qstash: 'ok',
  d1: 'ok',
  r2: 'ok',
  queues: 'ok',
  ai: 'not called yet',
  durableObjects: 'ok',
  speechPreparation: null,
  environment: 'production',
  uptime: 7_500,
  version: '1',
  release: 'abc1234',
}

function show(answer: Health | ApiError) {
  const api: CallApi = async (call) => {
    if (answer instanceof ApiError) throw answer
    return call.schema.parse(answer)
  }
  const client = makeQueryClient()
  client.setDefaultOptions({ queries: { retry: false } })
  render(
    <QueryClientProvider client={client}>
      <ApiContext value={api}>
        <HealthCard />
      </ApiContext>
    </QueryClientProvider>,
  )
}

function partOf(label: string) {
  return screen.getByText(label).nextElementSibling
}

it('shows what the answer says of each part', { tags: 'spec-3.6' }, async () => {
  show({ ...WELL, queues: 'backed up: speech (7, 20 min)' })
  expect(await screen.findByText('backed up: speech (7, 20 min)')).toHaveClass('text-danger-ink')
  for (const label of ['Database', 'Storage', 'Live rooms']) expect(partOf(label)).toHaveTextContent('ok')
  expect(partOf('AI')).toHaveTextContent('not called yet')
  expect(partOf('Version')).toHaveTextContent('1 · production')
  expect(partOf('Uptime')).toHaveTextContent('2 h 5 min')
})

it('shows the other parts when the database is away', async () => {
  const body = { ...WELL, success: false, d1: 'unreachable: nothing can be opened or saved' }
  show(new ApiError({ status: 503, code: 'http', message: '503', body }))
  expect(await screen.findByText(body.d1)).toHaveClass('text-danger-ink')
  expect(partOf('Storage')).toHaveTextContent('ok')
})

it('says that the server does not answer', async () => {
  show(new ApiError({ status: 0, code: 'network', message: 'Offline.' }))
  expect(await screen.findByRole('alert')).toHaveTextContent("Adapt's server does not answer.")
})
