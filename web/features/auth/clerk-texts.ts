import type { LocalizationResource } from '@clerk/react/types'

/** What Clerk's screens say. English is in them; a build in another language puts its texts here (web/build/language.ts). */
export const clerkTexts: LocalizationResource = {}
