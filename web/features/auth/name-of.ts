import { PERSON_NAME_MAX_CHARS } from '#contract/limits.ts'

interface NamedUser {
  fullName: string | null
  username: string | null
  primaryEmailAddress: { emailAddress: string } | null
}

/** What a person with an account is called: the name that they gave, or else the address that they sign in with. */
export function nameOf(user: NamedUser | null | undefined): string {
  const name = user?.fullName?.trim() || user?.username || user?.primaryEmailAddress?.emailAddress || '?'
  return name.slice(0, PERSON_NAME_MAX_CHARS)
}
