import { screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { GlobalErrorBoundary } from './global-error-boundary.tsx'

// React reports what a boundary caught; here that is the point.
afterEach(() => vi.mocked(console.error).mockClear())

/** A page that breaks `times` times, then is drawn. */
function renderBroken(error: unknown, times = Number.POSITIVE_INFINITY) {
  let isLeft = times
  function Page() {
    const [isBroken] = useState(() => isLeft > 0)
    if (isBroken) throw error
    return <p>The page</p>
  }
  const view = renderApp(
    <GlobalErrorBoundary>
      <Page />
    </GlobalErrorBoundary>,
  )
  return { ...view, repair: () => (isLeft = 0) }
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const tryAgain = () => screen.queryByRole('button', { name: 'Try Again' })

describe('GlobalErrorBoundary', () => {
  it.each([
    ['Connection Problem', new TypeError('Failed to fetch')],
    ['Request Timed Out', new ApiError({ status: 0, code: 'timeout', message: 'Request timeout' })],
    ['Unexpected Response', new SyntaxError('Unexpected token <')],
    ['Sign-in Problem', new ApiError({ status: 401, code: 'unauthenticated', message: 'No' })],
    ['Something went wrong', new Error('broken')],
    ['Configuration Error', new Error('Missing publishableKey')],
  ])('says "%s" of %s', (title, error) => {
    renderBroken(error)
    expect(heading()).toBe(title)
    expect(screen.getByRole('alert')).toBeVisible()
  })

  it('offers to try again, to refresh and to go home', () => {
    renderBroken(new Error('broken'))
    expect(tryAgain()).toBeVisible()
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  })

  it('draws the page again when trying again helps', { tags: 'spec-2.33' }, async () => {
    const { user, repair } = renderBroken(new TypeError('Failed to fetch'))
    repair()
    await user.click(tryAgain() as HTMLElement)
    expect(screen.getByText('The page')).toBeVisible()
  })

  it('offers three tries, and says that they did not help', async () => {
    const { user } = renderBroken(new Error('broken'))
    for (const saying of ['2 tries left', '1 try left', 'Trying again 3 times has not helped.']) {
      await user.click(tryAgain() as HTMLElement)
      expect(screen.getByText(new RegExp(saying))).toBeVisible()
    }
    expect(tryAgain()).toBeNull()
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeVisible()
  })
})
