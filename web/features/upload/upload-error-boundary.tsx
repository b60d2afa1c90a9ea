import { FileWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

const TIPS = [
  'Refresh the page and select the video again.',
  'Use an MP4 file with H.264 video and AAC audio.',
  'Check that the file plays on your computer.',
  'Try another browser, or turn off extensions for this page.',
]

export function UploadErrorBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={UploadFailed}>{children}</ErrorBoundary>
}

function UploadFailed({ resetErrorBoundary }: { resetErrorBoundary: () => void }) {
  return (
    <Notice
      icon={FileWarning}
      tone="danger"
      role="alert"
      title="Upload Error"
      actions={<Button onClick={resetErrorBoundary}>Try Again</Button>}
    >
      <p>The uploader stopped working. These usually help:</p>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-left text-sm">
        {TIPS.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </Notice>
  )
}
