import type { ReactNode } from 'react'
import { findHeading } from '#contract/chapters.ts'
import type { Callout, Step } from '#contract/step.ts'
import type { PrintedAnswer, VersionContent } from '#contract/version.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { FramedImage } from './framed-image.tsx'

/** What stands before a callout. */
export const CALLOUT_NAMES: Readonly<Record<Callout['kind'], string>> = {
  warning: m.page_warning(),
  tool: m.page_tool(),
  part: m.page_part(),
  tip: m.page_tip(),
}

/** Says which part of the picture is to be looked at; empty for all of it. */
export function sayFocus({ focus }: Pick<Step, 'focus'>): string {
  return focus === null ? '' : m.part_is_at(focus)
}

/** What stands below a step of a version, such as what was said of it. */
export type RenderStepNote = (step: Step) => ReactNode

interface VersionStepsProps {
  content: VersionContent
  /** Address of the poster, from which those of all images come; null where there are none. */
  posterUrl: string | null
  renderStepNote?: RenderStepNote
}

/** A version as learners saw it. */
export function VersionSteps({ content, posterUrl, renderStepNote }: VersionStepsProps) {
  const { steps, module, answers = [] } = content
  return (
    <div className="min-w-0 wrap-anywhere">
      <p dir="auto" className="font-semibold">
        {module.title}
      </p>
      <ol className="mt-3 grid grid-cols-1 gap-4">
        {steps.map((step, index) => (
          <li key={step.id} className="min-w-0">
            <Heading title={findHeading(steps, index)} />
            <p className="text-sm font-medium">
              <span className="text-ink-faint tabular-nums">{index + 1}. </span>
              <bdi>{step.title}</bdi>{' '}
              <span className="text-xs font-normal whitespace-nowrap text-ink-faint tabular-nums">
                {formatTime(step.start)}
              </span>
            </p>
            <StepContent step={step} posterUrl={posterUrl} />
            {renderStepNote && <div className="mt-2.5 empty:hidden">{renderStepNote(step)}</div>}
          </li>
        ))}
      </ol>
      {answers.length > 0 && <PrintedAnswers answers={answers} />}
    </div>
  )
}

/** What a step shows and says below its title. */
export function StepContent({ step, posterUrl }: { step: Step; posterUrl: string | null }) {
  return (
    <>
      {step.callouts.map(({ kind, text }) => (
        <p key={`${kind} ${text}`} className="mt-1 text-sm">
          <b>{CALLOUT_NAMES[kind]}</b> <bdi>{text}</bdi>
        </p>
      ))}
      {step.commands.map(({ kind, text }) => (
        <p key={`${kind} ${text}`} className="mt-1 text-sm">
          <code dir="ltr" translate="no">
            {text}
          </code>
        </p>
      ))}
      {step.image !== null && posterUrl !== null && (
        <div className="mt-1.5 max-w-80">
          <FramedImage step={{ ...step, image: step.image }} posterUrl={posterUrl} />
        </div>
      )}
      {step.focus !== null && (
        <p className="mt-1 text-xs text-ink-faint">
          {m.part_to_look_at()}: {sayFocus(step)}
        </p>
      )}
      {step.description !== '' && (
        <p dir="auto" className="mt-1 text-sm text-ink-soft">
          {step.description}
        </p>
      )}
    </>
  )
}

function PrintedAnswers({ answers }: { answers: readonly PrintedAnswer[] }) {
  return (
    <section className="mt-6 text-sm">
      <h3 className="font-semibold">{m.printed_answers()}</h3>
      <dl className="mt-2 grid gap-3">
        {answers.map(({ id, question, text }) => (
          <div key={id} dir="auto">
            <dt className="font-medium">{question}</dt>
            <dd className="mt-0.5 text-ink-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Heading({ title }: { title: string | null | undefined }) {
  if (title === undefined) return null
  return title === null ? <hr className="mb-3 border-line" /> : <h3 className="mb-2 font-semibold">{title}</h3>
}
