import { KEPT_PATH } from './share-page.ts'

/** The pages that wait for Clerk, as the router has them (`web/app/router.tsx`). */
export const SIGNED_IN_PAGES = [
  '/dashboard',
  '/collections',
  '/collections/*',
  '/upload',
  '/team',
  '/team/*',
  '/account',
  '/debug',
  '/training/*',
  '/edit-steps/*',
  '/invitation',
]

/** All pages of the app, which are built in each of its languages. */
export const APP_PAGES = [
  '/',
  KEPT_PATH,
  '/sign-in',
  '/sign-in/*',
  '/sign-up',
  '/sign-up/*',
  '/sso-callback',
  '/test-spinner',
  '/my',
  ...SIGNED_IN_PAGES,
]
