// Behaviour: an upload page that fails beside one that does not.
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { UploadErrorBoundary } from '../upload-page.tsx'

it('shows Upload Error with tips, and starts the uploader again on request', { tags: 'spec-2.20' }, async () => {
  let isBroken = true
  function Uploader() {
    if (isBroken) throw new Error('broken uploader')
    return <p>The uploader</p>
  }
  const { user } = renderApp(
    <UploadErrorBoundary>
      <Uploader />
    </UploadErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Upload Error' })).toBeVisible()
  expect(screen.getAllByRole('listitem').length).toBeGreaterThan(2)
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(screen.getByText('The uploader')).toBeVisible()
  // React reports what a boundary caught; here that is the point.
  vi.mocked(console.error).mockClear()
})
