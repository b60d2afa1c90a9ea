import { ButtonLink } from '#web/ui/button.tsx'
import { CLOSING } from './landing-content.ts'

export function ClosingCall({ isSignedIn }: { isSignedIn: boolean }) {
  const [first, second] = isSignedIn
    ? [
        { to: '/upload', label: 'Upload Video' },
        { to: '/dashboard', label: 'Dashboard' },
      ]
    : [
        { to: '/sign-up', label: 'Start Free Trial' },
        { to: '/sign-in', label: 'Sign In' },
      ]
  return (
    <section className="mx-auto w-full max-w-7xl px-4 pb-20 sm:px-6 sm:pb-28">
      <div className="flex flex-col items-start gap-8 rounded-panel bg-brand-soft px-7 py-12 text-brand-ink sm:px-14 sm:py-16 lg:flex-row lg:items-center lg:justify-between">
        <div>
          <h2 className="max-w-xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-4xl">
            {CLOSING.title}
          </h2>
          <p className="mt-3 text-lg">{CLOSING.text}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={first.to} size="large">
            {first.label}
          </ButtonLink>
          <ButtonLink to={second.to} size="large" variant="secondary">
            {second.label}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
