import { ClerkProvider } from '@clerk/react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { onTestFinished, vi } from 'vitest'
import { LateInterface } from '#web/features/auth/clerk-interface.ts'

type GivenClerk = NonNullable<ComponentProps<typeof ClerkProvider>['Clerk']>

/** Stands for Clerk's script, which knows who is here. Its interface draws, of the form that is wanted, where it leads. */
export function fakeClerk({ email, organization: name }: { email?: string; organization?: string } = {}) {
  const organization = name === undefined ? null : { id: 'org_1', name }
  const organizationMemberships = organization === null ? [] : [{ organization }]
  const address = { primaryEmailAddress: { emailAddress: email } }
  const user = email === undefined ? null : { id: 'user_1', ...address, organizationMemberships }
  const session = user && { id: 'session_1', status: 'active', user, lastActiveToken: null }
  const resources = { user, session, organization, client: { sessions: [] } }
  return {
    loaded: true,
    status: 'ready',
    ...resources,
    __internal_lastEmittedResources: resources,
    addListener(listener: (now: typeof resources) => void) {
      listener(resources)
      return () => {}
    },
    on(_event: string, listener: (status: string) => void) {
      listener('ready')
    },
    off() {},
    // Of a development instance alone.
    __internal_attemptToEnableEnvironmentSetting() {},
    signOut: vi.fn(async () => {}),
    mountTaskChooseOrganization(node: HTMLElement, { redirectUrlComplete = '' }) {
      node.textContent = `to ${redirectUrlComplete}`
    },
    unmountTaskChooseOrganization() {},
  }
}

/** Clerk's own provider, around what the test draws. */
export function FakeClerk({
  clerk = fakeClerk(),
  children,
}: {
  clerk?: ReturnType<typeof fakeClerk>
  children: ReactNode
}) {
  const [given] = useState(clerk as unknown as GivenClerk)
  return (
    <ClerkProvider publishableKey={`pk_test_${btoa('clerk.example.com$')}`} Clerk={given}>
      {children}
    </ClerkProvider>
  )
}

/** Its script is loaded once in a file of tests. */
let planted: () => Promise<object> = async () => ({})

/**
 * Has Clerk's interface ready until the test ends, as after its script has come.
 * @param ensureMounted loads a part of it
 */
export function seedClerkInterface(ensureMounted: () => Promise<object> = async () => ({})): void {
  class Planted {
    static readonly version = '1'
    readonly ensureMounted = () => planted()
  }
  planted = ensureMounted
  vi.stubGlobal('__internal_ClerkUICtor', Planted)
  const append = vi.spyOn(document.head, 'append')
  append.mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof Element) queueMicrotask(() => node.dispatchEvent(new Event('load')))
  })
  onTestFinished(() => {
    append.mockRestore()
    vi.unstubAllGlobals()
  })
  Reflect.construct(LateInterface, [() => 'clerk', () => null, {}, {}])
}
