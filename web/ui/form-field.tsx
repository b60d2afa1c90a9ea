import clsx from 'clsx'
import type { ReactNode } from 'react'

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
  className?: string
  /** Draws the input with what ties it to its label and message. */
  children: (links: FieldLinks) => ReactNode
}

/** A label, an input, and what is wrong with it right below. */
export function FormField({ id, label, hint, problem, className, children }: FormFieldProps) {
  const problemId = `${id}-problem`
  const links: FieldLinks = {
    id,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': problem === undefined ? undefined : problemId,
  }
  return (
    <div className={clsx('min-w-0', className)}>
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && <span className="text-xs text-ink-faint tabular-nums">{hint}</span>}
      </div>
      {children(links)}
      <p id={problemId} className="mt-1.5 text-sm font-medium text-danger-ink empty:hidden">
        {problem}
      </p>
    </div>
  )
}
