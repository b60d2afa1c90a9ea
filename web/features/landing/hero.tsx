import { ArrowRight } from 'lucide-react'
import { ButtonLink } from '#web/ui/button.tsx'
import { HeroPicture } from './hero-picture.tsx'
import { HERO } from './landing-content.ts'

export function Hero({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <section className="relative overflow-hidden">
      <div className="mx-auto max-w-7xl px-4 pt-14 sm:px-6 sm:pt-20 lg:pt-24">
        <div className="grid items-end gap-x-12 gap-y-8 lg:grid-cols-12">
          <h1 className="text-[2.5rem] leading-[1.04] font-semibold tracking-[-0.035em] sm:text-6xl lg:col-span-7 xl:text-7xl">
            {HERO.title}
          </h1>
          <div className="lg:col-span-5 lg:pb-2">
            <p className="max-w-xl text-lg leading-relaxed text-ink-soft">{HERO.text}</p>
            <div className="mt-7 flex flex-wrap gap-3">
              <HeroLinks isSignedIn={isSignedIn} />
            </div>
          </div>
        </div>
      </div>
      <Ruler />
      <div className="mx-auto max-w-7xl px-4 pb-20 sm:px-6 sm:pb-28">
        <HeroPicture />
      </div>
    </section>
  )
}

function HeroLinks({ isSignedIn }: { isSignedIn: boolean }) {
  const [first, second] = isSignedIn
    ? [
        { to: '/dashboard', label: 'Dashboard' },
        { to: '/upload', label: 'Upload Video' },
      ]
    : [
        { to: '/sign-up', label: 'Get Started' },
        { to: '/sign-in', label: 'Sign In' },
      ]
  return (
    <>
      <ButtonLink to={first.to} size="large">
        {first.label}
        <ArrowRight aria-hidden="true" className="size-4" />
      </ButtonLink>
      <ButtonLink to={second.to} size="large" variant="secondary">
        {second.label}
      </ButtonLink>
    </>
  )
}

/** The ruler of a video editor, with the playhead on it. */
function Ruler() {
  return (
    <div aria-hidden="true" className="relative mt-14 h-10 sm:mt-16">
      <div className="absolute inset-0 bg-[repeating-linear-gradient(90deg,var(--color-line)_0_1px,transparent_1px_14px)] [mask-image:linear-gradient(to_top,black_35%,transparent_35%)]" />
      <div className="absolute inset-0 bg-[repeating-linear-gradient(90deg,var(--color-line-strong)_0_1px,transparent_1px_140px)] opacity-70 [mask-image:linear-gradient(to_top,black_65%,transparent_65%)]" />
      <div className="absolute inset-x-0 bottom-0 h-px bg-line" />
      <div className="absolute bottom-0 left-[38%] h-10 w-0.5 rounded-full bg-accent">
        <span className="absolute -top-1 -left-[5px] size-3 rounded-full bg-accent" />
      </div>
    </div>
  )
}
