import clsx from 'clsx'
import type { ComponentProps } from 'react'

/** The browser's own list: it works with every keyboard, reader and telephone. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <select
      {...rest}
      className={clsx(
        'h-10 w-full rounded-control border border-line-strong bg-surface px-3 text-base text-ink sm:text-sm',
        'transition-[border-color] duration-150 hover:border-ink-soft aria-invalid:border-danger disabled:opacity-55',
        className,
      )}
    />
  )
}
