import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { fetchSample } from './fetch-sample.ts'
import { isBusy } from './upload-item.ts'
import { useUploadManager, useUploads } from './upload-manager.ts'

/** One click from an empty dashboard to a working module: the sample goes the same way as any upload. */
export function SampleButton({ onSending }: { onSending: () => void }) {
  const manager = useUploadManager()
  const isAnyBusy = useUploads().items.some(({ state }) => isBusy(state))
  const sample = useMutation({
    mutationFn: async () => {
      const { video, captions } = await fetchSample()
      manager.addFiles([video, captions])
    },
    onSuccess: onSending,
  })
  return (
    <>
      <Button
        variant="secondary"
        size="large"
        isBusy={sample.isPending}
        disabled={isAnyBusy}
        onClick={() => sample.mutate()}
      >
        {!sample.isPending && <Sparkles aria-hidden="true" className="size-4 text-accent" />}
        {m.try_with_sample()}
      </Button>
      {sample.isError && (
        <p role="alert" className="w-full text-sm text-danger-ink">
          {sample.error.message}
        </p>
      )}
    </>
  )
}
