import { MessageCircleQuestion, UserRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AskedQuestion, TrainerAnswer } from '#contract/feedback/questions.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { keepAskedState, readAskedState } from './asked-trainer.ts'
import { MomentChip } from './moment-chip.tsx'

interface AskTrainerProps {
  moduleId: string
  /** Rejects where the question could not be sent. */
  onAsk: () => Promise<unknown>
}

/** Sends a question that the video does not cover to its trainer: an act of its own. */
export function AskTrainer({ moduleId, onAsk }: AskTrainerProps) {
  const [state, setState] = useState<'idle' | 'sending' | 'sent' | 'failed'>('idle')
  const status = useFocusWhenFewer<HTMLParagraphElement>(state === 'sent' ? 0 : 1)
  async function ask() {
    if (state === 'sending') return
    setState('sending')
    try {
      await onAsk()
      keepAskedState(moduleId, { isAnswered: false })
      setState('sent')
    } catch {
      setState('failed')
    }
  }
  return (
    <div className="mt-2">
      {state !== 'sent' && (
        <>
          <Button variant="secondary" size="small" isBusy={state === 'sending'} onClick={() => void ask()}>
            <MessageCircleQuestion aria-hidden="true" className="size-4" />
            {m.ask_the_trainer()}
          </Button>
          <p className="mt-1 text-xs text-ink-soft">{m.asking_keeps_question()}</p>
        </>
      )}
      <p ref={status} role="status" tabIndex={-1} className="text-ink-soft">
        {state === 'sent' && m.sent_to_the_trainer()}
        {state === 'failed' && m.question_not_sent()}
      </p>
    </div>
  )
}

interface AskedListProps {
  moduleId: string
  load: () => Promise<readonly AskedQuestion[]>
  onPlay: (seconds: number) => void
}

/** What was asked on this device, with the trainer's answers; nothing where nothing was. */
export function AskedList({ moduleId, load, onPlay }: AskedListProps) {
  const asked = useAsked({ moduleId, load })
  if (asked.length === 0) return null
  return (
    <section aria-labelledby="asked-heading" className="border-t border-line px-4 py-3 text-sm">
      <h3 id="asked-heading" className="font-semibold">
        {m.your_questions_to_the_trainer()}
      </h3>
      <ul className="mt-2 grid grid-cols-1 gap-3">
        {asked.map(({ question, askedAt, answer }) => (
          <li key={askedAt + question}>
            <p dir="auto" className="font-medium wrap-anywhere">
              {question}
            </p>
            {answer === null ? (
              <p className="text-ink-soft">{m.no_answer_yet()}</p>
            ) : (
              <GivenAnswer answer={answer} onPlay={onPlay} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function GivenAnswer({
  answer,
  onPlay,
}: Pick<AskedListProps, 'onPlay'> & { answer: NonNullable<AskedQuestion['answer']> }) {
  const { text, step, answeredAt, isEarlier, translation } = answer
  const start = answer.start ?? step?.start
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-xs text-ink-soft">
        <UserRound aria-hidden="true" className="size-3.5" />
        {m.answered_by_the_trainer_on({ date: formatDate(answeredAt) })}
        {isEarlier && ` · ${m.given_for_an_earlier_version()}`}
        {translation && ` · ${sayTranslator(translation)}`}
      </p>
      <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
        {text}
      </p>
      {start !== undefined && (
        <p className="mt-1">
          <MomentChip start={start} {...(step && { title: step.title })} onPlay={onPlay} />
        </p>
      )}
    </>
  )
}

function sayTranslator({ isApproved, isRough, engine }: NonNullable<TrainerAnswer['translation']>): string {
  if (isApproved) return m.page_translation_approved()
  return isRough ? m.page_roughly_translated_by({ engine: engine ?? '' }) : m.page_machine_translated()
}

/** Asks the server only where this device has asked something. */
function useAsked({ moduleId, load }: Pick<AskedListProps, 'moduleId' | 'load'>) {
  const [asked, setAsked] = useState<readonly AskedQuestion[]>([])
  useEffect(() => {
    if (readAskedState(moduleId) === null) return
    let isOver = false
    void load().then(
      (loaded) => {
        if (isOver) return
        setAsked(loaded)
        keepAskedState(moduleId, { isAnswered: loaded.every(({ answer }) => answer !== null) })
      },
      // They are shown at the next visit.
      () => undefined,
    )
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each module
  }, [moduleId])
  return asked
}
