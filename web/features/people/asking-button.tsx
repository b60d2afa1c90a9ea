import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'

interface AskingButtonProps {
  icon: LucideIcon
  label: string
  question: string
  description: string
  isBusy: boolean
  onConfirm: () => void
}

/** A button for what cannot be undone. */
export function AskingButton({ icon: Icon, label, question, description, isBusy, onConfirm }: AskingButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" isBusy={isBusy} onClick={() => setIsAsking(true)}>
        {!isBusy && <Icon aria-hidden="true" className="size-4" />}
        {label}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={question}
        description={description}
        confirmLabel={label}
        onConfirm={onConfirm}
      />
    </>
  )
}
