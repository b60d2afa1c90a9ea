import clsx from 'clsx'
import type { ComponentProps } from 'react'

/** A sheet of paper on the canvas. Brings no padding: what is inside knows its own. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('rounded-card border border-line bg-surface shadow-card', className)} />
}
