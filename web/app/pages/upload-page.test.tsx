import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { type Visitor, VisitorContext } from '#web/features/auth/visitor.ts'
import { fakeUploads } from '#web/features/upload/testing/fake-uploads.ts'
import { UploadContext } from '#web/features/upload/upload-manager.ts'
import { FakeClerk, seedClerkInterface } from '#web/testing/fake-clerk.tsx'
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

it('asks a person for an organization who has to choose one, and has its own title again afterwards', async () => {
  seedClerkInterface()
  const { manager, callApi } = fakeUploads()
  function Page() {
    const [visitor, setVisitor] = useState<Visitor>('needsOrganization')
    return (
      <FakeClerk>
        <VisitorContext value={visitor}>
          <UploadContext value={manager}>
            <UploadPage />
            <button onClick={() => setVisitor('signedIn')}>Choose North Workshop</button>
          </UploadContext>
        </VisitorContext>
      </FakeClerk>
    )
  }
  const { user } = renderApp(<Page />, { callApi })
  expect(await screen.findByText('to /')).toBeVisible()
  expect(document.title).toBe('This Adapt asks for an organization · Adapt')
  await user.click(screen.getByRole('button', { name: 'Choose North Workshop' }))
  expect(screen.getByLabelText('Select video')).toBeEnabled()
  expect(document.title).toBe('Upload · Adapt')
})

it('offers the uploader to a signed-in person', { tags: 'spec-2.17' }, () => {
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
