import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Context } from '#worker/core/context.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { ring } from './ring.ts'

/** Queues that all send as the test says. */
const queuesOf = (send: (body: unknown, options: unknown) => Promise<void>) => {
  const queue = { send } as unknown as Queue
  return { ingest: queue, transcribe: queue, write_steps: queue, translate: queue, notify: queue } as Context['queues']
}

describe('ring', () => {
  it('sends the kind alone, at once or later', async () => {
    const send = vi.fn(async () => {})
    await ring({ queues: queuesOf(send) }, 'transcribe')
    await ring({ queues: queuesOf(send) }, 'transcribe', { delaySeconds: 7 })
    expect(send.mock.calls).toEqual([
      [{ kind: 'transcribe' }, { delaySeconds: 0 }],
      [{ kind: 'transcribe' }, { delaySeconds: 7 }],
    ])
  })

  it('says that a doorbell is lost, and fails nothing: recovery rings again', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    await ring({ queues: queuesOf(() => Promise.reject(new Error('Queue is away'))) }, 'notify')
    expect(linesWhere(warnings, () => true)).toMatchObject([{ event: 'doorbell_lost', stage: 'notify' }])
  })
})
