import { CloudOff, FileWarning, KeyRound, type LucideIcon, TimerOff, TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import * as m from '#messages'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { classifyError, type ErrorKind } from './classify-error.ts'

function FailureScreen({
  title,
  ...notice
}: Pick<ComponentProps<typeof Notice>, 'icon' | 'title' | 'actions' | 'children'>) {
  usePageTitle(title)
  return (
    <main className="flex flex-1 flex-col justify-center">
      <Notice tone="danger" role="alert" title={title} {...notice} />
    </main>
  )
}

/** Replaces the app when it was built without a usable key, because sign-in cannot work without one. */
export function ConfigurationError() {
  return (
    <FailureScreen icon={KeyRound} title={m.configuration_error()}>
      <p>{fillMarks(m.configuration_advice(), { code: (inner) => <code>{inner}</code> })}</p>
    </FailureScreen>
  )
}

/** Specification §2: Try Again is offered this often. */
const RETRIES_MAX = 3

const SAYINGS: Record<Exclude<ErrorKind, 'configuration'>, { icon: LucideIcon; title: string; text: string }> = {
  network: {
    icon: CloudOff,
    title: m.connection_problem(),
    text: m.part_not_loaded(),
  },
  timeout: {
    icon: TimerOff,
    title: m.request_timed_out(),
    text: m.server_took_too_long(),
  },
  syntax: {
    icon: FileWarning,
    title: m.unexpected_response(),
    text: m.refresh_for_newest_version(),
  },
  auth: {
    icon: KeyRound,
    title: m.sign_in_problem(),
    text: m.sign_in_not_confirmed(),
  },
  other: {
    icon: TriangleAlert,
    title: m.something_went_wrong(),
    text: m.please_refresh_and_try_again(),
  },
}

/** The outermost net: says what kind of failure it was, and what can be done about it. Another path starts afresh. */
export function GlobalErrorBoundary({ resetKey, children }: { resetKey?: string; children: ReactNode }) {
  const retries = useRef(0)
  useEffect(() => {
    retries.current = 0
  }, [resetKey])

  function tryAgain() {
    retries.current += 1
    forgetFailedParts()
  }
  return (
    <ErrorBoundary
      resetKeys={[resetKey]}
      onReset={({ reason }) => reason === 'imperative-api' && tryAgain()}
      fallbackRender={(fallback) => <GlobalError {...fallback} retriesLeft={RETRIES_MAX - retries.current} />}
    >
      {children}
    </ErrorBoundary>
  )
}

function GlobalError({ error, resetErrorBoundary, retriesLeft }: FallbackProps & { retriesLeft: number }) {
  const kind = classifyError(error)
  if (kind === 'configuration') return <ConfigurationError />
  const { icon, title, text } = SAYINGS[kind]
  const actions = (
    <>
      {retriesLeft > 0 && <Button onClick={resetErrorBoundary}>{m.try_again_button()}</Button>}
      <Button variant="secondary" onClick={() => window.location.reload()}>
        {m.refresh_page()}
      </Button>
      {/* Not a route link: what broke may be the router, and a fresh start is the point. */}
      <a href="/" className={buttonClass({ variant: 'ghost' })}>
        {m.go_home()}
      </a>
    </>
  )
  return (
    <FailureScreen {...{ icon, title, actions }}>
      <p>{text}</p>
      {retriesLeft < RETRIES_MAX && <p className="mt-2 text-sm">{describeRetries(retriesLeft)}</p>}
    </FailureScreen>
  )
}

function describeRetries(retriesLeft: number): string {
  if (retriesLeft === 0) return m.tried_again_in_vain({ count: RETRIES_MAX })
  return m.failed_again_tries_left({ count: retriesLeft })
}
