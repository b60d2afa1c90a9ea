import { type FormEvent, useState } from 'react'
import { RECORD_WORDS_MAX_CHARS } from '#contract/records/training-record.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LongTextField, NameField } from '#web/ui/text-fields.tsx'
import { useChangeRecords } from './record-queries.ts'

interface CorrectDialogProps {
  seq: number
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Asks why a record was wrong, and who says so. */
export function CorrectDialog({ seq, isOpen, onOpenChange }: CorrectDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={m.record_correct_title({ seq })}
      description={m.record_correct_hint()}
    >
      <CorrectForm seq={seq} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

function CorrectForm({ seq, onClose }: { seq: number; onClose: () => void }) {
  const change = useChangeRecords()
  const [reason, setReason] = useState('')
  const [name, setName] = useState('')
  const isComplete = reason.trim() !== '' && name.trim() !== ''
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !change.isPending) change.mutate({ kind: 'correct', seq, reason, name }, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <LongTextField label={m.record_reason()} value={reason} maxLength={RECORD_WORDS_MAX_CHARS} onChange={setReason} />
      <NameField name={name} onChange={setName} />
      <ChangeFailed error={change.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {m.cancel()}
        </Button>
        <Button type="submit" disabled={!isComplete} isBusy={change.isPending}>
          {m.record_correct_action()}
        </Button>
      </div>
    </form>
  )
}

/** Why a change was not made. */
export function ChangeFailed({ error }: { error: Error | null }) {
  return error === null ? null : (
    <p role="alert" className="text-sm text-danger-ink">
      {error.message}
    </p>
  )
}
