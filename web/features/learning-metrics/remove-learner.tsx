import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { Pseudonym } from '#contract/learning.ts'
import { Done } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { metricsKey, metricsPath } from './metrics-query.ts'

/** Takes one learner out of the numbers, by the name that downloads give. */
export function RemoveLearner({ moduleId }: { moduleId: string }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const remove = useRemoveLearner(moduleId)
  const pseudonym = Pseudonym.safeParse(typed.trim())
  const isWrong = typed.trim() !== '' && !pseudonym.success

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pseudonym.success && !remove.isPending) remove.mutate(pseudonym.data, { onSuccess: () => setTyped('') })
  }
  return (
    <details className="mt-4 text-sm">
      <summary className="cursor-pointer rounded-control py-1 text-ink-soft">Remove a learner</summary>
      <form noValidate onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
        <label htmlFor={id} className="grid min-w-0 flex-1 basis-60 gap-1 text-ink-soft">
          Pseudonym from the table (CSV)
          <Input
            id={id}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isWrong || undefined}
            aria-describedby={`${id}-error ${id}-hint`}
            onChange={(event) => setTyped(event.target.value)}
            className="h-9! font-mono"
          />
        </label>
        <Button type="submit" size="small" variant="secondary" disabled={!pseudonym.success} isBusy={remove.isPending}>
          Remove
        </Button>
        {isWrong && (
          <p id={`${id}-error`} role="alert" className="w-full font-medium text-danger-ink">
            The pseudonym is the 32 characters of the column Pseudonym.
          </p>
        )}
        <p id={`${id}-hint`} className="w-full text-xs text-ink-faint">
          Deletes what this learner has watched and takes it out of the numbers. This cannot be undone.
        </p>
      </form>
    </details>
  )
}

function useRemoveLearner(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (pseudonym: string) => {
      await callApi({ path: `${metricsPath(moduleId)}/learners/${pseudonym}`, method: 'DELETE', schema: Done })
      await queryClient.invalidateQueries({ queryKey: metricsKey(moduleId) })
    },
    onSuccess: () => toast.success('Learner removed'),
    onError: (error) => toast.error('Failed to remove the learner', { description: error.message }),
  })
}
