import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeUploads } from '#web/features/upload/testing/fake-uploads.ts'
import { UploadContext } from '#web/features/upload/upload-manager.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { UploadPage } from './upload-page.tsx'

it('shows Loading until the visitor is known', () => {
  renderApp(<UploadPage />, { visitor: 'loading' })
  expect(screen.getByRole('status')).toHaveTextContent('Loading')
})

it('asks a visitor to sign in', () => {
  renderApp(<UploadPage />, { visitor: 'signedOut', at: '/upload' })
  expect(screen.getByRole('heading', { name: 'Sign In to Upload' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/sign-in?redirect_url=%2Fupload')
})

it('offers the uploader to a signed-in person [spec 2.17]', () => {
  const { manager, callApi } = fakeUploads()
  const page = (
    <UploadContext value={manager}>
      <UploadPage />
    </UploadContext>
  )
  renderApp(page, { callApi })
  expect(screen.getByText('MP4 recommended, max a few hundred MB')).toBeVisible()
  expect(screen.getByLabelText('Select video')).toBeEnabled()
  expect(document.title).toBe('Upload · Adapt')
})
