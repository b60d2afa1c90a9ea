import { describe, expect, it } from 'vitest'
import { withDeadline } from './call-service.ts'

const never = () => new Promise<string>(() => {})
const patient = { timeoutMs: 60_000, who: 'The service' }

describe('withDeadline', () => {
  it('returns the answer', async () => {
    const { signal } = new AbortController()
    expect(await withDeadline({ ...patient, signal }, async () => 'answer')).toBe('answer')
  })

  it('ends a call that ignores its signal, as ai_timeout', { tags: 'fault-24' }, async () => {
    const { signal } = new AbortController()
    await expect(withDeadline({ ...patient, timeoutMs: 10, signal }, never)).rejects.toMatchObject({
      code: 'ai_timeout',
    })
  })

  it("throws the caller's own reason when the caller stops it, before or while it runs", async () => {
    const controller = new AbortController()
    const running = withDeadline({ ...patient, signal: controller.signal }, never)
    controller.abort(new Error('run stopped'))
    await expect(running).rejects.toThrow('run stopped')
    await expect(withDeadline({ ...patient, signal: controller.signal }, never)).rejects.toThrow('run stopped')
  })

  it('aborts the signal of the call at the deadline', async () => {
    const seen: AbortSignal[] = []
    const { signal } = new AbortController()
    const call = (inner: AbortSignal) => {
      seen.push(inner)
      return never()
    }
    await expect(withDeadline({ ...patient, timeoutMs: 10, signal }, call)).rejects.toThrow()
    expect(seen[0]?.aborted).toBe(true)
  })
})
