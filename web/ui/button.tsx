import clsx from 'clsx'
import { Check, Copy } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
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
  icon: 'size-10 shrink-0',
} as const

interface ButtonLook {
  variant?: keyof typeof VARIANTS
  size?: keyof typeof SIZES
  className?: string | undefined
}

/** For the rare link that must not be the router's. */
export function buttonClass({ variant = 'primary', size = 'medium', className }: ButtonLook): string {
  return clsx(
    'inline-flex items-center justify-center rounded-control font-medium whitespace-nowrap select-none',
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

/** How long the button says what it did. @see specification §9 */
const COPIED_LABEL_MS = 2_000

interface CopyButtonProps extends ButtonLook {
  text: string
  /** What is copied, where several such buttons are on one page; for screen readers. */
  about?: string | undefined
}

/** Puts a text on the clipboard and says `Copied!` for two seconds. */
export function CopyButton({ text, about, ...look }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), COPIED_LABEL_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      // A page without https, or a browser setting, forbids it; the text beside the button can still be selected.
      setOutcome('refused')
    }
  }

  const Icon = outcome === 'copied' ? Check : Copy
  const says = { idle: 'Copy', copied: 'Copied!', refused: 'Copy failed' }[outcome]
  return (
    <Button variant="secondary" {...look} onClick={copy}>
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">{says}</span>
      {about !== undefined && outcome === 'idle' && <span className="sr-only">: {about}</span>}
    </Button>
  )
}
