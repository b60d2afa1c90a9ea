import { Star } from 'lucide-react'
import { ButtonLink } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Hero } from './hero.tsx'
import { CLOSING, FIGURES, TESTIMONIALS, WAY } from './landing-content.ts'
import { Promises } from './promises.tsx'

function Figures() {
  return (
    <section aria-label="Adapt in figures" className="border-y border-line bg-surface">
      <dl className="mx-auto grid max-w-7xl grid-cols-2 gap-px overflow-hidden px-4 sm:px-6 lg:grid-cols-4">
        {FIGURES.map(({ value, label }) => (
          <div key={label} className="flex flex-col-reverse py-8 sm:py-12">
            <dt className="mt-1 text-sm text-ink-soft sm:text-base">{label}</dt>
            <dd className="text-3xl font-semibold tracking-[-0.03em] tabular-nums sm:text-5xl">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Dark in both schemes, as a video is. */
function Way() {
  return (
    <section className="bg-screen text-on-screen">
      <div className="mx-auto max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
        <h2 className="max-w-2xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-5xl">
          From recording to course in three moves
        </h2>
        <ol className="mt-14 grid gap-10 md:grid-cols-3 md:gap-0">
          {WAY.map(({ title, text }, index) => (
            <li
              key={title}
              className="relative border-white/15 max-md:border-l max-md:pl-6 md:border-t md:pt-8 md:pr-10"
            >
              <span className="absolute size-2.5 rounded-full bg-screen-accent max-md:top-1.5 max-md:-left-[5.5px] md:-top-[5.5px] md:left-0" />
              <p className="text-sm text-on-screen-soft tabular-nums">0{index + 1}</p>
              <h3 className="mt-2 text-2xl font-semibold">{title}</h3>
              <p className="mt-3 leading-relaxed text-on-screen-soft">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

const STARS = [1, 2, 3, 4, 5]

function Testimonials() {
  return (
    <section className="mx-auto w-full max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
      <h2 className="max-w-2xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-5xl">
        Trainers who stopped repeating themselves
      </h2>
      <div className="mt-12 grid gap-5 lg:grid-cols-3">
        {TESTIMONIALS.map(({ quote, name, role }) => (
          <figure key={name} className="flex flex-col rounded-panel border border-line bg-surface p-7 shadow-card">
            <div role="img" aria-label="Rated 5 out of 5 stars" className="flex gap-1 text-accent">
              {STARS.map((star) => (
                <Star key={star} aria-hidden="true" className="size-4 fill-current" />
              ))}
            </div>
            <blockquote className="mt-5 flex-1 text-lg leading-relaxed">{quote}</blockquote>
            <figcaption className="mt-7 flex items-center gap-3 border-t border-line pt-5">
              <span
                aria-hidden="true"
                className="grid size-10 place-items-center rounded-full bg-brand-soft text-sm font-semibold text-brand-ink"
              >
                {initials(name)}
              </span>
              <span>
                <span className="block font-medium">{name}</span>
                <span className="block text-sm text-ink-soft">{role}</span>
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
}

function ClosingCall({ isSignedIn }: { isSignedIn: boolean }) {
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

function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-4 px-4 py-8 text-sm text-ink-soft sm:px-6">
        <Logo />
        <p>Training videos that teach step by step.</p>
      </div>
    </footer>
  )
}

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
