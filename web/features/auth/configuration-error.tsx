import { KeyRound } from 'lucide-react'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Replaces the app when it was built without a usable key, because sign-in cannot work without one. */
export function ConfigurationError() {
  usePageTitle('Configuration Error')
  return (
    <main className="flex flex-1 flex-col justify-center">
      <Notice icon={KeyRound} tone="danger" role="alert" title="Configuration Error">
        <p>
          The authentication key is missing or malformed. Set <code>VITE_CLERK_PUBLISHABLE_KEY</code> to the publishable
          key of your Clerk instance and build again.
        </p>
      </Notice>
    </main>
  )
}
