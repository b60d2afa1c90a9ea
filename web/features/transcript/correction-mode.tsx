import { PencilLine } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef } from 'react'
import { SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { formatTime, speakTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Textarea } from '#web/ui/form-controls.tsx'
import { LineButton, SpeakerName, useRovingLines } from './line-navigation.tsx'
import { OtherPlaces } from './other-places.tsx'
import { ScreenRepair } from './screen-repair.tsx'
import { useCorrectTranscript } from './use-correct-transcript.ts'
import type { Corrections } from './use-corrections.ts'

interface CorrectionModeProps {
  segments: readonly TranscriptSegment[]
  corrections: Corrections
  /** Where to begin, 0–1. */
  startShare: number
}

export function CorrectionMode({ segments, corrections, startShare }: CorrectionModeProps) {
  const place = useRef<HTMLDivElement>(null)
  const { offer, corrector, dismiss } = corrections
  const replace = useCorrectTranscript(corrector.moduleId, corrector.onCorrected)

  useEffect(() => {
    const box = place.current
    if (box !== null) box.scrollTop = startShare * box.scrollHeight
    // oxlint-disable-next-line react/exhaustive-deps -- only where correcting begins; after that the scrolling is the person's own
  }, [])

  return (
    <>
      <div
        ref={place}
        role="group"
        aria-labelledby="transcript-heading"
        className="relative h-80 overflow-y-auto p-2 text-sm leading-relaxed"
      >
        <CorrectableLines segments={segments} corrections={corrections} />
      </div>
      {offer?.replacements.map((replacement) => (
        <OtherPlaces
          key={replacement.from}
          replacement={replacement}
          correctedId={offer.correctedId}
          segments={segments}
          onCorrect={(correction) => replace.mutate(correction)}
          onDismiss={() => dismiss(replacement)}
        />
      ))}
    </>
  )
}

/** The lines as buttons that open an editor. One stop for the keyboard; the arrows move between the lines. */
function CorrectableLines({ segments, corrections }: Omit<CorrectionModeProps, 'startShare'>) {
  const { line, segment: open } = corrections
  const { list, propsOf, findLine } = useRovingLines(segments)
  useFocusOfClosed(open?.id, findLine)
  async function press(segment: TranscriptSegment) {
    const isOpen = await corrections.open(segment)
    // The one that is open has to be saved first.
    if (!isOpen) list.current?.querySelector('textarea')?.focus()
  }
  return (
    <ul ref={list} className="grid grid-cols-1">
      {segments.map((segment) => (
        <li key={segment.id} className="flex">
          {line !== null && segment.id === open?.id ? (
            <LineEditor key={line.text} segment={segment} draft={line.draft} corrections={corrections} />
          ) : (
            <LineButton
              segment={segment}
              does={m.correct_the_line_at()}
              className="group"
              {...propsOf(segment.id)}
              onClick={() => press(segment)}
            >
              <span className="min-w-0 flex-1">
                <SpeakerName>{segment.speaker}</SpeakerName>
                {segment.text}
                {segment.isEdited && (
                  <span className="ms-2 text-xs whitespace-nowrap text-brand-ink">{m.corrected()}</span>
                )}
              </span>
              <PencilLine
                aria-hidden="true"
                className="mt-0.5 size-4 shrink-0 text-ink-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
              />
            </LineButton>
          )}
          {segment.id !== open?.id && <ScreenRepair {...{ segment }} corrector={corrections.corrector} />}
        </li>
      ))}
    </ul>
  )
}

/** An editor that closes gives the focus back to its line. */
function useFocusOfClosed(openId: string | undefined, findLine: (id: string) => HTMLElement | undefined): void {
  const wasOpen = useRef(openId)
  const focus = useEffectEvent((id: string) => findLine(id)?.focus())
  useEffect(() => {
    const closed = wasOpen.current
    wasOpen.current = openId
    if (openId === undefined && closed !== undefined) focus(closed)
  }, [openId])
}

/** One line of the transcript while it is corrected. Enter saves, Escape leaves it as it was. */
function LineEditor(props: { segment: TranscriptSegment; draft: string; corrections: Corrections }) {
  const { segment, draft, corrections } = props
  const { isSaving, type, giveUp } = corrections
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isEmpty = draft.trim() === ''
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])

  function save(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    void corrections.save()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save(event)
    if (event.key === 'Escape') giveUp()
  }
  return (
    <form onSubmit={save} className="flex min-w-0 flex-1 gap-3 rounded-control bg-sunken p-2">
      <span aria-hidden="true" className="shrink-0 pt-2 text-xs leading-relaxed text-ink-faint tabular-nums">
        {formatTime(segment.start)}
      </span>
      <div className="min-w-0 flex-1">
        <Textarea
          ref={field}
          rows={1}
          value={draft}
          readOnly={isSaving}
          maxLength={SEGMENT_MAX_CHARS}
          aria-label={m.line_at_start({ start: speakTime(segment.start) })}
          aria-invalid={isEmpty || undefined}
          aria-describedby={isEmpty ? id : undefined}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="block resize-none field-sizing-content"
        />
        <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
          <p id={id} role="alert" className="me-auto text-sm font-medium text-danger-ink empty:hidden">
            {isEmpty && m.a_line_cannot_be_empty()}
          </p>
          <Button variant="ghost" size="small" onClick={giveUp}>
            {m.cancel()}
          </Button>
          <Button type="submit" size="small" isBusy={isSaving}>
            {m.save_line()}
          </Button>
        </div>
      </div>
    </form>
  )
}
