import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { removeMicrophone, seedMicrophone } from '#web/features/tutor/testing/fake-microphone.ts'
import type { CallApi } from '#web/lib/api.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { Dictation } from './dictation.tsx'

afterEach(() => {
  vi.useRealTimers()
  removeMicrophone()
})

it('has what the trainer says written down as an answer, which is none of the questions of a day', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  seedMicrophone()
  const paths: string[] = []
  const callApi: CallApi = async ({ path, schema }) => {
    paths.push(path)
    return schema.parse({ success: true, text: 'Beside the door.' })
  }
  const onPhrase = vi.fn()
  const on = { onStart: () => undefined, onPhrase, onSpeech: () => undefined }
  renderApp(<Dictation moduleId="m1" {...on} />, { callApi })
  fireEvent.click(screen.getByRole('button', { name: 'Dictate' }))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  fireEvent.click(screen.getByRole('button', { name: 'Dictate' }))
  await waitFor(() => expect(onPhrase).toHaveBeenCalledWith('Beside the door.'))
  expect(paths).toEqual([expect.stringMatching(/^\/api\/qa\/transcribe\?moduleId=m1&.*purpose=answer$/)])
})
