import clsx from 'clsx'
import { Camera, CircleCheck, CircleX } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { StepReportKind } from '#contract/feedback/step-report.ts'
import { REPORT_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { redrawPhoto } from '#web/lib/device/redraw-photo.ts'
import { Button } from '#web/ui/button.tsx'
import { PhotoInput, useKeptFocus } from '#web/ui/photo-input.tsx'
import { REPORT_KINDS } from './report-kinds.ts'

/** What a learner says of a step. */
export interface FilledReport {
  kind: StepReportKind
  text: string
  /** Base64 of a WebP or JPEG; null for none. */
  photo: string | null
}

/**
 * What became of a report at first: it is at the server; it is kept on the device until there is a connection, or until
 * the server takes it; the server will never take it; or it is neither sent nor kept.
 */
export type ReportOutcome = 'sent' | 'waiting' | 'limited' | 'refused' | 'unkept'

interface SheetProps {
  /** From 1. */
  number: number
  title: string
  /** May be called again, for the same report. */
  onSend: (report: FilledReport) => Promise<ReportOutcome>
}

/** Opens the sheet in which a learner reports from a step, over whatever else is open. */
export function openReportSheet(props: SheetProps): void {
  const opener = document.activeElement
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  function close() {
    root.unmount()
    place.remove()
    if (opener instanceof HTMLElement) opener.focus()
  }
  root.render(<ReportSheet {...props} onClose={close} />)
}

const OUTCOME_SENTENCES: Record<ReportOutcome, string> = {
  sent: m.report_is_with_trainer(),
  waiting: m.report_waits(),
  limited: m.report_limited(),
  refused: m.report_refused(),
  unkept: m.report_unkept(),
}

export function ReportSheet({ number, title, onSend, onClose }: SheetProps & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [state, setState] = useState<ReportOutcome | 'asking' | 'sending'>('asking')
  useEffect(() => dialog.current?.showModal(), [])
  async function send(report: FilledReport) {
    setState('sending')
    setState(await onSend(report))
  }
  const outcome = state === 'asking' || state === 'sending' ? null : state
  /** Otherwise the form stays, with what was written. */
  const isThanked = outcome === 'sent' || outcome === 'waiting' || outcome === 'limited'
  return (
    <dialog
      ref={dialog}
      data-sheet=""
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto w-[min(26rem,calc(100vw-1.5rem))] rounded-panel border border-line bg-raised p-5 text-ink shadow-float backdrop:bg-scrim max-sm:mb-3"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-lg leading-snug font-semibold">
            {m.what_is_wrong_here()}
          </h2>
          <p dir="auto" className="mt-0.5 text-sm wrap-anywhere text-ink-soft">
            {number}. {title}
          </p>
        </div>
        <Button
          variant="ghost"
          size="icon"
          aria-label={m.close()}
          className="-mt-1.5 -me-2"
          onClick={() => dialog.current?.close()}
        >
          <CircleX aria-hidden="true" className="size-5" />
        </Button>
      </div>
      <div role="status">{isThanked && <Thanks says={OUTCOME_SENTENCES[outcome]} />}</div>
      {isThanked ? (
        <Button size="large" className="mt-5 w-full" onClick={() => dialog.current?.close()}>
          {m.close()}
        </Button>
      ) : (
        <ReportForm
          isSending={state === 'sending'}
          problem={outcome && OUTCOME_SENTENCES[outcome]}
          onSend={(report) => void send(report)}
        />
      )}
    </dialog>
  )
}

function Thanks({ says }: { says: string }) {
  return (
    <div className="mt-5 grid justify-items-center gap-2 text-center">
      <CircleCheck aria-hidden="true" className="size-10 text-brand" />
      <p className="text-lg font-semibold">{m.thank_you()}</p>
      <p className="text-sm text-ink-soft">{says}</p>
    </div>
  )
}

interface ReportFormProps {
  isSending: boolean
  /** Why the last try has not reported it; null for none. */
  problem: string | null
  onSend: (report: FilledReport) => void
}

function ReportForm({ isSending, problem, onSend }: ReportFormProps) {
  const line = useId()
  const [kind, setKind] = useState<StepReportKind | null>(null)
  const [isKindMissed, setIsKindMissed] = useState(false)
  const [text, setText] = useState('')
  const photo = usePhoto()
  // A photo that is still being drawn belongs to the report.
  const isBusy = isSending || photo.isDrawing
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsKindMissed(kind === null)
    if (kind !== null && !isBusy) onSend({ kind, text, photo: photo.taken?.base64 ?? null })
  }
  return (
    <form className="mt-4 grid gap-4" onSubmit={submit}>
      <div role="group" aria-label={m.what_is_wrong_here()} className="grid grid-cols-2 gap-2.5">
        {(Object.keys(REPORT_KINDS) as StepReportKind[]).map((each) => (
          <KindButton key={each} kind={each} isChosen={each === kind} onPress={() => setKind(each)} />
        ))}
      </div>
      <div>
        <label htmlFor={line} className="text-sm font-medium">
          {m.in_one_line()}
        </label>
        <input
          id={line}
          value={text}
          maxLength={REPORT_MAX_CHARS}
          dir="auto"
          autoComplete="off"
          enterKeyHint="send"
          onChange={(event) => setText(event.currentTarget.value)}
          className="mt-1.5 h-11 w-full rounded-control border border-line-strong bg-surface px-3"
        />
      </div>
      <PhotoField photo={photo} />
      {problem !== null && <Alert says={problem} />}
      {isKindMissed && kind === null && <Alert says={m.choose_what_is_wrong()} />}
      <Button type="submit" size="large" aria-disabled={kind === null} isBusy={isBusy}>
        {m.send()}
      </Button>
    </form>
  )
}

function Alert({ says }: { says: string }) {
  return (
    <p role="alert" className="text-sm text-danger-ink">
      {says}
    </p>
  )
}

function KindButton({ kind, isChosen, onPress }: { kind: StepReportKind; isChosen: boolean; onPress: () => void }) {
  const isDanger = kind === 'dangerous'
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onPress}
      className={clsx(
        'min-h-14 rounded-control border-2 px-2 py-1.5 font-medium wrap-anywhere',
        isDanger ? 'text-danger-ink' : 'text-ink',
        !isChosen && 'border-line bg-surface hover:border-line-strong',
        isChosen && (isDanger ? 'border-danger bg-danger-soft' : 'border-brand bg-brand-soft'),
      )}
    >
      {REPORT_KINDS[kind]}
    </button>
  )
}

type Photo = NonNullable<Awaited<ReturnType<typeof redrawPhoto>>>

function usePhoto() {
  const [taken, setTaken] = useState<Photo | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [isDrawing, setIsDrawing] = useState(false)
  const newest = useRef<File>(null)
  async function choose(file: File) {
    newest.current = file
    setIsDrawing(true)
    setHasFailed(false)
    const drawn = await redrawPhoto(file)
    // Of two quick choices the last one counts.
    if (newest.current !== file) return
    setIsDrawing(false)
    setTaken(drawn)
    setHasFailed(drawn === null)
  }
  return { taken, hasFailed, isDrawing, choose, remove: () => setTaken(null) }
}

function PhotoField({ photo: { taken, hasFailed, choose, remove } }: { photo: ReturnType<typeof usePhoto> }) {
  const noteId = useId()
  const place = useKeptFocus(taken)
  return (
    <div ref={place} className="grid gap-2">
      {taken === null ? (
        <PhotoInput noteId={noteId} onPhoto={(file) => void choose(file)}>
          <Camera aria-hidden="true" className="size-4.5" />
          {m.add_a_photo()}
        </PhotoInput>
      ) : (
        <div className="flex items-center gap-3">
          <img
            src={`data:${taken.type};base64,${taken.base64}`}
            alt={m.your_photo()}
            className="h-20 max-w-32 rounded-control object-contain"
          />
          <Button variant="ghost" size="small" onClick={remove}>
            {m.remove_the_photo()}
          </Button>
        </div>
      )}
      <p id={noteId} className="text-xs text-ink-soft">
        {m.photo_is_for_trainer()}
      </p>
      {hasFailed && <Alert says={m.photo_cannot_be_read()} />}
    </div>
  )
}
