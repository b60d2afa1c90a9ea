import { createContext, use } from 'react'
import { hasSessionHint } from './session-hint.ts'

/**
 * Who is here. `failed`: the sign-in service did not answer, so it is not known. `needsOrganization`: a person who is known,
 * and can do nothing before an organization is the active one.
 */
export type Visitor = 'loading' | 'failed' | 'signedOut' | 'needsOrganization' | 'signedIn'

export const VisitorContext = createContext<Visitor>('loading')

export function useVisitor(): Visitor {
  return use(VisitorContext)
}

/** Id of the organization that a person works in; null without one, and while it is not known. */
export const ActiveOrganizationContext = createContext<string | null>(null)

export function useActiveOrganization(): string | null {
  return use(ActiveOrganizationContext)
}

interface ClerkState {
  status: string
  isLoaded: boolean
  isSignedIn: boolean | undefined
  /** What the session waits for; undefined for nothing. Clerk's form of sign-in sees to other tasks than an organization. */
  task: string | undefined
}

/** Clerk's terms in ours. A failed load leaves `isLoaded` false for ever, so `status` comes first. */
export function readVisitor(clerk: ClerkState): Visitor {
  if (clerk.status === 'error') return 'failed'
  if (!clerk.isLoaded) return 'loading'
  if (clerk.task === 'choose-organization') return 'needsOrganization'
  return clerk.isSignedIn ? 'signedIn' : 'signedOut'
}

/** What to draw before Clerk has answered, so that the page does not change under the reader a second later. */
export function useLikelySignedIn(): boolean {
  const visitor = useVisitor()
  return visitor === 'loading'
    ? hasSessionHint(document.cookie)
    : visitor === 'signedIn' || visitor === 'needsOrganization'
}
