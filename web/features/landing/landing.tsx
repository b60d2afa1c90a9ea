import { Check, Mic, Star } from 'lucide-react'
import * as m from '#messages'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Hero, TwoLinks } from './hero.tsx'
import { CLOSING, FIGURES, PROMISES, TESTIMONIALS, WAY } from './landing-content.ts'

function Figures() {
  return (
    <section aria-label={m.adapt_in_figures()} className="border-y border-line bg-surface">
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

/** Heights of the bars of a spoken sentence, in percent. */
const LOUDNESS = [
  18, 42, 70, 55, 30, 12, 8, 46, 82, 64, 90, 58, 34, 14, 8, 30, 62, 78, 50, 72, 40, 20, 10, 36, 66, 48, 24, 12,
]
const STEP_STARTS = [0, 7, 15, 23]

function VideoPicture() {
  return (
    <div className="w-full max-w-xs">
      <div className="flex h-20 items-center gap-[3px]">
        {LOUDNESS.map((height, index) => (
          <span
            key={`${index}-${height}`}
            style={{ height: `${height}%` }}
            className={`flex-1 rounded-full ${index < 10 ? 'bg-brand' : 'bg-line-strong/60'}`}
          />
        ))}
      </div>
      <div className="mt-4 grid grid-cols-[7fr_8fr_8fr_5fr] gap-1">
        {STEP_STARTS.map((start, index) => (
          <div
            key={start}
            className={`h-8 rounded-chip text-center text-xs leading-8 font-medium ${index === 1 ? 'bg-accent-soft text-accent-ink' : index === 0 ? 'bg-brand-soft text-brand-ink' : 'bg-surface text-ink-soft'}`}
          >
            {index + 1}
          </div>
        ))}
      </div>
    </div>
  )
}

function TutorPicture() {
  return (
    <div className="flex w-full max-w-xs flex-col gap-3 text-sm">
      <p className="flex items-center gap-2 self-end rounded-card rounded-ee-chip bg-brand px-4 py-2.5 text-on-brand">
        <Mic className="size-4" />
        {m.where_was_the_key_again()}
      </p>
      <p className="self-start rounded-card rounded-ss-chip border border-line bg-surface px-4 py-2.5">
        {fillMarks(m.answer_under_keys(), {
          time: (inner) => (
            <span className="rounded-chip bg-accent-soft px-1.5 py-0.5 text-xs font-medium text-accent-ink tabular-nums">
              {inner}
            </span>
          ),
        })}
      </p>
    </div>
  )
}

function ProgressPicture() {
  return (
    <div className="w-full max-w-xs rounded-card border border-line bg-surface p-4 text-sm">
      {[m.open_the_studio(), m.create_the_project(), m.add_training_data()].map((title, index) => (
        <div key={title} className="flex items-center gap-3 py-1.5">
          <span
            className={`grid size-5 place-items-center rounded-full ${index < 2 ? 'bg-brand text-on-brand' : 'border-2 border-line-strong'}`}
          >
            {index < 2 && <Check className="size-3" strokeWidth={3.5} />}
          </span>
          <span className={index < 2 ? 'text-ink-faint line-through' : 'font-medium'}>{title}</span>
        </div>
      ))}
      <div className="mt-3 flex items-center gap-3">
        <span className="h-2 flex-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full w-2/3 rounded-full bg-brand" />
        </span>
        <span className="text-xs font-medium text-ink-soft tabular-nums">67%</span>
      </div>
    </div>
  )
}

const PICTURES = { video: VideoPicture, tutor: TutorPicture, progress: ProgressPicture }

function SectionHeading({ children }: { children: string }) {
  return <h2 className="max-w-2xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-5xl">{children}</h2>
}

function Promises() {
  return (
    <section className="mx-auto w-full max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
      <SectionHeading>{m.a_video_that_teaches_not()}</SectionHeading>
      <div className="mt-12 grid gap-5 lg:grid-cols-3">
        {PROMISES.map(({ picture, title, text }) => {
          const Picture = PICTURES[picture]
          return (
            <article
              key={title}
              className="flex flex-col overflow-hidden rounded-panel border border-line bg-surface shadow-card"
            >
              <div
                aria-hidden="true"
                className="grid h-56 place-items-center border-b border-line bg-sunken px-8 select-none"
              >
                <Picture />
              </div>
              <div className="p-7">
                <h3 className="text-xl font-semibold">{title}</h3>
                <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
              </div>
            </article>
          )
        })}
      </div>
    </section>
  )
}

/** Dark in both schemes, as a video is. */
function Way() {
  return (
    <section className="bg-screen text-on-screen">
      <div className="mx-auto max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
        <SectionHeading>{m.from_recording_to_course_in()}</SectionHeading>
        <ol className="mt-14 grid gap-10 md:grid-cols-3 md:gap-0">
          {WAY.map(({ title, text }, index) => (
            <li
              key={title}
              className="relative border-white/15 max-md:border-s max-md:ps-6 md:border-t md:pt-8 md:pe-10"
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

function Testimonials() {
  return (
    <section className="mx-auto w-full max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
      <SectionHeading>{m.trainers_who_stopped_repeating_themselves()}</SectionHeading>
      <div className="mt-12 grid gap-5 lg:grid-cols-3">
        {TESTIMONIALS.map(({ quote, name, role }) => (
          <figure key={name} className="flex flex-col rounded-panel border border-line bg-surface p-7 shadow-card">
            <div role="img" aria-label={m.rated_5_out_of_5()} className="flex gap-1 text-accent">
              {[1, 2, 3, 4, 5].map((star) => (
                <Star key={star} aria-hidden="true" className="size-4 fill-current" />
              ))}
            </div>
            <blockquote className="mt-5 flex-1 text-lg leading-relaxed">{quote}</blockquote>
            <figcaption className="mt-7 flex items-center gap-3 border-t border-line pt-5">
              <span
                aria-hidden="true"
                className="grid size-10 place-items-center rounded-full bg-brand-soft text-sm font-semibold text-brand-ink"
              >
                {name.split(' ').map((word) => word.charAt(0))}
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

function ClosingCall({ isSignedIn }: { isSignedIn: boolean }) {
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
          <TwoLinks links={isSignedIn ? CLOSING.signedIn : CLOSING.signedOut} />
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
        <p>{m.training_videos_that_teach_step()}</p>
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
