import { type FormEventHandler, type ReactNode, type RefObject, useId } from 'react'
import { Button } from '#web/ui/button.tsx'

interface FormFrameProps {
  ref: RefObject<HTMLFormElement | null>
  title: string
  submitLabel: string
  isBusy: boolean
  onSubmit: FormEventHandler
  onCancel: () => void
  children: ReactNode
}

/** What is proposed for a question: to be changed, and either kept or not. */
export function FormFrame({ ref, title, submitLabel, isBusy, onSubmit, onCancel, children }: FormFrameProps) {
  const id = useId()
  return (
    <form
      ref={ref}
      noValidate
      aria-labelledby={id}
      onSubmit={onSubmit}
      className="mt-3 grid animate-rise grid-cols-1 gap-4 rounded-control bg-sunken p-3.5"
    >
      <h4 id={id} className="text-sm font-semibold">
        {title}
      </h4>
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="small" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
