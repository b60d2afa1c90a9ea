import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { metricsKey } from './metrics-query.ts'

interface ThresholdFormProps {
  moduleId: string
  completionPercent: number
}

/** What share of the video makes it completed. */
export function ThresholdForm({ moduleId, completionPercent }: ThresholdFormProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const save = useSaveThreshold(moduleId)
  const text = typed ?? String(completionPercent)
  const percent = Number(text)
  const isValid = Number.isInteger(percent) && percent >= 1 && percent <= 100

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isValid && !save.isPending) save.mutate(percent, { onSuccess: () => setTyped(null) })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm">
      <label htmlFor={id} className="text-ink-soft">
        Completed once so much was watched:
      </label>
      <span className="inline-flex items-center gap-1.5">
        <Input
          id={id}
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          value={text}
          aria-invalid={!isValid || undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8! w-18! px-2! text-right tabular-nums"
        />
        <span aria-hidden="true">%</span>
      </span>
      {percent !== completionPercent && isValid && (
        <Button type="submit" size="small" variant="secondary" isBusy={save.isPending}>
          Save
        </Button>
      )}
      <p id={`${id}-error`} role="alert" className="font-medium text-danger-ink empty:hidden">
        {!isValid && 'A whole number from 1 to 100.'}
      </p>
    </form>
  )
}

function useSaveThreshold(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (completionPercent: number) => {
      const path = `/api/modules/${encodeURIComponent(moduleId)}`
      await callApi({ path, method: 'PATCH', body: { completionPercent }, schema: Done })
      await queryClient.invalidateQueries({ queryKey: metricsKey(moduleId) })
    },
    onError: (error) => toast.error('Failed to save when the video is completed', { description: error.message }),
  })
}
