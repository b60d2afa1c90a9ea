import clsx from 'clsx'
import { ArrowRight, Check, type LucideIcon, Play, Sparkles } from 'lucide-react'
import * as m from '#messages'
import { ButtonLink } from '#web/ui/button.tsx'
import { HERO, PICTURE } from './landing-content.ts'

/** The product, drawn: nothing to download, sharp at any size, and in the reader's colour scheme. */
function HeroPicture() {
  return (
    <div
      role="img"
      aria-label={m.a_training_module_the_video()}
      className="relative -mt-px overflow-hidden rounded-b-panel border border-line bg-raised shadow-float"
    >
      <div aria-hidden="true" className="grid select-none lg:grid-cols-[1fr_23rem]">
        <div className="flex flex-col bg-screen">
          <Screen />
          <Controls />
        </div>
        <div className="flex flex-col border-line max-lg:border-t lg:border-s">
          <Steps />
          <Tutor />
        </div>
      </div>
    </div>
  )
}

/** What was recorded: some application with a dialog open and the pointer on its button. */
function Screen() {
  return (
    <div className="relative grid flex-1 place-items-center px-4 pt-6 pb-14 sm:px-12 sm:pt-10">
      <svg viewBox="0 0 640 360" className="w-full max-w-3xl" role="presentation">
        <rect width="640" height="360" rx="14" fill="#16211d" />
        <rect width="150" height="360" rx="14" fill="#1c2a25" />
        {[44, 78, 112, 146, 180].map((y, index) => (
          <rect
            key={y}
            x="24"
            y={y}
            width={index === 1 ? 98 : 74}
            height="10"
            rx="5"
            fill={index === 1 ? '#4ac6a2' : '#33473f'}
          />
        ))}
        {[0, 1, 2].map((column) => (
          <rect key={column} x={178 + column * 150} y="44" width="130" height="84" rx="10" fill="#1f2e29" />
        ))}
        <rect x="178" y="150" width="430" height="166" rx="10" fill="#1b2823" />
        <rect x="210" y="82" width="330" height="208" rx="16" fill="#f8faf8" />
        <rect x="236" y="110" width="134" height="14" rx="7" fill="#15201c" />
        <rect x="236" y="138" width="220" height="9" rx="4.5" fill="#bcc7c2" />
        <rect x="236" y="168" width="278" height="36" rx="9" fill="#fff" stroke="#0f6b57" strokeWidth="2" />
        <rect x="250" y="181" width="96" height="10" rx="5" fill="#47534e" />
        <rect x="350" y="177" width="2" height="18" fill="#0f6b57" />
        <rect x="404" y="234" width="110" height="34" rx="9" fill="#0f6b57" />
        <rect x="426" y="246" width="66" height="10" rx="5" fill="#fff" />
        <rect x="318" y="234" width="74" height="34" rx="9" fill="#e6ebe8" />
        <circle cx="484" cy="258" r="26" fill="#ff8159" fillOpacity="0.25" />
        <path d="m480 252 24 11-10 4-4 10z" fill="#15201c" stroke="#fff" strokeWidth="2.5" strokeLinejoin="round" />
      </svg>
      <p className="absolute bottom-4 max-w-[90%] rounded-chip bg-black/75 px-3 py-1 text-center text-xs text-on-screen sm:text-sm">
        {PICTURE.caption}
      </p>
    </div>
  )
}

function Controls() {
  return (
    <div className="flex items-center gap-4 border-t border-white/10 px-4 py-3.5 text-on-screen sm:px-6">
      <Play className="size-4 shrink-0 fill-current" />
      <div className="relative flex flex-1 items-center gap-1">
        {[13, 22, 24, 28, 13].map((width, index) => (
          <div
            key={`${width}-${index}`}
            style={{ flexGrow: width }}
            className="h-1.5 overflow-hidden rounded-full bg-white/20"
          >
            <div className={clsx('h-full bg-brand', index < 2 ? 'w-full' : index === 2 ? 'w-1/5' : 'w-0')} />
          </div>
        ))}
        <div className="absolute left-[40%] h-5 w-1 rounded-full bg-accent" />
      </div>
      <span className="text-xs text-on-screen-soft tabular-nums">02:19 / 06:04</span>
    </div>
  )
}

function Steps() {
  return (
    <div className="px-4 pt-5 pb-4">
      <div className="mb-3 flex items-baseline justify-between px-3">
        <p className="font-semibold">{PICTURE.title}</p>
        <p className="text-sm text-ink-faint tabular-nums">{m.hero_3_of_5()}</p>
      </div>
      {PICTURE.steps.map(({ time, title }, index) => (
        <div
          key={time}
          className={clsx(
            'rounded-control px-3 py-2.5 text-sm',
            index === PICTURE.currentStep && 'bg-accent-soft text-accent-ink',
          )}
        >
          <div className="flex items-center gap-3">
            <StepMark index={index} />
            <span className={clsx('flex-1', index === PICTURE.currentStep && 'font-medium')}>{title}</span>
            <span className="text-xs tabular-nums">{time}</span>
          </div>
          {index === PICTURE.currentStep && <p className="mt-1.5 ps-9 leading-relaxed">{PICTURE.currentText}</p>}
        </div>
      ))}
    </div>
  )
}

function StepMark({ index }: { index: number }) {
  const isDone = index < PICTURE.currentStep
  const waits =
    index === PICTURE.currentStep ? 'border border-accent text-accent-ink' : 'border border-line text-ink-faint'
  const look = isDone ? 'bg-brand-soft text-brand-ink' : waits
  return (
    <span className={`grid size-6 place-items-center rounded-full text-xs tabular-nums ${look}`}>
      {isDone ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
    </span>
  )
}

function Tutor() {
  return (
    <div className="mt-auto border-t border-line bg-sunken px-5 py-5 text-sm">
      <p className="ms-auto w-fit rounded-card rounded-ee-chip bg-brand px-3.5 py-2 text-on-brand">
        {PICTURE.question}
      </p>
      <div className="mt-3 flex items-start gap-2.5">
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-raised text-brand">
          <Sparkles className="size-4" />
        </span>
        <p className="rounded-card rounded-ss-chip bg-raised px-3.5 py-2 leading-relaxed shadow-card">
          {PICTURE.answer}{' '}
          <span className="rounded-chip bg-accent-soft px-1.5 py-0.5 text-xs font-medium text-accent-ink tabular-nums">
            {PICTURE.answerTime}
          </span>
        </p>
      </div>
    </div>
  )
}

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
              <TwoLinks links={isSignedIn ? HERO.signedIn : HERO.signedOut} firstIcon={ArrowRight} />
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

type LinkContent = Readonly<{ to: string; label: string }>

export function TwoLinks(props: { links: readonly [LinkContent, LinkContent]; firstIcon?: LucideIcon }) {
  const { links, firstIcon: Icon } = props
  return links.map(({ to, label }, index) => (
    <ButtonLink key={to} to={to} size="large" variant={index === 0 ? 'primary' : 'secondary'}>
      {label}
      {Icon && index === 0 && <Icon aria-hidden="true" className="size-4" />}
    </ButtonLink>
  ))
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
