import { TaskChooseOrganization, useClerk, useUser } from '@clerk/react'
import { createPath, useLocation } from 'react-router-dom'
import * as m from '#messages'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button } from '#web/ui/button.tsx'

/** The page has the heading and the button to sign out. */
const TASK_APPEARANCE = {
  elements: {
    rootBox: { width: '100%' },
    cardBox: { boxShadow: 'var(--shadow-float)', width: '100%', maxWidth: 'none' },
    headerTitle: { fontSize: '1rem', letterSpacing: 'normal' },
    footer: { display: 'none' },
  },
} as const

/**
 * What to do where Clerk's instance requires an organization and this person has none that is active. Clerk's own form does
 * it. Apart from the guard, since few instances require one.
 */
export function ChooseOrganization() {
  const currentPath = createPath(useLocation())
  const clerk = useClerk()
  const email = useUser().user?.primaryEmailAddress?.emailAddress
  usePageTitle(m.organization_asked_for())
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-10 sm:py-14">
      <h1 className="text-2xl font-semibold">{m.organization_asked_for()}</h1>
      <p className="mt-2 mb-6 text-ink-soft">{m.organization_choices()}</p>
      <TaskChooseOrganization appearance={TASK_APPEARANCE} redirectUrlComplete={currentPath} />
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-ink-soft wrap-anywhere">{email && m.signed_in_as({ email })}</p>
        <Button variant="secondary" onClick={() => void clerk.signOut()}>
          {m.sign_out()}
        </Button>
      </div>
    </div>
  )
}
