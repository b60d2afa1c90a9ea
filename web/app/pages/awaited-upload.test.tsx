import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { storageError } from '#web/features/upload/upload-error.ts'
import { UploadContext, type UploadManager, type UploadState } from '#web/features/upload/upload-manager.ts'
import { failedOutcome, makeItem, STARTED, type UploadItem } from '#web/features/upload/upload-run.ts'
import { AwaitedUpload } from './training-video.tsx'

function open(outcome: Partial<UploadItem>) {
  const item = makeItem(new File(['abc'], 'talk.mp4'), { ...STARTED, moduleId: 'm1', ...outcome })
  const state: UploadState = { items: [item], captions: null, isShared: true, gone: [] }
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
  open(failedOutcome(storageError(403), 'again'))
  const sentence = /^The upload stopped\. The upload address is no longer valid\. Try again to get a new one;/
  expect(screen.getByText(sentence)).toBeVisible()
  expect(screen.queryByText(/storage PUT failed/)).toBeNull()
})

it.each([
  [{}, 'Keep this tab open until the upload is done.'],
  [{ isPaused: true }, 'The upload is paused.'],
  [{ status: 'done' }, 'You can close this tab now.'],
] as const)('says of %o: %s', (outcome, sentence) => {
  open(outcome)
  expect(screen.getByText(sentence)).toBeVisible()
})
