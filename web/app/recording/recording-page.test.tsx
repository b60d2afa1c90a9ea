import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Recording } from '#contract/training/recording.ts'
import { makeModuleAnswer, renderPage } from '#web/testing/page-harness.tsx'
import { RecordingPage } from './recording-page.tsx'

const RECORDING: Recording = {
  moduleId: 'm2',
  filename: 'again.mp4',
  status: 'READY',
  progress: 100,
  failureCode: null,
  isSilent: false,
  mayTake: true,
  mayDrop: true,
  durationS: 100,
  version: 7,
  steps: [
    { id: 'a', title: 'Open the lid', proposed: { start: 12, end: 20, confidence: 0.9 } },
    { id: 'b', title: 'Check the cable', proposed: { start: 30, end: 41, confidence: 0.4 } },
    { id: 'c', title: 'Oil the hinge', proposed: null },
  ],
  added: [{ start: 2, end: 9, text: 'Put on your gloves first.' }],
}

interface Call {
  body?: unknown
}

function open(recording: Recording | null, answers: Record<string, unknown> = {}) {
  return renderPage(<RecordingPage />, {
    path: '/training/:moduleId/recording',
    url: '/training/m1/recording',
    answers: {
      'GET /api/modules/m1': makeModuleAnswer(),
      'GET /api/recordings/m1': { success: true, recording },
      ...answers,
    },
  })
}

describe('RecordingPage', () => {
  it('leads to the upload of a new recording', async () => {
    open(null)
    const link = await screen.findByRole('link', { name: 'Upload a new recording' })
    expect(link.getAttribute('href')).toBe('/upload?replaces=m1')
  })

  it('says what is found, what to look at, what is missing and what is new', async () => {
    open(RECORDING)
    const places = await screen.findByRole('region', { name: 'Places of the steps in the new video' })
    expect(within(places).getByText('Steps found: 2 of 3')).toBeTruthy()
    const rows = within(places)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(rows).toEqual([
      'Open the lid00:12 – 00:20Sure',
      'Check the cable00:30 – 00:41Please check',
      'Oil the hingeNot found',
    ])
    expect(screen.getByText('Put on your gloves first.')).toBeTruthy()
  })

  it('takes the new video with the steps that are kept', async () => {
    const user = userEvent.setup()
    const sent: unknown[] = []
    open(RECORDING, {
      'POST /api/recordings/m1': ({ body }: Call) => {
        sent.push(body)
        throw new Error('Not now')
      },
    })
    await user.click(await screen.findByRole('checkbox', { name: /Check the cable/ }))
    await user.click(screen.getByRole('button', { name: 'Take the new video' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText(/deleted for good/)).toBeVisible()
    await user.click(question.getByRole('button', { name: 'Take the new video' }))
    expect(sent).toEqual([{ recordingId: 'm2', version: 7, steps: [{ id: 'a', start: 12, end: 20 }] }])
  })

  it('takes the times that a person has set, also of a step that was not found', async () => {
    const user = userEvent.setup()
    const sent: unknown[] = []
    open(RECORDING, {
      'POST /api/recordings/m1': ({ body }: Call) => {
        sent.push(body)
        throw new Error('Not now')
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Change times: Oil the hinge' }))
    await user.clear(screen.getByRole('textbox', { name: 'End' }))
    expect(screen.getByRole('button', { name: 'Take the new video' })).toBeDisabled()
    await user.type(screen.getByRole('textbox', { name: 'End' }), '01:00')
    await user.click(screen.getByRole('button', { name: 'Move start one second later' }))
    expect(screen.getByRole('checkbox', { name: 'Oil the hinge' })).toBeChecked()
    expect(screen.getByText('Set by you')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Take the new video' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Take the new video' }))
    expect(sent).toMatchObject([
      { steps: [{ id: 'a' }, { id: 'b', start: 30, end: 41 }, { id: 'c', start: 1, end: 60 }] },
    ])
  })

  it('says that the old video is deleted for good, and offers that only to those who may delete both', async () => {
    const { unmount } = open(RECORDING)
    expect(await screen.findByText(/The old video is then deleted for good/)).toBeTruthy()
    unmount()
    open({ ...RECORDING, mayTake: false, mayDrop: false })
    expect(await screen.findByText(/Only those who may delete both videos/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Take the new video' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Keep the old video' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Upload a new recording' })).toBeVisible()
  })

  it('leads on from a recording that has failed: to another one, or back to the old video', async () => {
    const user = userEvent.setup()
    const deleted: string[] = []
    open(
      { ...RECORDING, status: 'FAILED', steps: [], added: [] },
      {
        'DELETE /api/modules/m2': () => {
          deleted.push('m2')
          return { success: true }
        },
      },
    )
    const link = await screen.findByRole('link', { name: 'Upload a new recording' })
    expect(link.getAttribute('href')).toBe('/upload?replaces=m1')
    await user.click(screen.getByRole('button', { name: 'Keep the old video' }))
    expect(deleted).toEqual(['m2'])
  })

  it('keeps the old video by deleting the recording', async () => {
    const user = userEvent.setup()
    const deleted: string[] = []
    open(RECORDING, {
      'DELETE /api/modules/m2': () => {
        deleted.push('m2')
        return { success: true }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Keep the old video' }))
    expect(deleted).toEqual(['m2'])
  })

  it('says how far a recording is that is processed', async () => {
    open({ ...RECORDING, status: 'PROCESSING', progress: 40, steps: [], added: [] })
    expect(await screen.findByRole('progressbar')).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Open the new recording' })
    expect(link.getAttribute('href')).toBe('/training/m2')
  })
})
