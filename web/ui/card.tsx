import clsx from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

const TONES = {
  neutral: 'bg-sunken text-ink-soft',
  brand: 'bg-brand-soft text-brand-ink',
  accent: 'bg-accent-soft text-accent-ink',
  warn: 'bg-warn-soft text-warn-ink',
  danger: 'bg-danger-soft text-danger-ink',
} as const

export type BadgeTone = keyof typeof TONES

export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: BadgeTone
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

/** A sheet of paper on the canvas. Brings no padding: what is inside knows its own. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('rounded-card border border-line bg-surface shadow-card', className)} />
}

interface SectionCardProps {
  title: string
  headingClass?: string
  className?: string
  children: ReactNode
}

/** A card that is a section of its page, named by its heading. */
export function SectionCard({ title, headingClass = 'font-semibold', className, children }: SectionCardProps) {
  const id = useId()
  return (
    <Card className={className}>
      <section aria-labelledby={id}>
        <h2 id={id} className={headingClass}>
          {title}
        </h2>
        {children}
      </section>
    </Card>
  )
}
