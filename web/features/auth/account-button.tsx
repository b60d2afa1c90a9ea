import { UserButton } from '@clerk/react'

/** Clerk's menu of the signed-in person. Alone in its file, so that pages for strangers do not load Clerk. */
export function AccountButton() {
  return <UserButton />
}
