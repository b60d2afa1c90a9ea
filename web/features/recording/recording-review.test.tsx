import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { Recording } from '#contract/training/recording.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { withPlaces } from './placed-steps.ts'
import { type EditedTimes, RecordingReview } from './recording-review.tsx'

const SILENT: Recording = {
  moduleId: 'm2',
  filename: 'again.mp4',
  status: 'READY',
  progress: 100,
  failureCode: null,
  isSilent: true,
  mayTake: true,
  mayDrop: true,
  durationS: 100,
  version: 7,
  steps: [
    { id: 'a', title: 'Open the lid', proposed: null },
    { id: 'b', title: 'Check the cable', proposed: null },
    { id: 'c', title: 'Oil the hinge', proposed: null },
  ],
  added: [],
}
const PLACES = new Map(
  ['a', 'b', 'c'].map((id, index) => [id, { startMs: index * 10_000, endMs: index * 10_000 + 5_000, confidence: 0.9 }]),
)

function StartField({ draft, onChange }: EditedTimes) {
  return <input aria-label="Start" value={draft.start} onChange={({ target }) => onChange({ start: target.value })} />
}

/** A review in which the images show the places of all steps once they are looked for. */
function Review() {
  const [recording, setRecording] = useState(SILENT)
  return (
    <RecordingReview
      recording={recording}
      recordingPath="/training/m2"
      uploadPath="/upload"
      search={
        <button type="button" onClick={() => setRecording(withPlaces(SILENT, PLACES))}>
          Look
        </button>
      }
      renderTimes={(times) => <StartField {...times} />}
      busy={null}
      onTake={() => undefined}
      onDrop={() => undefined}
    />
  )
}

it('keeps the steps that their images show, and leaves what a person has typed or unticked', async () => {
  const { user } = renderApp(<Review />)
  await user.dblClick(await screen.findByRole('checkbox', { name: 'Check the cable' }))
  await user.click(screen.getByRole('button', { name: 'Change times: Oil the hinge' }))
  const start = screen.getByRole('textbox', { name: 'Start' })
  await user.clear(start)
  await user.type(start, '00:50')
  await user.click(screen.getByRole('button', { name: 'Look' }))
  expect(screen.getByText('Steps found: 3 of 3')).toBeVisible()
  expect(screen.getByRole('checkbox', { name: 'Open the lid' })).toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'Check the cable' })).not.toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'Oil the hinge' })).toBeChecked()
  expect(screen.getByRole('textbox', { name: 'Start' })).toHaveValue('00:50')
})

it('says why the new video cannot be taken: no step is kept, or a time of a closed row is wrong', async () => {
  const { user } = renderApp(<Review />)
  const take = await screen.findByRole('button', { name: 'Take the new video' })
  expect(screen.getByRole('status')).toHaveTextContent('Keep at least one step to take the new video.')
  await user.click(screen.getByRole('button', { name: 'Look' }))
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  expect(take).toBeEnabled()
  await user.click(screen.getByRole('button', { name: 'Change times: Oil the hinge' }))
  await user.clear(screen.getByRole('textbox', { name: 'Start' }))
  await user.click(screen.getByRole('button', { name: 'Change times: Oil the hinge' }))
  const [, , row] = screen.getAllByRole('listitem')
  expect(row).toHaveTextContent('Invalid time format (use mm:ss)')
  expect(screen.getByRole('status')).toHaveTextContent('Correct the time of the marked step to take the new video.')
  expect(take).toBeDisabled()
})
