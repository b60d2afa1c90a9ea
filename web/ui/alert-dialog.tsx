import { AlertDialog as Primitive } from 'radix-ui'
import { Button } from './button.tsx'
import { PANEL_CLASS, SCRIM_CLASS } from './modal-surface.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface AlertDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The question. */
  title: string
  /** What will happen. */
  description: string
  confirmLabel: string
  cancelLabel?: string
  onConfirm: () => void
}

/** Asks before something that cannot be undone. Focus starts on Cancel and returns to where it came from. */
export function AlertDialog({ cancelLabel = 'Cancel', ...props }: AlertDialogProps) {
  const returnFocus = useReturnFocus()
  return (
    <Primitive.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={SCRIM_CLASS} />
        {/* Radix hides the rest of the page with aria-hidden only; aria-modal is what keeps axe and readers right. */}
        <Primitive.Content aria-modal="true" className={PANEL_CLASS} {...returnFocus}>
          <Primitive.Title className="text-lg leading-snug font-semibold">{props.title}</Primitive.Title>
          <Primitive.Description className="mt-2 text-sm text-ink-soft">{props.description}</Primitive.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Primitive.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </Primitive.Cancel>
            <Primitive.Action asChild>
              <Button variant="danger" onClick={props.onConfirm}>
                {props.confirmLabel}
              </Button>
            </Primitive.Action>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
