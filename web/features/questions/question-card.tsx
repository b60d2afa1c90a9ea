import {
  BellOff,
  Check,
  ChevronRight,
  ListPlus,
  type LucideIcon,
  MessageCircleReply,
  NotebookPen,
  Play,
  Tag,
} from 'lucide-react'
import { useEffect, useEffectEvent, useId } from 'react'
import type { NewAnswer, QuestionGroup } from '#contract/feedback/questions.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { AnswerForm } from './answer-form.tsx'
import { ALIAS_FORM, NOTE_FORM, proposeTitle, type QuestionActions, QuestionForm } from './question-forms.tsx'

const WAYS = [
  { way: 'answer', icon: MessageCircleReply, label: m.answer_it() },
  { way: 'step', icon: ListPlus, label: m.add_a_step() },
  { way: 'alias', icon: Tag, label: m.add_as_alias() },
  { way: 'note', icon: NotebookPen, label: m.add_a_teaching_note() },
] as const
/** What is being made of a question. */
export type Way = (typeof WAYS)[number]['way']

export interface QuestionCardProps extends QuestionActions {
  group: QuestionGroup
  /** The step at which it was asked; null for none. */
  stepId: string | null
  /** Null while its card is closed. */
  way: Way | null
  onWay: (way: Way | null) => void
  /** @param done what was done about it, for a message */
  onSettle: (group: QuestionGroup, done: string) => void
  /** @returns whether the answer is given */
  onAnswer: (answer: NewAnswer) => Promise<boolean>
  /** Hears nothing more of the device that asks it. */
  onIgnore: (group: QuestionGroup) => void
}

/** A question, and what can be made of it. What is made is shown first, to be changed. */
export function QuestionCard(props: QuestionCardProps) {
  const { group, stepId, way, onWay, onSettle, onAnswer, onIgnore, ...actions } = props
  const id = useId()
  // A question that comes back begins closed.
  const leave = useEffectEvent(() => onWay(null))
  useEffect(() => () => leave(), [])
  function cancel() {
    onWay(null)
    document.getElementById(`${id}-${way}`)?.focus()
  }
  const { steps, editStep } = actions
  const form = { group, stepId, steps, editStep, onDone: (notice: string) => onSettle(group, notice), onCancel: cancel }
  return (
    <li className="rounded-control border border-line p-3.5">
      <QuestionFacts group={group} onPlay={actions.onPlay} />
      <div className="mt-2 -ms-2 flex flex-wrap items-center gap-x-1 gap-y-1">
        {WAYS.filter((each) => each.way === 'step' || each.way === 'answer' || steps.length > 0).map(
          ({ way: each, ...look }) => (
            <ActionButton
              key={each}
              id={`${id}-${each}`}
              {...look}
              text={group.text}
              isOpen={way === each}
              onPress={() => onWay(way === each ? null : each)}
            />
          ),
        )}
        <ActionButton icon={Check} label={m.settled()} text={group.text} onPress={() => onSettle(group, m.settled())} />
        {group.isOfOneDevice && (
          <ActionButton
            icon={BellOff}
            label={m.ignore_this_device()}
            text={group.text}
            onPress={() => onIgnore(group)}
          />
        )}
      </div>
      {way === 'answer' && (
        <AnswerForm
          first={{ text: '', stepId, inPrint: false }}
          {...actions}
          onAnswer={(given) => onAnswer({ ids: group.ids, question: group.text, ...given })}
          onCancel={cancel}
        />
      )}
      {way === 'alias' && <QuestionForm key={way} kind={ALIAS_FORM} {...form} />}
      {way === 'note' && <QuestionForm key={way} kind={NOTE_FORM} {...form} />}
      {way === 'step' && (
        <div className="mt-3 animate-rise">
          {actions.renderStepForm(
            { title: proposeTitle(group.text), startS: group.moments[0] ?? null, isManual: group.notCovered > 0 },
            { added: () => onSettle(group, m.the_question_is_settled()), cancel },
          )}
        </div>
      )}
    </li>
  )
}

interface ActionButtonProps {
  id?: string
  icon: LucideIcon
  label: string
  /** The question that the button is about, for screen readers. */
  text: string
  isOpen?: boolean
  onPress: () => void
}

function ActionButton({ id, icon: Icon, label, text, isOpen, onPress }: ActionButtonProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      aria-label={`${label}: ${text}`}
      id={id}
      aria-expanded={isOpen}
      onClick={onPress}
      className="px-2! aria-expanded:bg-sunken aria-expanded:text-ink"
    >
      <Icon aria-hidden="true" className="size-4 @max-xs:hidden" />
      {label}
    </Button>
  )
}

function QuestionFacts({ group, onPlay }: Pick<QuestionActions, 'onPlay'> & { group: QuestionGroup }) {
  const { text, wordings, moments, lastAskedAt } = group
  const answer = describeAnswer(group)
  const time = (date: string) => <time dateTime={lastAskedAt}>{date}</time>
  return (
    <>
      <p dir="auto" className="font-medium wrap-anywhere">
        {text}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm text-ink-soft">
        {group.askedTrainer > 0 && <Badge tone="warn">{m.asked_the_trainer({ count: group.askedTrainer })}</Badge>}
        {answer !== null && <Badge tone={answer.tone}>{answer.text}</Badge>}
        <span>{describeCount(group)}</span>
        <span className="text-ink-faint">
          {group.count > 1
            ? fillMarks(m.last_on({ date: formatDate(lastAskedAt) }), { time })
            : time(formatDate(lastAskedAt))}
        </span>
        {onPlay !== undefined && moments.map((atS) => <Moment key={atS} {...{ atS, onPlay }} />)}
      </div>
      {wordings.length > 0 && (
        <details className="group mt-2 text-sm">
          <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-chip text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
            {m.other_wordings()}
          </summary>
          <ul className="mt-1.5 grid grid-cols-1 list-disc gap-1 ps-5 text-ink-soft marker:text-ink-faint">
            {wordings.map((wording) => (
              <li key={wording} className="wrap-anywhere">
                <span dir="auto" className="block">
                  {wording}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function describeCount({ count, people }: QuestionGroup): string {
  if (count === 1) return m.asked_once()
  return m.asked_times_by_people({ count, people })
}

/** Nothing where all were answered from the video. */
function describeAnswer({ count, answered, notCovered }: QuestionGroup) {
  if (notCovered === count || (notCovered > 0 && answered === 0))
    return { tone: 'warn', text: m.not_in_the_video() } as const
  if (notCovered > 0) return { tone: 'warn', text: m.not_in_the_video_notcovered({ notCovered, count }) } as const
  return answered > 0 ? null : ({ tone: 'neutral', text: m.got_no_answer() } as const)
}

/** Plays a moment of the video. */
export function Moment({ atS, onPlay }: { atS: number; onPlay: (seconds: number) => void }) {
  const time = formatTime(atS)
  return (
    <button
      type="button"
      aria-label={m.play_from_time({ time })}
      onClick={() => onPlay(atS)}
      className="inline-flex min-h-6 items-center gap-1 rounded-chip bg-brand-soft px-1.5 text-xs font-medium text-brand-ink tabular-nums hover:bg-brand hover:text-on-brand"
    >
      <Play aria-hidden="true" className="size-3 shrink-0" fill="currentColor" />
      {time}
    </button>
  )
}
