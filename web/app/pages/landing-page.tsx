import { useLikelySignedIn } from '#web/features/auth/visitor.ts'
import { Landing } from '#web/features/landing/landing.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** At `/` and at every address that is nothing else. */
export function LandingPage() {
  usePageTitle('Adapt')
  return <Landing isSignedIn={useLikelySignedIn()} />
}
