import { CloudOff, FileWarning, KeyRound, type LucideIcon, TimerOff, TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { ApiError } from '#web/lib/api-error.ts'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Notice, PageBroken } from '#web/ui/notice.tsx'

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
    <FailureScreen icon={KeyRound} title="Configuration Error">
      <p>
        The authentication key is missing or malformed. Set <code>VITE_CLERK_PUBLISHABLE_KEY</code> to the publishable
        key of your Clerk instance and build again.
      </p>
    </FailureScreen>
  )
}

/** Specification §2, "Global error boundary"; `configuration` is its own screen. */
type ErrorKind = 'network' | 'timeout' | 'syntax' | 'auth' | 'configuration' | 'other'

/** Clerk's own complaints about a key that is missing or malformed. */
const KEY_WORDS = /publishable ?key/i
const AUTH_WORDS = /\bclerk\b|unauthori[sz]ed|unauthenticated/i
/** What Chromium, Firefox and Safari say of a script or a call that did not arrive. */
const NETWORK_WORDS =
  /failed to fetch|networkerror|load failed|error loading dynamically imported|importing a module script|unable to preload/i
const TIMEOUT_WORDS = /\btime(?:d )?out\b/i
const SYNTAX_WORDS = /unexpected (?:token|end of json|response)|not valid json/i

/** What kind of failure broke a page, as far as the error shows: decides what to advise, never what to do. */
export function classifyError(error: unknown): ErrorKind {
  if (error instanceof ApiError) return classifyApiError(error)
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  if (KEY_WORDS.test(message)) return 'configuration'
  if (name.startsWith('Clerk') || AUTH_WORDS.test(message)) return 'auth'
  if (name === 'TimeoutError' || TIMEOUT_WORDS.test(message)) return 'timeout'
  if (name === 'NetworkError' || NETWORK_WORDS.test(message)) return 'network'
  return error instanceof SyntaxError || SYNTAX_WORDS.test(message) ? 'syntax' : 'other'
}

function classifyApiError({ code, status }: ApiError): ErrorKind {
  if (code === 'timeout' || code === 'network') return code
  if (code === 'bad_answer') return 'syntax'
  return status === 401 || status === 403 ? 'auth' : 'other'
}

/** Specification §2: Try Again is offered this often. */
const RETRIES_MAX = 3

const SAYINGS: Record<Exclude<ErrorKind, 'configuration'>, { icon: LucideIcon; title: string; text: string }> = {
  network: {
    icon: CloudOff,
    title: 'Connection Problem',
    text: 'A part of Adapt could not be loaded. Check your connection and try again.',
  },
  timeout: {
    icon: TimerOff,
    title: 'Request Timed Out',
    text: 'The server took too long to answer. Please try again in a moment.',
  },
  syntax: {
    icon: FileWarning,
    title: 'Unexpected Response',
    text: 'Adapt received something that it cannot read, as happens after an update. Refresh the page to get the newest version.',
  },
  auth: {
    icon: KeyRound,
    title: 'Sign-in Problem',
    text: 'Your sign-in could not be confirmed. Try again, or go home and sign in once more.',
  },
  other: {
    icon: TriangleAlert,
    title: 'Something went wrong',
    text: 'Please refresh the page and try again.',
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
      {retriesLeft > 0 && <Button onClick={resetErrorBoundary}>Try Again</Button>}
      <Button variant="secondary" onClick={() => window.location.reload()}>
        Refresh Page
      </Button>
      {/* Not a route link: what broke may be the router, and a fresh start is the point. */}
      <a href="/" className={buttonClass({ variant: 'ghost' })}>
        Go Home
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
  if (retriesLeft === 0) return `Trying again ${RETRIES_MAX} times has not helped.`
  return `It failed again. ${retriesLeft} ${retriesLeft === 1 ? 'try' : 'tries'} left.`
}

/**
 * Catches what breaks while a page is drawn; what has a cause that can be named is passed on to the global boundary,
 * which knows more to do. `resetKey` (the path) lets another page start afresh.
 */
export function AppErrorBoundary({ resetKey, children }: { resetKey?: string; children: ReactNode }) {
  return (
    <ErrorBoundary fallbackRender={({ error }) => <AppError error={error} />} resetKeys={[resetKey]}>
      {children}
    </ErrorBoundary>
  )
}

function AppError({ error }: { error: unknown }) {
  usePageTitle('Something went wrong')
  if (classifyError(error) !== 'other') throw error
  return <PageBroken />
}
