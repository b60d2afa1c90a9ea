import type { ReactNode } from 'react'
import { useMatches } from 'react-router-dom'
import { LoadingScreen } from '#web/ui/loading.tsx'
import { useLikelySignedIn } from './visitor.ts'

/** `handle` of a route behind sign-in whose heading says nothing about the person. */
export interface HeadingHandle {
  /** Stands where the page itself has it, so that nothing moves when the page comes. */
  heading: ReactNode
}

/**
 * Draws the heading of the page that comes over the spinner, where a session is likely: the largest text of a page
 * does not wait until Clerk has confirmed who is here.
 */
export function PageLoading() {
  const handle: unknown = useMatches().at(-1)?.handle
  const isShown = useLikelySignedIn() && typeof handle === 'object' && handle !== null && 'heading' in handle
  return <LoadingScreen heading={isShown ? (handle as HeadingHandle).heading : null} />
}
