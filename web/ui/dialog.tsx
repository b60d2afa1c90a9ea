import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { PANEL_CLASS, SCRIM_CLASS } from './modal-surface.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface DialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  /** Shown under the title; also what a screen reader says when the dialog opens. */
  description?: string
  /** `wide` for two things side by side. */
  width?: keyof typeof WIDTHS
  children: ReactNode
}

const WIDTHS = { normal: '', wide: 'max-w-3xl!' } as const

export function Dialog({ isOpen, onOpenChange, title, description, width = 'normal', children }: DialogProps) {
  const returnFocus = useReturnFocus()
  return (
    <Primitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={SCRIM_CLASS} />
        {/* Without a description Radix warns unless the attribute is explicitly absent. */}
        <Primitive.Content
          className={`${PANEL_CLASS} ${WIDTHS[width]}`}
          {...returnFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="flex items-start justify-between gap-4">
            <Primitive.Title className="pt-1.5 text-lg leading-snug font-semibold">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" className="-mt-1 -mr-2">
                <X aria-hidden="true" className="size-5" />
              </Button>
            </Primitive.Close>
          </div>
          {description && (
            <Primitive.Description className="mt-1 text-sm text-ink-soft">{description}</Primitive.Description>
          )}
          <div className="mt-5">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
