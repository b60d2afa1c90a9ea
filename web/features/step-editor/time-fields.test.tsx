import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { makeStep } from '#contract/testing/examples.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { type DraftForm, draftOf } from './step-drafts.ts'
import { TimeFields } from './time-fields.tsx'

const DRAFT = draftOf(makeStep('a', 0, { end: 20 }))

/** @returns the changes that the fields ask for. @param videoS the second of the video; null where there is none */
function open(videoS: number | null, problems: DraftForm['problems'] = {}) {
  const onChange = vi.fn<DraftForm['onChange']>()
  const playhead = { readTimeS: () => videoS, preview: vi.fn(), readVideo: () => null, subscribe: () => () => {} }
  renderApp(<TimeFields form={{ id: 'f', draft: DRAFT, problems, onChange }} playhead={playhead} />)
  return onChange
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('a time is typed, moved by a second, and taken from the video', () => {
  const onChange = open(75.9)
  fireEvent.change(screen.getByLabelText('Start'), { target: { value: '0:0' } })
  press('Move start one second later')
  press('Move end one second earlier')
  press('Use current time as start')
  press('Use current time as end')
  expect(onChange.mock.calls).toEqual([
    [{ start: '0:0' }],
    [{ start: '00:01' }],
    [{ end: '00:19' }],
    [{ start: '01:15' }],
    [{ end: '01:15' }],
  ])
})

test('a time is not moved before the beginning, nor taken where there is no video', () => {
  const onChange = open(null)
  press('Move start one second earlier')
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ start: '00:00' })
  for (const name of ['start', 'end'])
    expect(screen.getByRole('button', { name: `Use current time as ${name}` })).toBeDisabled()
})

test('a time that is wrong says why beside its field', () => {
  open(null, { end: 'The end is before the start.' })
  expect(screen.getByLabelText('End')).toHaveAccessibleDescription('The end is before the start.')
  expect(screen.getByLabelText('Start')).toBeValid()
})
