import { UserButton } from '@clerk/react'
import { Bug } from 'lucide-react'

/** Clerk's menu of the signed-in person. Alone in its file, so that pages for strangers do not load Clerk. */
export function AccountButton() {
  return (
    <UserButton>
      <UserButton.MenuItems>
        <UserButton.Link label="Debug" labelIcon={<Bug aria-hidden="true" className="size-4" />} href="/debug" />
      </UserButton.MenuItems>
    </UserButton>
  )
}
