import { Download } from 'lucide-react'
import { useDownload } from '#web/lib/use-download.ts'
import { useIsOnline } from '#web/lib/use-is-online.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

const EVERYTHING = { path: '/api/account/export', filename: 'adapt-data.json' }

/** Everything that is kept of the person, as one file. */
export function DownloadData() {
  const { mutate, isPending, isSuccess, error } = useDownload()
  const isOnline = useIsOnline()
  return (
    <Card className="p-6">
      <section aria-labelledby="download-heading">
        <h2 id="download-heading" className="text-lg font-semibold">
          Download everything
        </h2>
        <p className="mt-2 text-ink-soft">
          One JSON file with your modules, their steps, aliases and transcripts, your feedback, what you asked the tutor
          and what you watched. It links to your videos; the links work for six hours.
        </p>
        <Button
          className="mt-5"
          variant="secondary"
          disabled={!isOnline}
          isBusy={isPending}
          onClick={() => mutate(EVERYTHING)}
        >
          {!isPending && <Download aria-hidden="true" className="size-4" />}
          Download my data
        </Button>
        <p role="status" className="mt-3 text-sm text-ink-soft empty:hidden">
          {isPending && 'Collecting your data…'}
          {isSuccess && 'The file is in your downloads.'}
        </p>
        {error && (
          <p role="alert" className="mt-3 text-sm text-danger-ink">
            Your data could not be downloaded. {error.message}
          </p>
        )}
      </section>
    </Card>
  )
}
