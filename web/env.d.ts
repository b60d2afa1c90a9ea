interface ImportMetaEnv {
  readonly VITE_CLERK_PUBLISHABLE_KEY?: string
  /** Path under which Clerk's API is served by this origin; empty for Clerk's own host. */
  readonly VITE_CLERK_PROXY_URL?: string
  /** `off` where an operator has devices forget what they keep (docs/operations.md). */
  readonly VITE_KEEP?: string
}
