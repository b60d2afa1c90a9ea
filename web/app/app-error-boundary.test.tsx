import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { AppErrorBoundary } from './app-error-boundary.tsx'
import { GlobalErrorBoundary } from './global-error-boundary.tsx'

function Broken(): never {
  throw new Error('broken page')
}

it('says what to do when a page cannot be drawn', () => {
  renderApp(
    <AppErrorBoundary>
      <Broken />
    </AppErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  expect(screen.getByText('Please refresh the page and try again.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeVisible()
  // React reports what a boundary caught; here that is the point.
  vi.mocked(console.error).mockClear()
})

it('leaves errors of a known kind to the global boundary, which can retry', () => {
  function Unreachable(): never {
    throw new TypeError('Failed to fetch dynamically imported module: /assets/player.js')
  }
  renderApp(
    <GlobalErrorBoundary>
      <AppErrorBoundary>
        <Unreachable />
      </AppErrorBoundary>
    </GlobalErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Connection Problem' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeVisible()
  vi.mocked(console.error).mockClear()
})
