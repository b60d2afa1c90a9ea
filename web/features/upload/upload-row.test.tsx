import { act, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { MIB, makeVideo } from './testing/fake-uploads.ts'
import { makeItem, type UploadItem, type UploadState } from './upload-item.ts'
import { UploadRow } from './upload-row.tsx'

afterEach(() => vi.restoreAllMocks())

const ATTEMPT = { moduleId: 'm1', key: 'k', uploadUrl: null, sizeBytes: 1, plan: null, arrived: [] }
const TRANSFER = { sentBytes: 12 * MIB, bytesPerSecond: 2 * MIB, leftMs: 35_000 }

type Sending = Extract<UploadState, { kind: 'sending' }>

const sending = (change: Partial<Sending>): UploadState => ({
  kind: 'sending',
  percent: 5,
  transfer: TRANSFER,
  canPause: false,
  isPaused: false,
  hasAudio: false,
  ...change,
})

function open(state: UploadState, change: Partial<UploadItem> = {}) {
  const onPause = vi.fn()
  const onConvert = vi.fn()
  const item = { ...makeItem(makeVideo('talk.mp4'), state), sizeBytes: 40 * MIB, ...change }
  const { user } = renderApp(
    <UploadRow
      item={item}
      isBlocked={false}
      onCancel={() => {}}
      onPause={onPause}
      onRetry={() => {}}
      onConvert={onConvert}
    />,
  )
  return { user, onPause, onConvert }
}

describe('a row', () => {
  it('shows bytes, speed and time left', { tags: 'spec-2.18' }, () => {
    open(sending({ percent: 30 }))
    expect(screen.getByText('12 MB of 40 MB · 2.0 MB/s · about 40 s left')).toBeVisible()
    expect(screen.getByText('Keep this tab open until the upload is done.')).toBeVisible()
  })

  it('shows a long name that is written from right to left from its beginning, and whole when pointed at', () => {
    const name = `${'کار با دستگاه '.repeat(9)}📹.mp4`
    open(sending({}), { name })
    const row = screen.getByTitle(name)
    expect(row).toHaveTextContent(name.trim())
    expect(row).toHaveAttribute('dir', 'auto')
  })

  it('shows no speed while it is unknown', () => {
    open(sending({ transfer: { ...TRANSFER, bytesPerSecond: null, leftMs: null } }))
    expect(screen.getByText('12 MB of 40 MB')).toBeVisible()
  })

  it('can be held only where the rest can follow', async () => {
    open(sending({}))
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
  })

  it('is held and let go', async () => {
    const { user, onPause } = open(sending({ percent: 30, canPause: true, isPaused: true }))
    expect(screen.getByText('Paused at 30%')).toBeVisible()
    expect(screen.getByText('12 MB of 40 MB')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    expect(onPause).toHaveBeenCalledWith(false)
  })

  it('says that it waits while the browser is offline', () => {
    open(sending({}))
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(screen.getByText(/You are offline. The upload goes on by itself/)).toBeVisible()
  })

  it('keeps the tab open, without a way to cancel, until the server has confirmed', () => {
    open({ kind: 'confirming' })
    expect(screen.getByText('Processing')).toBeVisible()
    expect(screen.getByText('Keep this tab open until the upload is done.')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('lets the tab go once the server has confirmed, and leads to the module', () => {
    open({ kind: 'done' }, { attempt: ATTEMPT })
    expect(screen.getByText('You can close this tab now.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the module of talk.mp4' })).toHaveAttribute('href', '/training/m1')
  })

  it('says nothing of tabs when nothing is on its way', () => {
    open({ kind: 'failed', message: 'presign failed: 503', detail: 'Because.', next: 'again', canConvert: false })
    expect(screen.getByText('presign failed: 503')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
    expect(screen.queryByText(/tab/)).toBeNull()
  })

  it('asks before it sends what will not become a training', () => {
    open({ kind: 'doubtful', message: 'This video has no audio', detail: 'Add captions.', canConvert: false })
    expect(screen.getByText('This video has no audio')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
  })

  it('offers to convert what not everybody can watch, beside sending it as it is', async () => {
    const { user, onConvert } = open({ kind: 'doubtful', message: 'In HEVC', detail: 'Convert it.', canConvert: true })
    expect(screen.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Convert and upload' }))
    expect(onConvert).toHaveBeenCalledOnce()
  })

  it('shows how far a conversion is, with a way to end it', () => {
    open({ kind: 'converting', percent: 42, leftMs: 90_000, hasAudio: true })
    expect(screen.getByText('about 2 min left')).toBeVisible()
    expect(screen.getByText('Converting 42%')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Conversion of talk.mp4' })).toHaveAttribute('aria-valuenow', '42')
    expect(
      screen.getByText(/converted in this browser first, and sent after that\. Its audio has arrived already/),
    ).toBeVisible()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeVisible()
  })
})
