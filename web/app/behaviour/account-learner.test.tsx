// Behaviour: progress from before signing in follows its person into the account.
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { VisitorContext } from '#web/features/auth/visitor.ts'
import { keepAccountLearner, readAccountLearner } from '#web/features/learning/learner-id.ts'
import { ApiContext, type CallApi, PersonContext } from '#web/lib/api.ts'
import { fakeApi } from '#web/testing/render-app.tsx'
import { useAccountLearner } from '../workspace-root.tsx'

const CALL = 'POST /api/learning-metrics/account'
const LONG_AGO_MS = 0

/** Draws a page of the person while the server answers so. */
function openPage(answer: () => unknown) {
  const { callApi: ask, calls } = fakeApi({ [CALL]: answer })
  const asked: Promise<unknown>[] = []
  const callApi: CallApi = (call) => {
    const answered = ask(call)
    asked.push(answered)
    return answered
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <VisitorContext value="signedIn">
      <PersonContext value="me">
        <ApiContext value={callApi}>{children}</ApiContext>
      </PersonContext>
    </VisitorContext>
  )
  return { ...renderHook(useAccountLearner, { wrapper }), calls, settle: () => Promise.allSettled(asked) }
}

const read = () => readAccountLearner()
const fail = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => localStorage.clear())

describe('useAccountLearner', () => {
  it("keeps the account's token for the share page, and asks once a day", async () => {
    await openPage(() => ({ success: true, learner: 'mine' })).settle()
    expect(read()).toMatchObject({ userId: 'me', token: 'mine' })
    expect(openPage(fail).calls).toEqual([])
  })

  it('keeps a token that could not be renewed', async () => {
    keepAccountLearner({ userId: 'me', token: 'mine', atMs: LONG_AGO_MS })
    const { calls, settle } = openPage(fail)
    await settle()
    expect(calls).toEqual([CALL])
    expect(read()).toMatchObject({ token: 'mine' })
  })

  it("forgets another person's token before the server has answered", () => {
    keepAccountLearner({ userId: 'other', token: 'theirs', atMs: Date.now() })
    openPage(() => new Promise(() => {}))
    expect(read()).toBeNull()
  })

  it('keeps no token that comes after the person has gone', async () => {
    const answer = Promise.withResolvers<unknown>()
    const { unmount, settle } = openPage(() => answer.promise)
    unmount()
    answer.resolve({ success: true, learner: 'mine' })
    await settle()
    expect(read()).toBeNull()
  })
})
