import clsx from 'clsx'
import type { ComponentProps } from 'react'

const FIELD =
  'w-full rounded-control border border-line-strong bg-surface text-ink placeholder:text-ink-faint ' +
  'transition-[border-color] hover:border-ink-soft aria-invalid:border-danger disabled:opacity-55'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={clsx(FIELD, 'h-10 px-3 text-base sm:text-sm', className)} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={clsx(FIELD, 'px-3 py-2 text-base sm:text-sm', className)} />
}
