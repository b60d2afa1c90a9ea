import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useApi } from '#web/lib/api-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { fetchSample } from './fetch-sample.ts'
import { PauseSwitch } from './pause-switch.ts'
import { openUploadDeps } from './upload-deps.ts'
import { UploadError } from './upload-error.ts'
import { uploadVideo } from './upload-video.ts'

/** One click from an empty dashboard to a working module: the sample goes the same way as any upload. */
export function SampleButton({ onUploaded }: { onUploaded: (moduleId: string) => void }) {
  const callApi = useApi()
  const sample = useMutation({
    mutationFn: async () => {
      const files = await fetchSample()
      const ignore = () => undefined
      const signal = new AbortController().signal
      const rest = { durationMs: null, pause: new PauseSwitch(), signal }
      return uploadVideo(
        { ...files, ...rest, onStarted: ignore, onSent: ignore, onStored: ignore },
        openUploadDeps(callApi),
      )
    },
    onSuccess: onUploaded,
  })
  return (
    <>
      <Button
        variant="secondary"
        size="large"
        isBusy={sample.isPending || sample.isSuccess}
        onClick={() => sample.mutate()}
      >
        {!sample.isPending && !sample.isSuccess && <Sparkles aria-hidden="true" className="size-4 text-accent" />}
        Try it with a sample
      </Button>
      {sample.isError && (
        <p role="alert" className="w-full text-sm text-danger-ink">
          {sentence(sample.error)}
        </p>
      )}
    </>
  )
}

function sentence(error: Error): string {
  return error instanceof UploadError ? `${error.message}. ${error.detail}` : error.message
}
