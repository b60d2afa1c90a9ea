import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { DEADLINE_MS } from '#local/testing/deadline.ts'

configure({ asyncUtilTimeout: DEADLINE_MS })

// jsdom draws nothing, so it has no media queries; ours all answer no.
window.matchMedia ??= (media) => Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList

// Nor has it anywhere to scroll to.
window.scrollTo = () => {}

let consoleError: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  cleanup()
  // The next test's page would show its toasts again, and a text that is there twice is not found until they are gone.
  toast.dismiss()
  const calls = consoleError.mock.calls
  consoleError.mockRestore()
  expect(calls, 'console.error was called').toEqual([])
})

// A part that a page was still fetching when its last test ended would be an error of the file.
afterAll(() => vi.dynamicImportSettled())
