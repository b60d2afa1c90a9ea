import { ClosingCall } from './closing-call.tsx'
import { Figures } from './figures.tsx'
import { Hero } from './hero.tsx'
import { Promises } from './promises.tsx'
import { SiteFooter } from './site-footer.tsx'
import { Testimonials } from './testimonials.tsx'
import { Way } from './way.tsx'

/** The landing page: the same text for all visitors, other links for those who are signed in. */
export function Landing({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <>
      <Hero isSignedIn={isSignedIn} />
      <Figures />
      <Promises />
      <Way />
      <Testimonials />
      <ClosingCall isSignedIn={isSignedIn} />
      <SiteFooter />
    </>
  )
}
