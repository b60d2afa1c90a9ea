// Behaviour: what the app shows when an upload has ended, on any page.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { ANSWERS, COMPLETE, fakeUploads, makeVideo, quickStorage } from '#web/features/upload/testing/fake-uploads.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { UploadOutcome } from '../upload-root.tsx'

// A toast that was pressed leaves 200 ms later, and needs a window for it.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 300)))

function openAt(at: string, name: string, answers = ANSWERS) {
  const { manager } = fakeUploads(answers, { putFile: quickStorage().putFile })
  const elsewhere = { '/upload': 'Upload page', '/training/m1': 'Module page' }
  delete (elsewhere as Record<string, string>)[at]
  const page = renderApp(<UploadOutcome manager={manager} />, { at, elsewhere })
  manager.addFiles([makeVideo(name)])
  return page
}

const FAILING = {
  ...ANSWERS,
  [COMPLETE]: () => {
    throw new ApiError({ status: 422, code: 'not_a_video', message: 'This is not a video.' })
  },
}

describe('an upload that is done', () => {
  it('leads who waits for it to the module, and says that the tab may be closed', { tags: 'spec-4.10' }, async () => {
    const { router } = openAt('/upload', 'first.mp4')
    expect(await screen.findByText('Module page')).toBeVisible()
    expect(router.state.location.search).toBe('?processing=true')
    expect(await screen.findByText('You can close this tab now.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Open the module' })).toBeNull()
  })

  it('leaves people on other pages where they are, and offers the way', async () => {
    const { router } = openAt('/dashboard', 'second.mp4')
    expect(await screen.findByText('second.mp4 has been uploaded')).toBeVisible()
    expect(router.state.location.pathname).toBe('/dashboard')
    fireEvent.click(screen.getByRole('button', { name: 'Open the module' }))
    expect(await screen.findByText('Module page')).toBeVisible()
  })
})

describe('an upload that ended while the landing page was open', () => {
  it('is shown on the way back, and leaves the person on their page', async () => {
    const { manager } = fakeUploads(ANSWERS, { putFile: quickStorage().putFile })
    manager.addFiles([makeVideo('early.mp4')])
    await vi.waitFor(() => expect(manager.getState().items[0]?.state.kind).toBe('done'))
    const { router } = renderApp(<UploadOutcome manager={manager} />, { at: '/upload' })
    expect(await screen.findByText('early.mp4 has been uploaded')).toBeVisible()
    expect(router.state.location.pathname).toBe('/upload')
  })
})

describe('the next upload', () => {
  it('removes the notice that the tab may be closed', async () => {
    let hold = Promise.resolve()
    const quick = quickStorage()
    const putFile: typeof quick.putFile = async (put) => {
      await hold
      return quick.putFile(put)
    }
    const { manager } = fakeUploads(ANSWERS, { putFile })
    renderApp(<UploadOutcome manager={manager} />, { at: '/dashboard' })
    manager.addFiles([makeVideo('fourth.mp4')])
    expect(await screen.findByText('fourth.mp4 has been uploaded')).toBeVisible()
    hold = new Promise(() => {})
    manager.addFiles([makeVideo('fifth.mp4')])
    await waitFor(() => expect(screen.queryByText('You can close this tab now.')).toBeNull())
  })
})

describe('an upload that failed', () => {
  it('says so on other pages, and leads back to it', async () => {
    openAt('/dashboard', 'third.mp4', FAILING)
    expect(await screen.findByText('The upload of third.mp4 failed')).toBeVisible()
    expect(screen.getByText('complete failed: 422. This is not a video.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', { name: 'See the upload' }))
    expect(await screen.findByText('Upload page')).toBeVisible()
  })

  it('is left to its row on the upload page', async () => {
    const { manager } = fakeUploads(FAILING, { putFile: quickStorage().putFile })
    renderApp(<UploadOutcome manager={manager} />, { at: '/upload' })
    manager.addFiles([makeVideo('other.mp4')])
    await vi.waitFor(() => expect(manager.getState().items[0]?.state.kind).toBe('failed'))
    expect(screen.queryByText(/other\.mp4/)).toBeNull()
  })
})
