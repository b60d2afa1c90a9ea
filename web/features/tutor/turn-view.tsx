import clsx from 'clsx'
import { CircleStop, Ellipsis, Hourglass, type LucideIcon, RotateCw, SearchX, Unplug } from 'lucide-react'
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { AnswerMeta, Citation, LinkQuestion } from '#contract/tutor.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MomentChip } from './moment-chip.tsx'

/**
 * `waiting` and `streaming` are being answered; `complete`, `stopped` and `broken` are as far as they got; of `failed`
 * there is no answer at all.
 */
export type TurnState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'broken' | 'failed'

export type TurnFailure =
  | { kind: 'trouble' }
  | { kind: 'offline' }
  | { kind: 'limited'; message: string; retryAtMs: number }

export interface Turn {
  turnId: string
  question: string
  state: TurnState
  text: string
  meta: AnswerMeta | null
  failure: TurnFailure | null
  /** Where in the video it was asked; left out where the server keeps that. */
  place?: Pick<LinkQuestion, 'videoTime' | 'stepId'>
}

export function isRunning({ state }: Pick<Turn, 'state'>): boolean {
  return state === 'waiting' || state === 'streaming'
}

/** @see specification §8 */
const TROUBLE_SENTENCE = m.im_having_trouble_processing_your()

export interface RatedAnswer {
  turnId: string
  question: string
  answer: string
}

interface TurnViewProps {
  turn: Turn
  /** Where the steps of the video begin, in seconds. */
  stepStarts: readonly number[]
  /** No question can be sent at the moment. */
  isBusy: boolean
  onPlay: (seconds: number) => void
  onRetry: (turn: Turn) => void
  renderRating: (rated: RatedAnswer) => ReactNode
  /** Shows the picture at a moment, where there is one. */
  renderFrame?: ((seconds: number) => ReactNode) | undefined
  /** What can be done about a question that the video does not cover; left out where nothing can. */
  renderAsk?: ((turn: Turn) => ReactNode) | undefined
}

/** More pictures would hide the answer. */
const FRAMES_MAX = 2

export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { turn, isBusy, onRetry, renderRating, renderAsk, ...moments } = props
  const { question, text, meta, state } = turn
  return (
    <li className="grid grid-cols-1 gap-2.5">
      <p className="ms-8 justify-self-end rounded-card rounded-ee-chip bg-brand-soft px-3 py-2 whitespace-pre-wrap text-brand-ink wrap-anywhere">
        <span className="sr-only">{m.you_asked()} </span>
        <span dir="auto" className="block">
          {question}
        </span>
      </p>
      <div className="min-w-0 leading-relaxed">
        <span className="sr-only">{m.the_tutor_says()} </span>
        {state === 'waiting' && <Typing />}
        {meta?.isCovered === false && <Mark icon={SearchX} says={sayNotCovered(meta)} className="mb-1" />}
        {text !== '' && <AnswerText {...{ text, meta }} {...moments} />}
        {meta?.isCovered && meta.knownUntil !== undefined && (
          <Mark
            icon={Hourglass}
            says={m.from_the_first_knownuntil_transcribed({ knownUntil: formatTime(meta.knownUntil) })}
            className="mt-1.5"
          />
        )}
        {meta?.hasGap && <Mark icon={Ellipsis} says={m.stands_for_what_the_video()} className="mt-1.5" />}
        {state === 'complete' && meta?.isCovered === false && renderAsk?.(turn)}
        {state === 'stopped' && <Mark icon={CircleStop} says={m.this_answer_was_stopped()} className="mt-1.5" />}
        {state === 'broken' && <Mark icon={Unplug} says={m.the_answer_broke_off_here()} className="mt-1.5" />}
        {(state === 'failed' || state === 'broken') && <FailureNote {...{ turn, isBusy, onRetry }} />}
        {!isRunning(turn) && state !== 'failed' && text !== '' && (
          <div className="mt-1 flex min-h-8 flex-wrap items-center gap-x-1">
            <CopyButton variant="ghost" size="small" about={m.this_answer()} text={text} className="-ms-3" />
            {state === 'complete' && renderRating({ turnId: turn.turnId, question, answer: text })}
          </div>
        )}
      </div>
    </li>
  )
})

function sayNotCovered({ knownUntil }: AnswerMeta): string {
  return knownUntil === undefined
    ? m.not_in_this_video()
    : m.not_in_the_first_knownuntil({ knownUntil: formatTime(knownUntil) })
}

/** Before the first word. As high as the line that comes. */
function Typing() {
  return (
    <p className="flex h-6.5 items-center gap-1">
      <span className="sr-only">{m.is_typing()}</span>
      {[0, 150, 300].map((delayMs) => (
        <span
          key={delayMs}
          aria-hidden="true"
          className="size-1.5 animate-shimmer rounded-full bg-ink-soft"
          style={{ animationDelay: `${delayMs}ms` }}
        />
      ))}
    </p>
  )
}

function Mark({ icon: Icon, says, className }: { icon: LucideIcon; says: string; className: string }) {
  return (
    <p className={clsx('flex items-center gap-1.5 text-xs font-medium text-ink-soft', className)}>
      <Icon aria-hidden="true" className="size-3.5" />
      {says}
    </p>
  )
}

/** Shows why an answer is missing or incomplete, with a button to retry. An earlier visit has left no reason. */
function FailureNote({ turn, isBusy, onRetry }: Pick<TurnViewProps, 'turn' | 'isBusy' | 'onRetry'>) {
  const { failure } = turn
  const waitS = useSecondsUntil(failure?.kind === 'limited' ? failure.retryAtMs : 0)
  return (
    <div className="mt-1 grid justify-items-start gap-2">
      {failure !== null && <p>{describeFailure(failure)}</p>}
      <Button
        variant="secondary"
        size="small"
        aria-disabled={isBusy || waitS > 0 || undefined}
        onClick={() => onRetry(turn)}
      >
        <RotateCw aria-hidden="true" className="size-4" />
        <span className="tabular-nums">{waitS > 0 ? m.ask_again_in_waits_s({ waitS }) : m.ask_again()}</span>
      </Button>
    </div>
  )
}

/** @see specification §8 */
export function describeFailure(failure: TurnFailure): string {
  if (failure.kind === 'limited') return failure.message
  if (failure.kind === 'offline') return m.you_are_offline_ask_again()
  return TROUBLE_SENTENCE
}

function useSecondsUntil(atMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const leftS = Math.max(0, Math.ceil((atMs - nowMs) / 1_000))
  const isWaiting = leftS > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])
  return leftS
}

type AnswerTextProps = Pick<Turn, 'text' | 'meta'> & Pick<TurnViewProps, 'stepStarts' | 'onPlay' | 'renderFrame'>

const NO_CITATIONS: AnswerMeta['citations'] = []

/** An answer as plain text, its moments beside their sentences. Whatever is in the text is shown as it stands. */
function AnswerText({ text, meta, stepStarts, onPlay, renderFrame }: AnswerTextProps) {
  const citations = meta?.citations ?? NO_CITATIONS
  const pieces = useMemo(() => placeMoments(text, { citations, starts: stepStarts }), [text, citations, stepStarts])
  const step = meta?.step ?? null
  const isStepNamed = step !== null && pieces.some((piece) => piece.kind === 'moment' && piece.start === step.start)
  const seenAt = [...new Set(citations.filter(({ isOnScreen }) => isOnScreen).map(({ start }) => start))]
  const isStepShown = step !== null && !isStepNamed && citations.length === 0
  const start = isStepShown ? step.start : step === null ? meta?.trainer?.start : undefined
  return (
    <>
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {keyPieces(pieces).map(([key, piece]) =>
          piece.kind === 'text' ? (
            <span key={key}>{piece.text}</span>
          ) : (
            <MomentChip key={key} {...piece} onPlay={onPlay} />
          ),
        )}
      </p>
      {renderFrame && seenAt.slice(0, FRAMES_MAX).map((start) => <div key={start}>{renderFrame(start)}</div>)}
      {start !== undefined && (
        <p className="mt-2">
          <MomentChip start={start} {...(step && { title: step.title })} onPlay={onPlay} />
        </p>
      )}
    </>
  )
}

/** Each piece by the place where it begins. */
function keyPieces(pieces: readonly AnswerPiece[]): [string, AnswerPiece][] {
  let offset = 0
  return pieces.map((piece) => {
    if (piece.kind === 'moment')
      return [`${offset}@${piece.start}#${piece.noteOfStep ?? (piece.isOnScreen ? 'screen' : '')}`, piece]
    offset += piece.text.length
    return [String(offset), piece]
  })
}

/** A text, or a moment of the video that what stands before it rests on. Seconds. */
export type AnswerPiece = { kind: 'text'; text: string } | ({ kind: 'moment' } & Moment)

/** Where an answer leads; with the number of a step, to its note, otherwise to what is said, or to what is shown. */
interface Moment {
  start: number
  noteOfStep?: number
  isOnScreen?: boolean
}

interface Known {
  citations: readonly Pick<Citation, 'start' | 'sentence' | 'note' | 'isOnScreen'>[]
  /** Other moments that may be named in the text: where steps begin. */
  starts: readonly number[]
}

interface Place extends Moment {
  from: number
  to: number
}

/** A time in brackets, as the tutor names the moments of quotes and steps. */
const NAMED_TIME = /\s?\((?:(\d{1,2}):)?(\d{1,3}):(\d{2})\)/g
/** How the tutor names a note behind a quote, in any language. */
const NAMED_NOTE = /^\s?\([^()\d]*(\d+)[^()\d]*\)/
/** How the tutor names a moment of the screen behind a quote, in any language. */
const NAMED_SCREEN = /^\s?\([^()\d]*(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[^()\d]*\)/
/** What closes a sentence belongs to it. */
const CLOSING = /^["”’'»)\]]+/

/**
 * Puts the moments of an answer beside their sentences. A time that the text names itself becomes a moment only where
 * something is known to be there: what a model makes up leads nowhere.
 */
export function placeMoments(text: string, { citations, starts }: Known): AnswerPiece[] {
  const named = findNamed(text, [...citations.map(({ start }) => start), ...starts])
  const seconds = new Set(named.map(({ start }) => Math.floor(start)))
  const cited = citations
    .filter(({ start, note, isOnScreen }) => (note ?? isOnScreen) !== undefined || !seconds.has(Math.floor(start)))
    .map((cite) => placeCited(text, cite))
  const places = [...named, ...cited].sort((left, right) => left.from - right.from)
  return cut(text, places)
}

function findNamed(text: string, moments: readonly number[]): Place[] {
  return [...text.matchAll(NAMED_TIME)].flatMap((match) => {
    const [whole] = match
    const second = readSecond(match)
    const start = moments.find((moment) => Math.floor(moment) === second)
    return start === undefined ? [] : [{ from: match.index, to: match.index + whole.length, start }]
  })
}

/** @param match with hours, minutes and seconds as its groups */
function readSecond([, hours = '0', minutes = '0', secs = '0']: RegExpMatchArray): number {
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(secs)
}

/** After its sentence; at the end of the text where that is not found. */
function placeCited(text: string, { start, sentence, note, isOnScreen }: Known['citations'][number]): Place {
  const sentenceStart = sentence === '' ? -1 : text.indexOf(sentence)
  const end = sentenceStart < 0 ? text.length : sentenceStart + sentence.length
  const from = end + (CLOSING.exec(text.slice(end))?.[0].length ?? 0)
  if (isOnScreen) {
    const named = NAMED_SCREEN.exec(text.slice(from))
    const isNamed = named !== null && readSecond(named) === Math.floor(start)
    return { from, to: from + (isNamed ? named[0].length : 0), start, isOnScreen }
  }
  if (note === undefined) return { from, to: from, start }
  const named = NAMED_NOTE.exec(text.slice(from))
  const isNamed = named?.[1] === String(note.stepNumber)
  return { from, to: from + (isNamed ? named[0].length : 0), start, noteOfStep: note.stepNumber }
}

function isSameMoment(one: Moment, other: Moment): boolean {
  return one.start === other.start && one.noteOfStep === other.noteOfStep && one.isOnScreen === other.isOnScreen
}

function cut(text: string, places: readonly Place[]): AnswerPiece[] {
  const pieces: AnswerPiece[] = []
  let done = 0
  for (const { from, to, ...moment } of places) {
    const before = text.slice(done, Math.max(done, from))
    if (before !== '') pieces.push({ kind: 'text', text: before })
    const last = pieces.at(-1)
    if (last?.kind !== 'moment' || !isSameMoment(last, moment)) pieces.push({ kind: 'moment', ...moment })
    done = Math.max(done, to)
  }
  if (done < text.length) pieces.push({ kind: 'text', text: text.slice(done) })
  return pieces
}
