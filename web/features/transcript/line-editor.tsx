import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { formatTime, speakTime } from '#web/lib/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Textarea } from '#web/ui/input.tsx'

interface LineEditorProps {
  segment: TranscriptSegment
  draft: string
  isSaving: boolean
  onChange: (draft: string) => void
  onSave: () => void
  onCancel: () => void
}

/** One line of the transcript while it is corrected. Enter saves, Escape leaves it as it was. */
export function LineEditor({ segment, draft, isSaving, onChange, onSave, onCancel }: LineEditorProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isEmpty = draft.trim() === ''
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])

  function save(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    onSave()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save(event)
    if (event.key === 'Escape') onCancel()
  }
  return (
    <form onSubmit={save} className="flex gap-3 rounded-control bg-sunken p-2">
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
          aria-label={`Line at ${speakTime(segment.start)}`}
          aria-invalid={isEmpty || undefined}
          aria-describedby={isEmpty ? id : undefined}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          className="block resize-none field-sizing-content"
        />
        <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
          <p id={id} role="alert" className="mr-auto text-sm font-medium text-danger-ink empty:hidden">
            {isEmpty && 'A line cannot be empty.'}
          </p>
          <Button variant="ghost" size="small" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="small" isBusy={isSaving}>
            Save line
          </Button>
        </div>
      </div>
    </form>
  )
}
