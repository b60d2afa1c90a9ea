import { UploadError } from './upload-error.ts'
import { CONFIRMED, failedOutcome, percentSent, STORED, type UploadItem } from './upload-item.ts'
import { type UploadDeps, uploadVideo } from './upload-video.ts'

interface UploadRun {
  video: File
  captions: File | null
  signal: AbortSignal
  /** Hears what becomes of the file on its way. */
  onChange: (change: Partial<UploadItem>) => void
}

interface UploadEnding {
  /** Null when it failed. */
  moduleId: string | null
  change: Partial<UploadItem>
}

/** An upload as the list shows it; never throws. */
export async function runUpload(
  { video, captions, signal, onChange }: UploadRun,
  deps: UploadDeps,
): Promise<UploadEnding> {
  try {
    const moduleId = await uploadVideo(
      {
        video,
        captions,
        signal,
        onSent: (sentBytes) => onChange({ progress: percentSent(sentBytes, video.size) }),
        onStored: () => onChange(STORED),
      },
      deps,
    )
    return { moduleId, change: CONFIRMED }
  } catch (error) {
    if (!(error instanceof UploadError) && !signal.aborted) console.error(error)
    return { moduleId: null, change: failedOutcome(error) }
  }
}
