import clsx from 'clsx'
import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import * as m from '#messages'
import { Button } from './button.tsx'

interface FieldLinks {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface FormFieldProps {
  id: string
  label: string
  /** Beside the label: how much is left, whether it is optional. */
  hint?: ReactNode
  problem?: string | undefined
  /** Has readers say a problem as it comes: for one that the server finds, while the focus stays in the input. */
  isLive?: boolean
  /** Draws the input with what ties it to its label and message. */
  children: (links: FieldLinks) => ReactNode
}

export function FormField({ id, label, hint, problem, isLive = false, children }: FormFieldProps) {
  const problemId = `${id}-problem`
  const links: FieldLinks = {
    id,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': problem === undefined ? undefined : problemId,
  }
  return (
    <div className="min-w-0">
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && <span className="text-xs text-ink-faint tabular-nums">{hint}</span>}
      </div>
      {children(links)}
      <p
        id={problemId}
        role={isLive ? 'alert' : undefined}
        className="mt-1.5 text-sm font-medium text-danger-ink empty:hidden"
      >
        {problem}
      </p>
    </div>
  )
}

const FIELD =
  'w-full rounded-control border border-line-strong bg-surface text-ink placeholder:text-ink-faint ' +
  'transition-[border-color] hover:border-ink-soft aria-invalid:border-danger disabled:opacity-55'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input {...rest} className={clsx(FIELD, 'h-10 px-3 text-base pointer-coarse:min-h-11 sm:text-sm', className)} />
  )
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={clsx(FIELD, 'px-3 py-2 text-base sm:text-sm', className)} />
}

/** The browser's own list: it works with every keyboard, reader and telephone. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...rest} className={clsx(FIELD, 'h-10 px-3 text-base pointer-coarse:min-h-11 sm:text-sm', className)} />
  )
}

interface TitleEditorProps {
  value: string
  /** What is named; for screen readers. */
  label: string
  maxChars: number
  onSave: (title: string) => void
  /** Also called instead of saving what has not changed. */
  onCancel: () => void
}

/** A title in the place where it stands: Enter saves, Escape leaves it as it was. One that is too long is refused, not cut. */
export function TitleEditor({ value, label, maxChars, onSave, onCancel }: TitleEditorProps) {
  const [title, setTitle] = useState(value)
  const [isRefused, setIsRefused] = useState(false)
  const length = title.trim().length
  const isTooLong = length > maxChars
  const problem = isTooLong ? m.a_title_has_at_most({ maxChars }) : length === 0 ? m.a_title_is_required() : null
  const isShown = problem !== null && (isTooLong || isRefused)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const countId = useId()
  // Before the page is painted: a letter that is typed from then on is meant for it.
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  function save(event: FormEvent) {
    event.preventDefault()
    if (problem !== null) return setIsRefused(true)
    if (title.trim() === value) onCancel()
    else onSave(title.trim())
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
        value={title}
        aria-label={label}
        aria-invalid={isShown || undefined}
        aria-describedby={isShown ? errorId : countId}
        autoComplete="off"
        onChange={(event) => {
          setTitle(event.target.value)
          setIsRefused(false)
        }}
        onKeyDown={onKeyDown}
        className="min-w-40 flex-1 basis-40 font-semibold"
      />
      <div className="flex gap-2">
        <Button type="submit" size="small">
          {m.save()}
        </Button>
        <Button variant="secondary" size="small" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </div>
      <TitleNotes {...{ countId, errorId, length, maxChars }} problem={isShown ? problem : null} />
    </form>
  )
}

interface TitleNotesProps {
  countId: string
  errorId: string
  length: number
  maxChars: number
  problem: string | null
}

function TitleNotes({ countId, errorId, length, maxChars, problem }: TitleNotesProps) {
  return (
    <>
      <p
        id={countId}
        className={clsx('text-xs font-normal tabular-nums', length > maxChars ? 'text-danger-ink' : 'text-ink-faint')}
      >
        {m.count_of_max({ count: length, max: maxChars })}
      </p>
      {problem !== null && (
        <p id={errorId} role="alert" className="basis-full text-sm font-normal text-danger-ink">
          {problem}
        </p>
      )}
    </>
  )
}
