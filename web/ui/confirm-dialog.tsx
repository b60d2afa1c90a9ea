import type { LucideIcon } from 'lucide-react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The question. */
  title: string
  description: string
  /** What the person should know before answering. */
  facts: readonly string[]
  confirmIcon: LucideIcon
  confirmLabel: string
  onConfirm: () => void
}

/** Explains something that has consequences but can be undone. For what cannot, there is the alert dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onOpenChange, title, description, facts, confirmIcon: Icon, confirmLabel, onConfirm } = props
  function confirm() {
    // Closed first: the page may remove the menu, and with it the dialog, as soon as the change begins.
    onOpenChange(false)
    onConfirm()
  }
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={title} description={description}>
      <ul className="grid list-disc gap-2 pl-5 text-sm text-ink-soft marker:text-ink-faint">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button onClick={confirm}>
          <Icon aria-hidden="true" className="size-4" />
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
