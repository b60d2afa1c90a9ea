import { createContext, use } from 'react'

/** Who is here. `failed`: the sign-in service did not answer, so it is not known. */
export type Visitor = 'loading' | 'failed' | 'signedOut' | 'signedIn'

export const VisitorContext = createContext<Visitor>('loading')

export function useVisitor(): Visitor {
  return use(VisitorContext)
}

/** Clerk's terms in ours. A failed load leaves `isLoaded` false for ever, so `status` comes first. */
export function readVisitor(clerk: { status: string; isLoaded: boolean; isSignedIn: boolean | undefined }): Visitor {
  if (clerk.status === 'error') return 'failed'
  if (!clerk.isLoaded) return 'loading'
  return clerk.isSignedIn ? 'signedIn' : 'signedOut'
}
