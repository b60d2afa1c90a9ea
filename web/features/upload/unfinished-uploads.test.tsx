import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { COMPLETE, DISCARD, fakeUploads, MIB, makeUpload, makeVideo, PART_ANSWERS } from './testing/fake-uploads.ts'
import { UploadContext } from './upload-manager.ts'
import { Uploader } from './uploader.tsx'

function open(upload = makeUpload(), change: Parameters<typeof fakeUploads>[1] = {}) {
  const uploads = [upload]
  const answers = {
    ...PART_ANSWERS,
    'GET /api/upload': () => ({ success: true, uploads }),
    'GET /api/upload/m1': () => ({ success: true, upload }),
  }
  const fake = fakeUploads(answers, change)
  const page = (
    <UploadContext value={fake.manager}>
      <Uploader replaces={null} />
    </UploadContext>
  )
  return { ...fake, ...renderApp(page, { callApi: fake.callApi }) }
}

const sameVideo = () => makeVideo('talk.mp4', 20 * MIB)
const STOPPED = 'Your upload of talk.mp4 stopped at 40 %'

describe('an unfinished upload', () => {
  it('is shown with the percentage that has arrived, and continues with the same file', {
    tags: 'fault-2',
  }, async () => {
    const { user, storage, item } = open()
    expect(await screen.findByText(STOPPED)).toBeVisible()
    await user.upload(screen.getByLabelText('Select the same file'), sameVideo())
    await waitFor(() => expect(storage.puts).toHaveLength(2))
    expect(storage.puts.map(({ url }) => url)).toEqual(['p2', 'p3'])
    expect(item()?.attempt?.moduleId).toBe('m1')
    expect(screen.queryByText(STOPPED)).toBeNull()
  })

  it('is not mixed up with another file', { tags: 'fault-2' }, async () => {
    const { user, storage } = open()
    const other = makeVideo('other.mp4', 20 * MIB)
    await user.upload(await screen.findByLabelText('Select the same file'), other)
    expect(await screen.findByRole('alert')).toHaveTextContent('This is another file than talk.mp4')
    expect(storage.puts).toEqual([])
  })

  it('resumes with one click where the browser has the file', async () => {
    const { user, storage, kept } = open()
    kept.set('m1', sameVideo())
    await user.click(await screen.findByRole('button', { name: 'Continue the upload of talk.mp4' }))
    await waitFor(() => expect(storage.puts).toHaveLength(2))
  })

  it('is offered again when its file was changed meanwhile', async () => {
    const sendParts = () => Promise.reject(new DOMException('', 'NotFoundError'))
    const { user } = open(makeUpload(), { sendParts })
    await user.upload(await screen.findByLabelText('Select the same file'), sameVideo())
    expect(await screen.findByText('This file was changed, moved or removed')).toBeVisible()
    expect(await screen.findByText(STOPPED)).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Continue the upload of talk.mp4' })).toBeEnabled()
  })

  it('is not continued with another file that is now where the first was', async () => {
    const { user, kept } = open()
    kept.set('m1', makeVideo('other.mp4', 20 * MIB))
    await user.click(await screen.findByRole('button', { name: 'Continue the upload of talk.mp4' }))
    expect(await screen.findByLabelText('Select the same file')).toBeEnabled()
    expect(screen.getByRole('alert')).toHaveTextContent('This is another file than talk.mp4')
  })

  it('asks for the file when the browser no longer gets at it', async () => {
    const getFile = () => Promise.reject(new Error('moved'))
    const keptFiles = {
      keep: async () => {},
      find: async () => ({ kind: 'file' as const, getFile }),
      forget: async () => {},
    }
    const { user } = open(makeUpload(), { keptFiles })
    await user.click(await screen.findByRole('button', { name: 'Continue the upload of talk.mp4' }))
    expect(await screen.findByLabelText('Select the same file')).toBeEnabled()
    expect(screen.getByRole('alert')).toHaveTextContent('no longer has talk.mp4 at hand')
  })

  it('is only confirmed when all of it has arrived', async () => {
    const parts = [1, 2, 3].map((part) => ({ part, etag: 'e', sizeBytes: part === 3 ? 4 * MIB : 8 * MIB }))
    const { user, calls, item } = open(makeUpload({ parts }))
    await user.click(await screen.findByRole('button', { name: 'Finish' }))
    await waitFor(() => expect(item()?.state.kind).toBe('done'))
    expect(calls).toContain(COMPLETE)
  })

  it('is removed on demand, after a question', async () => {
    const { user, calls } = open()
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(calls).not.toContain(DISCARD)
    await user.click(screen.getByRole('button', { name: 'Discard', description: '' }))
    await waitFor(() => expect(calls).toContain(DISCARD))
    expect(screen.queryByText(STOPPED)).toBeNull()
  })

  it('is left alone while another tab sends it', async () => {
    const locks = { hold: () => () => {}, list: async () => new Set(['m1']) }
    open(makeUpload(), { locks })
    expect(await screen.findByText('talk.mp4 is on its way in another tab')).toBeVisible()
    expect(screen.queryByLabelText('Select the same file')).toBeNull()
  })

  it('is not shown again right after a cancel', async () => {
    const { user, storage } = open()
    await user.upload(await screen.findByLabelText('Select the same file'), sameVideo())
    await waitFor(() => expect(storage.puts).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('canceled')).toBeVisible()
    expect(screen.queryByText(STOPPED)).toBeNull()
  })
})
