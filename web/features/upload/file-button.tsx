import clsx from 'clsx'
import type { MouseEvent, ReactNode } from 'react'
import { hasPicker, pickFiles } from './pick-files.ts'

interface FileButtonProps {
  children: ReactNode
  /** What the system's file dialog offers. */
  accept: string
  onFiles: (files: File[]) => void
  isProminent?: boolean
  isMultiple?: boolean
  /** Lets the browser keep a way back to the file, where it can. */
  isKept?: boolean
  isDisabled?: boolean
}

/** The browser's own file input, drawn as a button: keyboard and screen readers meet the real control. */
export function FileButton({
  children,
  accept,
  onFiles,
  isProminent,
  isMultiple,
  isKept,
  isDisabled,
}: FileButtonProps) {
  async function onClick(event: MouseEvent<HTMLInputElement>) {
    if (!isKept || !hasPicker()) return
    event.preventDefault()
    onFiles(await pickFiles({ isMultiple: isMultiple ?? false }))
  }
  return (
    <label
      className={clsx(
        'inline-flex items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors duration-150',
        'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand',
        isProminent
          ? 'h-12 bg-brand px-6 text-on-brand shadow-card'
          : 'h-10 border border-line bg-surface px-4 text-sm shadow-card',
        isDisabled ? 'opacity-55' : 'cursor-pointer',
        !isDisabled && (isProminent ? 'hover:bg-brand-strong' : 'hover:border-line-strong hover:bg-sunken'),
      )}
    >
      {children}
      <input
        type="file"
        className="sr-only"
        accept={accept}
        multiple={isMultiple ?? false}
        disabled={isDisabled ?? false}
        onClick={onClick}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Otherwise picking the same file again would not be a change.
          event.target.value = ''
        }}
      />
    </label>
  )
}
