import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { Spinner } from './loading.tsx'

const VARIANTS = {
  primary: 'bg-brand text-on-brand shadow-card hover:bg-brand-strong',
  secondary: 'border border-line bg-surface text-ink shadow-card hover:border-line-strong hover:bg-sunken',
  ghost: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-danger text-on-danger shadow-card hover:bg-danger-strong',
} as const

const SIZES = {
  small: 'h-8 gap-1.5 px-3 text-sm',
  medium: 'h-10 gap-2 px-4 text-sm',
  large: 'h-12 gap-2.5 px-6 text-base',
  icon: 'size-10 shrink-0 pointer-coarse:min-w-11',
} as const

export interface ButtonLook {
  variant?: keyof typeof VARIANTS
  size?: keyof typeof SIZES
  className?: string | undefined
}

/** For the rare link that must not be the router's. */
export function buttonClass({ variant = 'primary', size = 'medium', className }: ButtonLook): string {
  return clsx(
    // As large as a finger where one presses.
    'inline-flex items-center justify-center rounded-control font-medium whitespace-nowrap select-none pointer-coarse:min-h-11',
    'transition-[background-color,border-color,color,transform] active:translate-y-px',
    'disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55',
    VARIANTS[variant],
    SIZES[size],
    className,
  )
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Shows a spinner and refuses presses, but keeps the focus. */
  isBusy?: boolean
}

export function Button({ variant, size, className, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || rest['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={buttonClass({ variant, size, className })}
    >
      {isBusy && <Spinner className="size-4" />}
      {children}
    </button>
  )
}

/** A link that looks like a button: for going somewhere, never for doing something. */
export function ButtonLink({ variant, size, className, ...rest }: LinkProps & ButtonLook) {
  return <Link {...rest} className={buttonClass({ variant, size, className })} />
}
