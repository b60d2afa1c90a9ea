import { vi } from 'vitest'

/** How long a condition may take to come true on a busy machine; where it is true, nothing waits. */
export const DEADLINE_MS = 15_000

const { waitFor } = vi
vi.waitFor = (condition, options = DEADLINE_MS) => waitFor(condition, options)
