import { ArrowUp, ChevronUp } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { AskedAnswer, AskTrainerAnswer, AskTrainer as AskTrainerBody } from '#contract/feedback/questions.ts'
import { EARLIER_ANSWER_MAX_CHARS, EARLIER_TURNS_MAX, REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { Problem } from '#contract/problem.ts'
import type { LinkQuestion, TutorAnswerBody } from '#contract/tutor.ts'
import * as m from '#messages'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { AskedList, AskTrainer } from '#web/features/tutor/ask-trainer.tsx'
import { isAwaiting } from '#web/features/tutor/asked-trainer.ts'
import { describeExcess, QuestionField } from '#web/features/tutor/question-field.tsx'
import { isRunning, type Turn, type TurnFailure, TurnView } from '#web/features/tutor/turn-view.tsx'
import { sayProblem } from '#web/lib/say-problem.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AnswerFrame } from '../shared/answer-frame.tsx'
import { askServer } from './ask-server.ts'
import { keepVisitor, readVisitor } from './device-learner.ts'

interface LinkTutorProps {
  moduleId: string
  steps: readonly ListedStep[]
  posterUrl: string | null
  getPlace: () => Pick<LinkQuestion, 'videoTime' | 'stepId'>
  onPlay: (seconds: number) => void
  onClose: () => void
}

/** The tutor for people with the link. The server keeps of it only what the learner asks the trainer. */
export function LinkTutor({ moduleId, steps, posterUrl, getPlace, onPlay, onClose }: LinkTutorProps) {
  const id = useId()
  const stepStarts = steps.map(({ start }) => start)
  const { turns, ask, retry } = useTurns(moduleId, getPlace)
  const isBusy = turns.some(isRunning)
  // Otherwise it was opened by what waits for an answer, not by its learner.
  const [takesFocus] = useState(() => !isAwaiting(moduleId))
  const renderAsk = (turn: Turn) => <AskTrainer moduleId={moduleId} onAsk={() => sendToTrainer(moduleId, turn)} />
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = log.current
    if (box === null) return
    box.scrollTop = box.scrollHeight
    // An answer pushes the field down, which stays in view as long as the learner is at it.
    const place = box.parentElement
    if (place?.contains(document.activeElement)) place.scrollIntoView({ block: 'nearest' })
  }, [turns])
  return (
    <Card>
      <section aria-labelledby={id}>
        <div className="flex items-center justify-between gap-2 py-1.5 pe-1.5 ps-4">
          <h2 id={id} className="font-semibold">
            {m.ask_the_tutor()}
          </h2>
          <Button variant="ghost" size="icon" aria-label={m.close_the_tutor()} onClick={onClose}>
            <ChevronUp aria-hidden="true" className="size-5" />
          </Button>
        </div>
        <div
          ref={log}
          role="log"
          aria-label={m.conversation()}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          tabIndex={0}
          // On a narrow screen the video stays above it, and the field below.
          className="max-h-[45dvh] overflow-y-auto max-lg:max-h-[max(9rem,calc(100dvh-56.25vw-14.5rem))] overscroll-contain border-t border-line px-4 py-3 text-sm focus-visible:-outline-offset-2"
        >
          {turns.length === 0 ? (
            <p className="text-ink-soft">{m.ask_about_this_video_the()}</p>
          ) : (
            <ol className="grid grid-cols-1 gap-5">
              {turns.map((turn) => (
                <TurnView
                  key={turn.turnId}
                  {...{ turn, stepStarts, isBusy, onPlay }}
                  onRetry={retry}
                  renderRating={() => null}
                  renderFrame={(seconds) => <AnswerFrame {...{ steps, posterUrl, seconds }} />}
                  renderAsk={renderAsk}
                />
              ))}
            </ol>
          )}
        </div>
        <AskedList moduleId={moduleId} load={() => loadAsked(moduleId)} onPlay={onPlay} />
        <AskForm isBusy={isBusy} takesFocus={takesFocus} onAsk={ask} />
      </section>
    </Card>
  )
}

interface AskFormProps {
  isBusy: boolean
  /** Its learner has just opened it. */
  takesFocus: boolean
  onAsk: (question: string) => void
}

function AskForm({ isBusy, takesFocus, onAsk }: AskFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const excess = describeExcess(text)
  const canSend = text.trim() !== '' && excess === '' && !isBusy
  useEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true })
  }, [takesFocus])
  function send(event: FormEvent) {
    event.preventDefault()
    if (!canSend) return
    onAsk(text.trim())
    setText('')
  }
  return (
    <form onSubmit={send} className="border-t border-line p-3">
      <QuestionField ref={field} id={id} text={text} onWrite={setText}>
        <Button type="submit" size="icon" aria-label={m.send()} aria-disabled={!canSend || undefined}>
          <ArrowUp aria-hidden="true" className="size-5" />
        </Button>
      </QuestionField>
      <p id={`${id}-hint`} role="status" className="px-1 pt-1.5 text-xs text-ink-soft">
        {excess || m.your_questions_are_not_kept()}
      </p>
    </form>
  )
}

/** The questions of this visit, with their answers. */
function useTurns(moduleId: string, getPlace: LinkTutorProps['getPlace']) {
  const [turns, setTurns] = useState<Turn[]>([])

  async function answer({ turnId, question, place }: Turn) {
    const ended = await askTutor(moduleId, { ...place, turnId, question, earlier: listEarlier(turns) })
    setTurns((all) => all.map((turn) => (turn.turnId === turnId ? { ...turn, ...ended } : turn)))
  }
  function ask(question: string) {
    const begun = { turnId: crypto.randomUUID(), question, place: getPlace() }
    const turn: Turn = { ...begun, state: 'waiting', text: '', meta: null, failure: null }
    setTurns((all) => [...all, turn])
    void answer(turn)
  }
  function retry({ turnId, question }: Turn) {
    setTurns((all) => all.filter((turn) => turn.turnId !== turnId))
    ask(question)
  }
  return { turns, ask, retry }
}

/** Lists the earlier turns that a follow-up question may refer to. */
function listEarlier(turns: readonly Turn[]): LinkQuestion['earlier'] {
  return turns
    .filter(({ state }) => state === 'complete')
    .slice(-EARLIER_TURNS_MAX)
    .map(({ question, text, meta }) => ({ question, answer: text.slice(0, EARLIER_ANSWER_MAX_CHARS), meta }))
}

const askedPath = (moduleId: string) => `/api/asked/${encodeURIComponent(moduleId)}`

/** @throws where the server does not take it */
async function sendToTrainer(
  moduleId: string,
  { question, turnId, place }: Pick<Turn, 'question' | 'turnId' | 'place'>,
): Promise<void> {
  const learner = readVisitor(moduleId)
  const answer = await fetch(askedPath(moduleId), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify({ question, turnId, ...place, learner } satisfies AskTrainerBody),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(String(answer.status))
  const { learner: token } = (await answer.json()) as AskTrainerAnswer
  if (token !== null) keepVisitor(moduleId, token)
}

async function loadAsked(moduleId: string): Promise<AskedAnswer['asked']> {
  const learner = readVisitor(moduleId)
  const answer = await askServer(
    `${askedPath(moduleId)}${learner === undefined ? '' : `?learner=${encodeURIComponent(learner)}`}`,
  )
  if (!answer.ok) throw new Error(String(answer.status))
  return ((await answer.json()) as Partial<AskedAnswer>).asked ?? []
}

type Ended = Pick<Turn, 'state' | 'text' | 'meta' | 'failure'>

const fail = (failure: TurnFailure): Ended => ({ state: 'failed', text: '', meta: null, failure })

/** How long to wait where the server does not say, seconds. */
const DEFAULT_WAIT_S = 30

/** Never throws: an error is shown instead of the answer. */
async function askTutor(moduleId: string, question: LinkQuestion): Promise<Ended> {
  try {
    const answer = await fetch(`/api/share/${encodeURIComponent(moduleId)}/questions`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const body = (await answer.json()) as Partial<TutorAnswerBody> & Partial<Pick<Problem, 'code' | 'error'>>
    if (answer.ok && typeof body.answer === 'string')
      return { state: 'complete', text: body.answer, meta: body as TutorAnswerBody, failure: null }
    // Sharing or the tutor was switched off meanwhile, or too many ask: the server says which.
    if (answer.status < 500 && body.error !== undefined) {
      const waitS = answer.status === 429 ? Number(answer.headers.get('retry-after') ?? DEFAULT_WAIT_S) : 0
      const message = sayProblem({ code: body.code ?? '', detail: body.error })
      return fail({ kind: 'limited', message, retryAtMs: Date.now() + waitS * 1_000 })
    }
    return fail({ kind: 'trouble' })
  } catch {
    return fail({ kind: navigator.onLine ? 'trouble' : 'offline' })
  }
}
