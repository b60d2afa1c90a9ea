import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField } from '#web/ui/form-field.tsx'
import { Input } from '#web/ui/input.tsx'

interface EraseDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onErased: (answer: EraseAnswer) => void
}

/** Asks for a typed word, since nothing brings back what goes then. */
export function EraseDialog({ isOpen, onOpenChange, onErased }: EraseDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Erase all your data?"
      description="This cannot be taken back, and there are no seven days. Download your data first if you want to keep any of it."
    >
      <EraseForm
        onCancel={() => onOpenChange(false)}
        onErased={(answer) => {
          onOpenChange(false)
          onErased(answer)
        }}
      />
    </Dialog>
  )
}

function EraseForm({ onCancel, onErased }: { onCancel: () => void; onErased: (answer: EraseAnswer) => void }) {
  const erase = useErase(onErased)
  const [word, setWord] = useState('')
  const [problem, setProblem] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    const isConfirmed = word.trim().toLowerCase() === ERASE_WORD
    setProblem(isConfirmed ? undefined : `Type “${ERASE_WORD}” to go on.`)
    if (isConfirmed && !erase.isPending) erase.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <FormField id="erase-word" label={`Type “${ERASE_WORD}” to confirm`} problem={problem}>
        {(links) => (
          <Input
            {...links}
            value={word}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setWord(event.target.value)}
          />
        )}
      </FormField>
      {erase.error && (
        <p role="alert" className="mt-3 text-sm text-danger-ink">
          Your data could not be erased. {erase.error.message}
        </p>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" isBusy={erase.isPending}>
          Erase my data
        </Button>
      </div>
    </form>
  )
}

function useErase(onErased: (answer: EraseAnswer) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      callApi({ path: '/api/account', method: 'DELETE', body: { confirm: ERASE_WORD }, schema: EraseAnswer }),
    onSuccess: (answer) => {
      // What the pages remember is of what is gone.
      queryClient.clear()
      onErased(answer)
    },
  })
}
