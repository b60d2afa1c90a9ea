import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { DropZone } from './pick-files.tsx'
import { ANSWERS, fakeUploads, makeVideo as video } from './testing/fake-uploads.ts'
import { UploadContext } from './upload-manager.ts'
import { Uploader } from './uploader.tsx'

function open(...setup: Parameters<typeof fakeUploads>) {
  const uploads = fakeUploads(...setup)
  const page = (
    <UploadContext value={uploads.manager}>
      <Uploader replaces={null} />
    </UploadContext>
  )
  const { user } = renderApp(page, { callApi: uploads.callApi })
  const sent = () => uploads.calls.filter((call) => call !== 'GET /api/upload')
  return { user, ...uploads, sent }
}

const PREVIEW = 'POST /api/captions?durationMs=9000'

function drop(files: File[]) {
  fireEvent.drop(screen.getByRole('region', { name: 'Video' }), { dataTransfer: { files } })
}

describe('Uploader', () => {
  it('says how large a file may be, and lets the uploader choose who can view it before the first byte', async () => {
    const bodies: unknown[] = []
    const answers = {
      ...ANSWERS,
      'GET /api/upload': () => ({ success: true, uploads: [], maxBytes: 2 * 1024 ** 3 }),
    }
    const { callApi } = fakeApi(answers)
    const noting: CallApi = (call) => {
      if (call.body !== undefined) bodies.push(call.body)
      return callApi(call)
    }
    const { user } = open(answers, { callApi: noting })
    expect(await screen.findByText('Up to 2 GB')).toBeVisible()
    expect(screen.getByText('MP4 recommended, max a few hundred MB')).toBeVisible()
    const choice = screen.getByRole('switch', { name: 'Anyone with the link can view' })
    expect(choice).toBeChecked()
    await user.click(choice)
    expect(choice).toHaveAccessibleDescription('Only you can open the next video until you share it.')
    await user.upload(screen.getByLabelText('Select video'), video())
    await waitFor(() => expect(bodies[0]).toMatchObject({ filename: 'talk.mp4', shared: false }))
    expect(choice).toHaveAttribute('aria-disabled', 'true')
  })

  it.each([
    [null, 2 * 1024 ** 3, 'Up to 2 GB'],
    [1.4 * 1024 ** 2, 2 * 1024 ** 3, 'Up to 2 GB; on this connection 500 MB take about 6 minutes'],
    [60 * 1024 ** 2, 2 * 1024 ** 3, 'Up to 2 GB; on this connection 500 MB take about 10 seconds'],
    [14 * 1024, 2 * 1024 ** 3, 'Up to 2 GB; on this connection 500 MB take about 10 hours'],
    [1024 ** 2, 90 * 1024 ** 2, 'Up to 90 MB; on this connection 90 MB take about 2 minutes'],
  ])('at %s bytes per second says how long a file of at most %s bytes takes: %s', (bytesPerSecond, maxBytes, text) => {
    renderApp(<DropZone onFiles={() => {}} isDisabled={false} maxBytes={maxBytes} bytesPerSecond={bytesPerSecond} />)
    expect(screen.getByText(text)).toBeVisible()
  })

  it('follows the bytes from 5 to 99 and reaches 100 once the server has confirmed', {
    tags: ['spec-4.9', 'spec-9.8'],
  }, async () => {
    const { user, storage, item } = open()
    await user.upload(screen.getByLabelText('Select video'), video())
    expect(screen.getByText('talk.mp4')).toBeVisible()
    expect(screen.getByText(/2\.0 KB/)).toHaveTextContent('Uploading 5%')
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    storage.puts[0]?.onProgress(1024)
    expect(await screen.findByText('Uploading 50%')).toBeVisible()
    storage.puts[0]?.onProgress(2048)
    expect(await screen.findByText('Uploading 99%')).toBeVisible()
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '99')
    storage.end(200)
    expect(await screen.findByText('Done')).toBeVisible()
    expect(item()).toMatchObject({ attempt: { moduleId: 'm1' }, state: { kind: 'done' } })
    expect(screen.getByText('You can close this tab now.')).toBeVisible()
  })

  it('offers Cancel only while bytes are moving, and says canceled', {
    tags: ['fault-3', 'spec-4.12', 'spec-8.10'],
  }, async () => {
    const { user, storage, item } = open()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await user.upload(screen.getByLabelText('Select video'), video())
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('canceled')).toBeVisible()
    expect(storage.puts[0]?.signal.aborted).toBe(true)
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    expect(item()?.state.kind).toBe('canceled')
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus()
  })

  it('starts again from a canceled upload', async () => {
    const { user, storage, item } = open()
    await user.upload(screen.getByLabelText('Select video'), video())
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(storage.puts.length).toBeGreaterThan(0))
    storage.end(200)
    await waitFor(() => expect(item()?.state.kind).toBe('done'))
  })

  it('refuses what is not a video', { tags: 'spec-5.1' }, () => {
    const { sent } = open()
    drop([new File(['x'], 'notes.pdf', { type: 'application/pdf' })])
    expect(screen.getByText('Only video files are allowed')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Upload anyway' })).toBeNull()
    expect(sent()).toEqual([])
  })

  it('uploads only the first of several videos and says so', { tags: 'spec-4.11' }, async () => {
    const { storage } = open()
    drop([new File(['x'], 'notes.pdf', { type: 'application/pdf' }), video('one.mp4'), video('two.mp4')])
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^one\.mp4.*Uploading/),
      expect.stringMatching(/^two\.mp4.*only the first video is taken/),
      expect.stringMatching(/^notes\.pdf.*Only video files are allowed/),
    ])
  })

  it('keeps the page when a file is dropped beside the zone', () => {
    const { sent } = open()
    expect(fireEvent.drop(document.body, { dataTransfer: { files: [video()] } })).toBe(false)
    expect(sent()).toEqual([])
  })

  it('sends captions that were dropped with the video', async () => {
    const { storage, sent } = open()
    drop([video(), new File(['WEBVTT'], 'talk.vtt')])
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sent()).toEqual([PREVIEW, 'POST /api/presigned-upload/presigned-url', 'PUT /api/captions/m1'])
    expect(screen.getByText('1 caption')).toBeVisible()
  })

  it('sends captions that were chosen before the video', async () => {
    const { user, storage, sent } = open()
    await user.upload(screen.getByLabelText('Add captions'), new File(['1'], 'talk.srt'))
    await user.upload(screen.getByLabelText('Select video'), video())
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sent()).toContain('PUT /api/captions/m1')
  })

  it('shows what was repaired before the upload begins, and sends them as they were chosen', async () => {
    const odd = { success: true, cues: 2, repairCount: 3_400, repairs: [{ line: 1_200, code: 'time_guessed' }] }
    const shift = { reason: 'after_end', first: -36_000, last: -36_000 }
    const { user, storage, sent } = open({
      ...ANSWERS,
      [PREVIEW]: () => ({ ...odd, shift: { ...shift, isMoved: true } }),
      'POST /api/captions?times=file&durationMs=9000': () => ({ ...odd, shift: { ...shift, isMoved: false } }),
      'PUT /api/captions/m1?times=file': () => ({ success: true, cues: 2 }),
    })
    drop([video(), new File(['WEBVTT'], 'talk.vtt')])
    const report = within(await screen.findByRole('region', { name: 'Check these captions' }))
    expect(report.getByText('3,400 places were repaired or left out')).toBeVisible()
    expect(report.getByText('The first 1 is listed.')).toBeVisible()
    expect(report.getByRole('listitem')).toHaveTextContent('Line 1,200The time cannot be read')
    expect(report.getByText(/after the end of the video\. They fit 10 h 0 min earlier/)).toBeVisible()
    expect(screen.getByText('Begins as soon as its captions are checked.')).toBeVisible()
    await user.click(report.getByRole('radio', { name: 'Use the times as written' }))
    await waitFor(() => expect(report.getByRole('radio', { name: 'Use the times as written' })).toBeChecked())
    expect(storage.puts).toEqual([])
    await user.click(report.getByRole('button', { name: 'Use captions' }))
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sent().at(-1)).toBe('PUT /api/captions/m1?times=file')
    expect(screen.queryByRole('region', { name: 'Check these captions' })).toBeNull()
  })

  it('goes on without captions that are refused, once they are left out', async () => {
    const refuse = () => {
      throw new ApiError({ status: 422, code: 'captions_invalid', message: 'This is not a caption file.' })
    }
    const { user, storage, sent } = open({ ...ANSWERS, [PREVIEW]: refuse })
    drop([video(), new File(['x'], 'talk.vtt')])
    expect(await screen.findByText('This is not a caption file.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Use captions' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Leave the captions out' }))
    await waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sent()).not.toContain('PUT /api/captions/m1')
  })

  it('reads captions again that could not be sent', async () => {
    let isOffline = true
    const answer = () => {
      if (isOffline) throw new ApiError({ status: 0, code: 'network', message: 'Adapt cannot be reached.' })
      return { success: true, cues: 1 }
    }
    const { user, storage } = open({ ...ANSWERS, [PREVIEW]: answer })
    drop([video(), new File(['x'], 'talk.vtt')])
    expect(await screen.findByText('Adapt cannot be reached.')).toBeVisible()
    isOffline = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(storage.puts).toHaveLength(1))
  })

  it('explains why captions alone are not enough, and drops them', async () => {
    const { user } = open()
    drop([new File(['WEBVTT'], 'talk.vtt')])
    expect(screen.getByText(/Captions alone are not enough/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Remove captions' }))
    expect(screen.queryByText(/Captions alone are not enough/)).toBeNull()
  })

  it("shows the server's sentence beside the failed stage", async () => {
    const message = 'Line 3 of the captions has no time.'
    const { user } = open({
      ...ANSWERS,
      'PUT /api/captions/m1': () => {
        throw new ApiError({ status: 422, code: 'captions_invalid', message })
      },
    })
    await user.upload(screen.getByLabelText('Add captions'), new File(['x'], 'talk.vtt'))
    await user.upload(screen.getByLabelText('Select video'), video())
    expect(await screen.findByText('captions failed: 422')).toBeVisible()
    expect(screen.getByText(message, { selector: 'li p' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Remove captions' })).toBeEnabled()
  })
})
