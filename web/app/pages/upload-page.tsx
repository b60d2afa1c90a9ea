import { FileWarning, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useSearchParams } from 'react-router-dom'
import * as m from '#messages'
import { AuthUnavailable, OrganizationNeeded } from '#web/features/auth/require-sign-in.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { SpeechPreparation } from '#web/features/upload/speech-preparation.tsx'
import { Uploader } from '#web/features/upload/uploader.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingScreen } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { REPLACES_PARAM, useAuthPaths } from '../shared/paths.ts'

const NEXT = [
  { title: m.adapt_listens(), text: m.the_narration_becomes_a_transcript() },
  { title: m.steps_appear(), text: m.each_thing_you_do_becomes() },
  { title: m.you_share_a_link(), text: m.anybody_can_watch_and_follow() },
]

/** Not behind the redirect of the other pages: a visitor sees here what is missing. */
export function UploadPage() {
  const visitor = useVisitor()
  usePageTitle(visitor === 'needsOrganization' ? m.organization_asked_for() : m.upload_page_link())
  if (visitor === 'loading') return <LoadingScreen />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'needsOrganization') return <OrganizationNeeded />
  return visitor === 'signedOut' ? <SignInToUpload /> : <SignedInUpload />
}

function SignInToUpload() {
  const { signIn, signUp } = useAuthPaths()
  return (
    <Notice
      icon={Lock}
      title={m.sign_in_to_upload()}
      actions={
        <>
          <ButtonLink to={signIn}>{m.sign_in_link()}</ButtonLink>
          <ButtonLink to={signUp} variant="secondary">
            {m.get_started()}
          </ButtonLink>
        </>
      }
    >
      <p>{m.your_modules_belong_to_your()}</p>
    </Notice>
  )
}

function SignedInUpload() {
  const [params] = useSearchParams()
  const replaces = params.get(REPLACES_PARAM)
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-x-14 gap-y-10 px-4 py-10 sm:px-6 sm:py-14 lg:grid-cols-[1fr_17rem]">
      <div>
        <h1 className="text-3xl font-semibold">
          {replaces === null ? m.upload_a_training_video() : m.upload_the_new_recording()}
        </h1>
        <p className="mt-2 mb-8 text-ink-soft">
          {replaces === null ? m.one_narrated_how_to_video() : m.new_recording_changes_nothing_yet()}
        </p>
        <SpeechPreparation className="mb-6" />
        <UploadErrorBoundary>
          <Uploader replaces={replaces} />
        </UploadErrorBoundary>
      </div>
      <aside className="lg:pt-24">
        <h2 className="text-sm font-semibold text-ink-faint">{m.what_happens_next()}</h2>
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
  m.refresh_the_page_and_select(),
  m.use_an_mp4_file_with(),
  m.check_that_the_file_plays(),
  m.try_another_browser_or_turn(),
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
      title={m.upload_error()}
      actions={<Button onClick={resetErrorBoundary}>{m.try_again_button()}</Button>}
    >
      <p>{m.the_uploader_stopped_working_these()}</p>
      <ul className="mt-3 list-disc space-y-1 ps-5 text-start text-sm">
        {TIPS.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </Notice>
  )
}
