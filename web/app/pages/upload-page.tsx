import { FileWarning, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { AuthUnavailable } from '#web/features/auth/require-sign-in.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { Uploader } from '#web/features/upload/uploader.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingScreen } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useAuthPaths } from '../paths.ts'

const NEXT = [
  { title: 'Adapt listens', text: 'The narration becomes a transcript with times, or your captions are used.' },
  { title: 'Steps appear', text: 'Each thing you do becomes a step that starts where you say it.' },
  { title: 'You share a link', text: 'Anybody can watch and follow along, without an account.' },
]

/** Not behind the redirect of the other pages: a visitor sees here what is missing. */
export function UploadPage() {
  const visitor = useVisitor()
  usePageTitle('Upload')
  if (visitor === 'loading') return <LoadingScreen />
  if (visitor === 'failed') return <AuthUnavailable />
  return visitor === 'signedOut' ? <SignInToUpload /> : <SignedInUpload />
}

function SignInToUpload() {
  const { signIn, signUp } = useAuthPaths()
  return (
    <Notice
      icon={Lock}
      title="Sign In to Upload"
      actions={
        <>
          <ButtonLink to={signIn}>Sign In</ButtonLink>
          <ButtonLink to={signUp} variant="secondary">
            Get Started
          </ButtonLink>
        </>
      }
    >
      <p>Your modules belong to your account, so that only you can change them.</p>
    </Notice>
  )
}

function SignedInUpload() {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-x-14 gap-y-10 px-4 py-10 sm:px-6 sm:py-14 lg:grid-cols-[1fr_17rem]">
      <div>
        <h1 className="text-3xl font-semibold">Upload a training video</h1>
        <p className="mt-2 mb-8 text-ink-soft">One narrated how-to video becomes one training module.</p>
        <UploadErrorBoundary>
          <Uploader />
        </UploadErrorBoundary>
      </div>
      <aside className="lg:pt-24">
        <h2 className="text-sm font-semibold text-ink-faint">What happens next</h2>
        <ol className="mt-5 space-y-6">
          {NEXT.map(({ title, text }, index) => (
            <li key={title} className="flex gap-4">
              <span className="grid size-7 shrink-0 place-items-center rounded-full bg-brand-soft text-sm font-semibold text-brand-ink tabular-nums">
                {index + 1}
              </span>
              <div>
                <p className="font-medium">{title}</p>
                <p className="mt-0.5 text-sm text-ink-soft">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </aside>
    </div>
  )
}

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
