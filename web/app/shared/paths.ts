import { createPath, type ShouldRevalidateFunctionArgs, useLocation, useMatches } from 'react-router-dom'
import { authPathTo, findWantedPath, isAuthPath } from '#web/features/auth/wanted-path.ts'
import { pageOf } from '#web/lib/page-of.ts'

/** `handle` of routes that look the same to strangers whether Clerk is loaded or not. */
export const NEEDS_NO_CLERK = 'needs no clerk'

/** Where to sign in or up from this page, and come back to it: or, from an auth page, to what was wanted before. */
export function useAuthPaths() {
  const location = useLocation()
  const isOpenPage = useMatches().at(-1)?.handle === NEEDS_NO_CLERK
  const currentPath = isOpenPage ? null : createPath(location)
  const wanted = isAuthPath(location.pathname) ? findWantedPath(location.search) : currentPath
  return { signIn: authPathTo('/sign-in', wanted), signUp: authPathTo('/sign-up', wanted) }
}

/** @param section of the owner's page; without one, the page itself */
export function trainingPath(moduleId: string, section?: string): string {
  const path = `/training/${encodeURIComponent(moduleId)}`
  return section === undefined ? path : `${path}/${section}`
}

/** Path of the published versions of a training. */
export function versionsPath(moduleId: string): string {
  return trainingPath(moduleId, 'versions')
}

/** Path of the new recording that is to replace the video of a training. */
export function recordingPath(moduleId: string): string {
  return trainingPath(moduleId, 'recording')
}

/** Names, in the address of the upload page, the training of which the video is a new recording. */
export const REPLACES_PARAM = 'replaces'

export function uploadRecordingPath(moduleId: string): string {
  return `/upload?${REPLACES_PARAM}=${encodeURIComponent(moduleId)}`
}

export function ownCollectionPath(collectionId: string): string {
  return `/collections/${encodeURIComponent(collectionId)}`
}

export function editStepsPath(moduleId: string): string {
  return `/edit-steps/${encodeURIComponent(moduleId)}`
}

/** Path at which a supervisor signs a training of a person off. */
export function signOffPath(personId: string, moduleId: string): string {
  return `/team/sign-off/${encodeURIComponent(personId)}/${encodeURIComponent(moduleId)}`
}

/** What a page loads does not change with its section, or with the rest of its address. */
export function isOtherPage({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return pageOf(currentUrl.pathname) !== pageOf(nextUrl.pathname)
}
