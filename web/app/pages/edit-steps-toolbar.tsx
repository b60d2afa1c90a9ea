import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { countErrors } from '#web/features/step-editor/save-status.tsx'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Button } from '#web/ui/button.tsx'

interface EditStepsToolbarProps {
  stepCount: number
  /** Problems that are shown. */
  errorCount: number
  isSaving: boolean
  hasUnsaved: boolean
  onAdd: () => void
  onSave: () => void
  onDeleteAll: () => void
}

/** What can be done to the whole list. */
export function EditStepsToolbar(props: EditStepsToolbarProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { stepCount, errorCount } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="secondary" onClick={props.onAdd}>
        <Plus aria-hidden="true" className="size-4" />
        Add Step
      </Button>
      <Button
        variant="ghost"
        disabled={stepCount === 0}
        onClick={() => setIsAsking(true)}
        className="px-3! text-danger-ink! hover:bg-danger-soft!"
      >
        <Trash2 aria-hidden="true" className="size-4" />
        Delete All Steps
      </Button>
      <div className="ml-auto flex items-center gap-3">
        <p role="status" className="text-sm text-ink-soft">
          {props.hasUnsaved && 'Unsaved changes'}
        </p>
        <Button isBusy={props.isSaving} onClick={props.onSave}>
          {errorCount > 0 ? `Save Changes (${countErrors(errorCount)})` : 'Save Changes'}
        </Button>
      </div>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Delete all steps?"
        description={`All ${stepCount} ${stepCount === 1 ? 'step' : 'steps'} of this training are removed at once, for everybody who follows it.`}
        confirmLabel="Delete All Steps"
        onConfirm={props.onDeleteAll}
      />
    </div>
  )
}
