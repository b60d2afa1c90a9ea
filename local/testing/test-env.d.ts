import type { D1Migration } from 'cloudflare:test'

declare global {
  namespace Cloudflare {
    interface Env {
      /** Only in tests: the migrations of `migrations/`, read by vitest.config.ts. */
      TEST_MIGRATIONS: D1Migration[]
      /** How many disturbed runs are tried, and from which seed; empty for the usual number and any seed. */
      FAULT_RUNS: string
    }
  }
}
