import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Success } from '#contract/problem.ts'
import { useApi, useIsPasswordAsked } from '#web/lib/api.ts'
import { FakeClerk, fakeClerk, seedClerkInterface } from '#web/testing/fake-clerk.tsx'
import { renderApp } from '#web/testing/render-app.tsx'
import { ApiProvider } from './api-provider.tsx'
import { LateInterface } from './clerk-interface.ts'

const REFUSAL = {
  type: 'about:blank#reverification_needed',
  title: 'Confirm that it is you',
  status: 403,
  code: 'reverification_needed',
  detail: 'Enter it again.',
  requestId: 'r',
  success: false,
  error: 'Enter it again.',
  clerk_error: {
    type: 'forbidden',
    reason: 'reverification-error',
    metadata: { reverification: { level: 'first_factor', afterMinutes: 5 } },
  },
}

/** Tokens with which calls came. */
let tokens: string[]
/** Tokens that are fresh enough. */
let fresh: Set<string>
const ask = vi.fn<(asked: { level: string; afterVerification(): void; afterVerificationCancelled(): void }) => void>()

beforeEach(() => {
  tokens = []
  fresh = new Set()
  ask.mockReset()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    tokens.push(token)
    return fresh.has(token) ? Response.json({ success: true }) : Response.json(REFUSAL, { status: 403 })
  })
})

afterEach(() => vi.restoreAllMocks())

function Signer() {
  const callApi = useApi()
  const isAsked = useIsPasswordAsked()
  async function sign() {
    const said = document.querySelector('output') as HTMLOutputElement
    said.textContent = ''
    try {
      await callApi({ path: '/sign', method: 'POST', body: {}, schema: Success })
      said.textContent = 'signed'
    } catch (error) {
      said.textContent = (error as Error).message
    }
  }
  return (
    <>
      <button type="button" onClick={() => void sign()}>
        Sign
      </button>
      {isAsked && <p>asked</p>}
      <output />
    </>
  )
}

async function sign() {
  const clerk = fakeClerk({ email: 'mara@example.com' })
  const getToken = async ({ template = 'session' } = {}) => `${template}-${tokens.length}`
  Object.assign(clerk.session ?? {}, { getToken, lastActiveToken: { jwt: { claims: { sub: 'user_1' } } } })
  const page = (
    <FakeClerk clerk={Object.assign(clerk, { __internal_openReverification: ask })}>
      <ApiProvider>
        <Signer />
      </ApiProvider>
    </FakeClerk>
  )
  const { user } = renderApp(page)
  await user.click(await screen.findByRole('button', { name: 'Sign' }))
  return user
}

it('repeats a call with the token of the session, which says when the password was given', async () => {
  fresh.add('session-1')
  await sign()
  expect(await screen.findByText('signed')).toBeVisible()
  expect(tokens).toEqual(['api-0', 'session-1'])
  expect(ask).not.toHaveBeenCalled()
})

it('fails with what to do where the form for the password does not come', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const append = vi.spyOn(document.head, 'append').mockReturnValue(undefined)
  Reflect.construct(LateInterface, [() => 'clerk', () => null, {}, {}])
  await sign()
  await vi.waitFor(() => expect(append).toHaveBeenCalled())
  await act(() => vi.advanceTimersByTimeAsync(15_000))
  const said = 'The form for your password could not be loaded. Check your connection, then sign again.'
  expect(await screen.findByText(said)).toBeVisible()
  expect(ask).not.toHaveBeenCalled()
})

it('does not wait for ever for the files of the form', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  seedClerkInterface(() => new Promise(() => {}))
  await sign()
  await vi.waitFor(() => expect(tokens).toHaveLength(2))
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(await screen.findByText(/^The form for your password could not be loaded\./)).toBeVisible()
  expect(ask).not.toHaveBeenCalled()
})

it('has Clerk ask for the password where that is too long ago, and repeats the call after it', async () => {
  seedClerkInterface()
  fresh.add('session-2')
  await sign()
  expect(await screen.findByText('asked')).toBeVisible()
  expect(ask).toHaveBeenCalledWith(expect.objectContaining({ level: 'first_factor' }))
  ask.mock.calls[0]?.[0].afterVerification()
  expect(await screen.findByText('signed')).toBeVisible()
  expect(screen.queryByText('asked')).toBeNull()
})

it('fails as it was refused where the password is not given, or does not help', async () => {
  seedClerkInterface()
  const user = await sign()
  await screen.findByText('asked')
  ask.mock.calls[0]?.[0].afterVerificationCancelled()
  expect(await screen.findByText('Enter it again. (HTTP 403)')).toBeVisible()
  expect(screen.queryByText('asked')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  await screen.findByText('asked')
  ask.mock.calls[1]?.[0].afterVerification()
  expect(await screen.findByText('Enter it again. (HTTP 403)')).toBeVisible()
  expect(tokens).toHaveLength(5)
})
