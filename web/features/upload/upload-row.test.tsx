import { act, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { MIB, makeVideo } from './testing/fake-uploads.ts'
import { UploadRow } from './upload-row.tsx'
import { makeItem, STARTED, STORED, type UploadItem } from './upload-run.ts'

afterEach(() => vi.restoreAllMocks())

const TRANSFER = { sentBytes: 12 * MIB, bytesPerSecond: 2 * MIB, leftMs: 35_000 }

function open(change: Partial<UploadItem>) {
  const onPause = vi.fn()
  const onConvert = vi.fn()
  const item = makeItem(makeVideo('talk.mp4'), { ...STARTED, sizeBytes: 40 * MIB, ...change })
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
  it('shows bytes, speed and time left [spec 2.18]', () => {
    open({ progress: 30, transfer: TRANSFER })
    expect(screen.getByText('12 MB of 40 MB · 2.0 MB/s · about 40 s left')).toBeVisible()
    expect(screen.getByText('Keep this tab open until the upload is done.')).toBeVisible()
  })

  it('shows no speed while it is unknown', () => {
    open({ transfer: { ...TRANSFER, bytesPerSecond: null, leftMs: null } })
    expect(screen.getByText('12 MB of 40 MB')).toBeVisible()
  })

  it('can be held only where the rest can follow', async () => {
    open({ transfer: TRANSFER })
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
  })

  it('is held and let go', async () => {
    const { user, onPause } = open({ progress: 30, transfer: TRANSFER, canPause: true, isPaused: true })
    expect(screen.getByText('Paused at 30%')).toBeVisible()
    expect(screen.getByText('12 MB of 40 MB')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    expect(onPause).toHaveBeenCalledWith(false)
  })

  it('says that it waits while the browser is offline', () => {
    open({ transfer: TRANSFER })
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(screen.getByText(/You are offline. The upload goes on by itself/)).toBeVisible()
  })

  it('keeps the tab open, without a way to cancel, until the server has confirmed', () => {
    open(STORED)
    expect(screen.getByText('Processing')).toBeVisible()
    expect(screen.getByText('Keep this tab open until the upload is done.')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('lets the tab go once the server has confirmed, and leads to the module', () => {
    open({ status: 'done', progress: 100, moduleId: 'm1' })
    expect(screen.getByText('You can close this tab now.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the module of talk.mp4' })).toHaveAttribute('href', '/training/m1')
  })

  it('says nothing of tabs when nothing is on its way', () => {
    open({ status: 'error', message: 'presign failed: 503', detail: 'Because.', retry: 'again' })
    expect(screen.getByText('presign failed: 503')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
    expect(screen.queryByText(/tab/)).toBeNull()
  })

  it('asks before it sends what will not become a training', () => {
    open({ status: 'idle', message: 'This video has no audio', detail: 'Add captions.', retry: 'anyway' })
    expect(screen.getByText('This video has no audio')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
  })

  it('offers to convert what not everybody can watch, beside sending it as it is', async () => {
    const { user, onConvert } = open({ status: 'idle', message: 'In HEVC', retry: 'anyway', canConvert: true })
    expect(screen.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Convert and upload' }))
    expect(onConvert).toHaveBeenCalledOnce()
  })

  it('shows how far a conversion is, with a way to end it', () => {
    const transfer = { sentBytes: 0, bytesPerSecond: null, leftMs: 90_000 }
    open({ convertedPercent: 42, isAudioSent: true, transfer })
    expect(screen.getByText('about 2 min left')).toBeVisible()
    expect(screen.getByText('Converting 42%')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Conversion of talk.mp4' })).toHaveAttribute('aria-valuenow', '42')
    expect(
      screen.getByText(/converted in this browser first, and sent after that\. Its audio has arrived already/),
    ).toBeVisible()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeVisible()
  })
})
