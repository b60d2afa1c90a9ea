import clsx from 'clsx'
import { ArrowUp, ChevronDown, Square } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { QUESTION_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { formatCount } from '#web/lib/format/format-number.ts'
import { Button } from '#web/ui/button.tsx'
import { describeExcess, QuestionField } from './question-field.tsx'
import type { TutorPanelState } from './use-tutor-panel.ts'
import { VoiceButton } from './voice-button.tsx'

/** Where questions are written, said and sent. */
export function Composer({ panel }: { panel: TutorPanelState }) {
  const { text, voice, canSend, isOff, opening, write } = panel
  // On a small screen: nothing but the field, and the way to open it.
  const isClosed = !opening.isOpen
  const id = useId()
  const [isUnsupportedShown, setIsUnsupportedShown] = useState(false)
  const hint = isUnsupportedShown ? m.this_browser_cannot_listen_please() : chooseHint(panel)

  function send(event: FormEvent) {
    event.preventDefault()
    if (!canSend) return
    panel.send()
    voice.cancel()
  }
  return (
    <form onSubmit={send} className="p-2 lg:border-t lg:border-line lg:p-3">
      <QuestionField id={id} text={text} disabled={isOff} onWrite={write} onFocus={isClosed ? opening.open : undefined}>
        {!isOff && (
          <VoiceButton voice={voice} onUnsupported={() => setIsUnsupportedShown(true)} describedBy={`${id}-hint`} />
        )}
        {isClosed && text === '' ? <ShowButton opening={opening} /> : <SendOrStop panel={panel} />}
      </QuestionField>
      <Hint id={`${id}-hint`} isOpen={!isClosed} isWarning={describeExcess(text) !== ''} text={hint} />
    </form>
  )
}

interface HintProps {
  id: string
  text: string
  isWarning: boolean
  /** Then its place is kept, so that nothing moves when there is something to say. */
  isOpen: boolean
}

function Hint({ id, text, isWarning, isOpen }: HintProps) {
  return (
    <div className={clsx('px-1 text-xs text-ink-soft', isOpen && 'min-h-6.5')}>
      {/* Rendered from the start: some screen readers skip a live region that is added together with its text. */}
      <p id={id} role="status" className={clsx('pt-1.5 empty:hidden', isWarning && 'font-medium text-danger-ink')}>
        {text}
      </p>
      {text === '' && isOpen && (
        <p aria-hidden="true" className="pt-1.5 text-ink-faint">
          <span className="hidden lg:inline">{m.enter_sends_shift_enter_starts()}</span>
          <span className="lg:hidden">{m.hold_the_microphone_to_talk()}</span>
        </p>
      )}
    </div>
  )
}

function ShowButton({ opening: { wasClosed, show } }: Pick<TutorPanelState, 'opening'>) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (wasClosed) button.current?.focus()
  }, [wasClosed])
  return (
    <Button
      ref={button}
      variant="ghost"
      size="icon"
      aria-label={m.show_the_tutor()}
      aria-expanded={false}
      onClick={show}
    >
      <ChevronDown aria-hidden="true" className="size-5" />
    </Button>
  )
}

/** One button, so that the focus stays when the one becomes the other. */
function SendOrStop({ panel }: { panel: TutorPanelState }) {
  const { isBusy } = panel.tutor
  const Icon = isBusy ? Square : ArrowUp
  return (
    <Button
      type={isBusy ? 'button' : 'submit'}
      size="icon"
      aria-label={isBusy ? m.stop_answering() : m.send()}
      aria-disabled={(!isBusy && !panel.canSend) || undefined}
      onClick={(event) => {
        if (!isBusy) return
        // The button becomes the one that sends before the press is over.
        event.preventDefault()
        panel.stop()
      }}
    >
      <Icon aria-hidden="true" className={isBusy ? 'size-4 fill-current' : 'size-5'} />
    </Button>
  )
}

/** The count shows from here on. */
const NEAR_LIMIT_CHARS = QUESTION_MAX_CHARS * 0.9

/** The one thing to say under the field. */
function chooseHint({ text, voice, isOnline }: TutorPanelState): string {
  const { length } = text
  if (length > QUESTION_MAX_CHARS) return describeExcess(text)
  if (!isOnline) return m.you_are_offline_your_question()
  if (voice.state === 'denied') return m.the_microphone_is_blocked_allow()
  if (voice.state === 'error') return voice.message
  if (voice.isWriting) return m.writing_down_what_you_said()
  if (voice.state === 'listening') return m.listening_ask_your_question()
  return length >= NEAR_LIMIT_CHARS
    ? m.characters_of_max({
        count: formatCount(length),
        max: formatCount(QUESTION_MAX_CHARS),
      })
    : ''
}
