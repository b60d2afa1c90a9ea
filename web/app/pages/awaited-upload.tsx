import { Link } from 'react-router-dom'
import { AwaitedVideo } from '#web/features/player/awaited-video.tsx'
import { useUploadOf } from '#web/features/upload/upload-context.tsx'
import type { UploadItem } from '#web/features/upload/upload-item.ts'

interface AwaitedUploadProps {
  moduleId: string
  /** Percent that the server reported last. */
  uploadPercent: number
}

/** The video's place while it arrives. Where this very tab sends it, the tab knows best how far it is. */
export function AwaitedUpload({ moduleId, uploadPercent }: AwaitedUploadProps) {
  const item = useUploadOf(moduleId)
  return (
    <AwaitedVideo percent={Math.max(uploadPercent, percentLeft(item))}>
      {item && (
        <p className="max-w-xs">
          {sentenceOf(item)}{' '}
          <Link
            to="/upload"
            className="rounded-chip font-medium whitespace-nowrap text-on-screen underline underline-offset-4"
          >
            See the upload
          </Link>
        </p>
      )}
    </AwaitedVideo>
  )
}

function percentLeft(item: UploadItem | null): number {
  if (item?.status === 'processing') return 99
  return item?.transfer ? Math.min(99, Math.floor((item.transfer.sentBytes / item.sizeBytes) * 100)) : 0
}

function sentenceOf({ status, isPaused, detail }: UploadItem): string {
  if (status === 'error') return `The upload stopped. ${detail ?? ''}`.trim()
  if (status === 'done') return 'You can close this tab now.'
  return isPaused ? 'The upload is paused.' : 'Keep this tab open until the upload is done.'
}
