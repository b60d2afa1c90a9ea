// Behaviour: the page of a training whose upload is still running in this tab.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { storageError } from '#web/features/upload/upload-error.ts'
import { failureOf, makeItem, type UploadState } from '#web/features/upload/upload-item.ts'
import { UploadContext, type UploadManager, type Uploads } from '#web/features/upload/upload-manager.ts'
import { AwaitedUpload } from '../training-video.tsx'

const ATTEMPT = { moduleId: 'm1', key: 'k', uploadUrl: null, sizeBytes: 3, plan: null, arrived: [] }
const SENDING: UploadState = {
  kind: 'sending',
  percent: 5,
  transfer: null,
  canPause: true,
  isPaused: false,
  hasAudio: false,
}

function open(itemState: UploadState) {
  const item = { ...makeItem(new File(['abc'], 'talk.mp4'), itemState), attempt: ATTEMPT }
  const blank = { captions: null, isShared: true, replaces: null, bytesPerSecond: null, gone: [] }
  const state: Uploads = { items: [item], ...blank }
  const manager = { getState: () => state, subscribe: () => () => undefined } as unknown as UploadManager
  render(
    <MemoryRouter>
      <UploadContext value={manager}>
        <AwaitedUpload moduleId="m1" uploadPercent={40} />
      </UploadContext>
    </MemoryRouter>,
  )
}

it('says why the upload stopped and what to do, in words for people', () => {
  const { type: _type, ...failure } = failureOf(storageError(403), 'again')
  open({ kind: 'failed', ...failure })
  const sentence = /^The upload stopped\. The upload address is no longer valid\. Try again to get a new one;/
  expect(screen.getByText(sentence)).toBeVisible()
  expect(screen.queryByText(/storage PUT failed/)).toBeNull()
})

it.each([
  [SENDING, 'Keep this tab open until the upload is done.'],
  [{ ...SENDING, isPaused: true }, 'The upload is paused.'],
  [{ kind: 'done' }, 'You can close this tab now.'],
] as const)('says of %o: %s', (state, sentence) => {
  open(state)
  expect(screen.getByText(sentence)).toBeVisible()
})
