import type { ReactNode } from 'react'
import type { Step } from '#contract/step.ts'
import { compareVersions, type StepChange } from '#contract/training/compare-versions.ts'
import type { VersionContent } from '#contract/version.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { languageName } from '#web/lib/format/language-name.ts'
import { Badge, type BadgeTone } from '#web/ui/card.tsx'
import { ChangedText } from '#web/ui/changed-text.tsx'
import { FramedImage } from './framed-image.tsx'
import { CALLOUT_NAMES, type RenderStepNote, StepContent, sayFocus } from './version-steps.tsx'

interface ChangeListProps {
  before: VersionContent
  after: VersionContent
  /** Address of the poster, from which those of all images come; null where there are none. */
  posterUrl: string | null
  /** What stands below the facts where something else is said. */
  transcript: ReactNode
  renderStepNote?: RenderStepNote
}

/** What differs between two versions: steps one by one, texts word by word. */
export function ChangeList({ before, after, posterUrl, transcript, renderStepNote }: ChangeListProps) {
  const changes = compareVersions(before, after)
  if (changes.isEmpty) return <p className="text-sm text-ink-soft">{m.both_versions_say_the_same()}</p>
  const facts = [
    changes.isVideoChanged && m.version_video_changed(),
    changes.isTranscriptChanged && m.version_transcript_changed(),
    ...changes.languages.map((tag) => m.version_translation_changed({ language: languageName(tag) })),
    changes.areAnswersAboutOthers && m.version_answers_about_others(),
    changes.isMoreChanged && m.version_more_changed(),
  ].filter((fact) => fact !== false)
  return (
    <div className="grid grid-cols-1 gap-3">
      {changes.title !== null && (
        <Labelled label={m.title()}>
          <ChangedText {...changes.title} side="both" />
        </Labelled>
      )}
      {changes.answers !== null && changes.answers.before !== changes.answers.after && (
        <Labelled label={m.printed_answers()}>
          <ChangedText {...changes.answers} side="both" />
        </Labelled>
      )}
      {facts.length > 0 && (
        <ul className="grid list-disc gap-1 ps-5 text-sm marker:text-ink-faint">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {changes.isTranscriptChanged && transcript}
      {changes.steps.length > 0 && (
        <ol className="grid grid-cols-1 gap-3">
          {changes.steps.map((change) => (
            <li key={change.id} className="min-w-0 rounded-card border border-line p-3.5">
              <ChangedStep {...{ change, posterUrl, renderStepNote }} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0 text-sm wrap-anywhere">
      <p className="text-xs font-medium text-ink-faint">{label}</p>
      <div dir="auto" className="mt-0.5">
        {children}
      </div>
    </div>
  )
}

const TONES: Record<StepChange['kind'], BadgeTone> = { added: 'brand', removed: 'danger', changed: 'neutral' }
const KINDS: Record<StepChange['kind'], () => string> = {
  added: m.version_step_added,
  removed: m.version_step_removed,
  changed: m.version_step_changed,
}

interface ChangedStepProps extends Pick<ChangeListProps, 'posterUrl'> {
  change: StepChange
  renderStepNote: RenderStepNote | undefined
}

function ChangedStep({ change, posterUrl, renderStepNote }: ChangedStepProps) {
  const { kind, before, after, isMoved, fields } = change
  const shown = after ?? before
  if (shown === null) return null
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 className="min-w-0 text-sm font-semibold wrap-anywhere">
          <span className="text-ink-faint tabular-nums">{shown.number}. </span>
          <bdi>
            {before !== null && after !== null && fields.includes('title') ? (
              <ChangedText before={before.step.title} after={after.step.title} side="both" />
            ) : (
              shown.step.title
            )}
          </bdi>
        </h3>
        <Badge tone={TONES[kind]}>{KINDS[kind]()}</Badge>
      </div>
      {before !== null && after !== null ? (
        <>
          {isMoved && <p className="text-sm">{m.version_step_moved({ before: before.number, after: after.number })}</p>}
          <ChangedFields before={before.step} after={after.step} {...{ fields, posterUrl }} />
        </>
      ) : (
        <div className="min-w-0 wrap-anywhere">
          <StepContent step={shown.step} posterUrl={posterUrl} />
        </div>
      )}
      {renderStepNote?.(shown.step)}
    </div>
  )
}

/** How a field is shown as text; those without a name are only counted. */
const TEXTS: Record<string, { label: () => string; write: (step: Step) => string }> = {
  description: { label: m.description, write: ({ description }) => description },
  chapter: { label: m.version_chapter, write: ({ chapter }) => chapter ?? '' },
  aliases: { label: m.aliases, write: ({ aliases }) => aliases.join(', ') },
  focus: { label: m.part_to_look_at, write: sayFocus },
  commands: { label: m.commands, write: ({ commands }) => commands.map(({ text }) => text).join(' · ') },
  callouts: {
    label: m.callouts,
    write: ({ callouts }) => callouts.map(({ kind, text }) => `${CALLOUT_NAMES[kind]} ${text}`).join(' · '),
  },
}

interface ChangedFieldsProps {
  before: Step
  after: Step
  fields: readonly string[]
  posterUrl: string | null
}

function ChangedFields({ before, after, fields, posterUrl }: ChangedFieldsProps) {
  const texts = fields.flatMap((field) => (TEXTS[field] === undefined ? [] : [TEXTS[field]]))
  const isTimeChanged = fields.includes('start') || fields.includes('end')
  const known = ['title', 'start', 'end', 'image', ...Object.keys(TEXTS)]
  const isMarkSeen = posterUrl !== null && [before, after].some(({ image }) => image !== null)
  const hasOtherLook = fields.includes('image') || (fields.includes('focus') && isMarkSeen)
  const timesOf = ({ start, end }: Step) => `${formatTime(start)}–${formatTime(end)}`
  return (
    <>
      {texts.map(({ label, write }) => (
        <Labelled key={label()} label={label()}>
          <ChangedText before={write(before)} after={write(after)} side="both" />
        </Labelled>
      ))}
      {isTimeChanged && (
        <Labelled label={m.version_times()}>
          <ChangedText before={timesOf(before)} after={timesOf(after)} side="both" />
        </Labelled>
      )}
      {hasOtherLook && (
        <div className="grid grid-cols-2 gap-3">
          <ComparedImage step={before} posterUrl={posterUrl} label={m.version_image_before()} />
          <ComparedImage step={after} posterUrl={posterUrl} label={m.version_image_after()} />
        </div>
      )}
      {fields.some((field) => !known.includes(field)) && <p className="text-sm">{m.version_step_more()}</p>}
    </>
  )
}

interface ComparedImageProps {
  step: Pick<Step, 'focus' | 'image'>
  posterUrl: string | null
  label: string
}

function ComparedImage({ step: { image, focus }, posterUrl, label }: ComparedImageProps) {
  return (
    <figure className="min-w-0">
      {image === null || posterUrl === null ? (
        <p className="grid aspect-video w-full place-items-center rounded-control bg-sunken p-2 text-center text-sm text-ink-soft">
          {m.no_image()}
        </p>
      ) : (
        <FramedImage step={{ image, focus }} posterUrl={posterUrl} />
      )}
      <figcaption className="mt-1 text-xs text-ink-faint">{label}</figcaption>
    </figure>
  )
}
