import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

interface TitleEditorProps {
  value: string
  /** What is named; for screen readers. */
  label: string
  maxChars: number
  onSave: (title: string) => void
  /** Also called instead of saving what has not changed. */
  onCancel: () => void
}

/** A title in the place where it stands: Enter saves, Escape leaves it as it was. */
export function TitleEditor({ value, label, maxChars, onSave, onCancel }: TitleEditorProps) {
  const [isEmpty, setIsEmpty] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  // Before the page is painted: a letter that is typed from then on is meant for it.
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  function save(event: FormEvent) {
    event.preventDefault()
    const title = input.current?.value.trim() ?? ''
    if (title === '') return setIsEmpty(true)
    if (title === value) onCancel()
    else onSave(title)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    // The dialog or menu around it is not what is to be left.
    event.stopPropagation()
    onCancel()
  }
  return (
    <form onSubmit={save} className="flex flex-wrap items-center gap-2">
      <Input
        ref={input}
        defaultValue={value}
        maxLength={maxChars}
        aria-label={label}
        aria-invalid={isEmpty || undefined}
        aria-describedby={isEmpty ? errorId : undefined}
        autoComplete="off"
        onInput={() => setIsEmpty(false)}
        onKeyDown={onKeyDown}
        className="min-w-40 flex-1 basis-40 font-semibold"
      />
      <div className="flex gap-2">
        <Button type="submit" size="small">
          Save
        </Button>
        <Button variant="secondary" size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      {isEmpty && (
        <p id={errorId} role="alert" className="basis-full text-sm font-normal text-danger-ink">
          A title is required
        </p>
      )}
    </form>
  )
}
