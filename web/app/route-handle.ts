/** `handle` of routes that look the same to strangers whether Clerk is loaded or not. */
export const NEEDS_NO_CLERK = 'needs no clerk'
