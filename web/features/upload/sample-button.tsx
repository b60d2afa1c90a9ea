import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { useUploadManager, useUploadState } from './upload-manager.ts'

/** One click from an empty dashboard to a working module: the sample goes the same way as any upload. */
export function SampleButton({ onSending }: { onSending: () => void }) {
  const manager = useUploadManager()
  const isBusy = useUploadState().items.some(({ status }) => status === 'uploading' || status === 'processing')
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
        disabled={isBusy}
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

/** Made by the fixture script and served with the app. A module is titled after its file's name. */
const SAMPLE = {
  // not-shown: for developers.
  video: { path: '/sample/adapt-sample.mp4', name: 'Change the roll in a label printer.mp4', type: 'video/mp4' },
  // not-shown: for developers.
  captions: { path: '/sample/adapt-sample.vtt', name: 'Change the roll in a label printer.vtt', type: 'text/vtt' },
} as const

/** The how-to that comes with Adapt. Its captions let it work where no speech recogniser is installed. */
export async function fetchSample() {
  const [video, captions] = await Promise.all([fetchFile(SAMPLE.video), fetchFile(SAMPLE.captions)])
  return { video, captions }
}

async function fetchFile({ path, name, type }: { path: string; name: string; type: string }): Promise<File> {
  const response = await fetch(path)
  // An address without a file is answered with the page, and 200.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if (!response.ok || isPage) throw new Error(m.sample_not_installed())
  return new File([await response.blob()], name, { type })
}
