import { UserButton } from '@clerk/react'
import { Bug, FileUser } from 'lucide-react'

/** Clerk's menu of the signed-in person. Alone in its file, so that pages for strangers do not load Clerk. */
export function AccountButton() {
  return (
    <UserButton>
      <UserButton.MenuItems>
        <UserButton.Link
          label="Your data"
          labelIcon={<FileUser aria-hidden="true" className="size-4" />}
          href="/account"
        />
        <UserButton.Link label="Debug" labelIcon={<Bug aria-hidden="true" className="size-4" />} href="/debug" />
      </UserButton.MenuItems>
    </UserButton>
  )
}
