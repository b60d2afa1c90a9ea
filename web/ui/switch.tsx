import { useId } from 'react'

interface SwitchProps {
  label: string
  /** What it means as it stands now. */
  description: string
  isOn: boolean
  /** Refuses presses, but keeps the focus. */
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}

/** Something that is on or off, at once and without a button to save it. */
export function Switch({ label, description, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p id={`${id}-means`} className="mt-0.5 text-sm text-ink-soft">
          {description}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        aria-disabled={isDisabled || undefined}
        aria-describedby={`${id}-means`}
        onClick={() => !isDisabled && onChange(!isOn)}
        className="group relative mt-0.5 h-6 w-11 shrink-0 after:absolute after:-inset-2.5 rounded-full border border-line-strong bg-sunken transition-colors duration-150 aria-checked:border-brand aria-checked:bg-brand aria-disabled:cursor-default! aria-disabled:opacity-55"
      >
        <span className="block size-4 translate-x-1 rounded-full bg-line-strong transition-transform duration-150 group-aria-checked:translate-x-5.5 rtl:-translate-x-1 rtl:group-aria-checked:-translate-x-5.5 group-aria-checked:bg-on-brand" />
      </button>
    </div>
  )
}
