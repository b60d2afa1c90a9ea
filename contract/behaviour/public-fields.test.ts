// Behaviour: anyone with the link gets these fields of a training and of its steps, and no others; versions keep what is
// true of a training at any time.
import { expect, it } from 'vitest'
import { LiveEvent } from '../live.ts'
import { SharedFields } from '../share.ts'
import { SharedStep } from '../step.ts'
import { VersionFields } from '../version.ts'

const namesOf = (schema: { shape: object }) => Object.keys(schema.shape).toSorted().join(' ')

it('shares no field of a training that is its owner’s', () => {
  expect(namesOf(SharedFields)).toBe(
    'createdAt hasVideo id message posterUrl progress status stepsVersion takesReports title totalDuration ' +
      'uploadPercent videoCodec',
  )
})

it('shares no notes, quotes or aliases of a step', () => {
  expect(namesOf(SharedStep)).toBe(
    'callouts chapter commands description duration focus id image imageText language timestamp title',
  )
})

it('keeps in a version what is not about now', () => {
  expect(namesOf(VersionFields)).toBe('takesReports title totalDuration videoCodec')
})

it('tells on a socket what changes while a page is open', () => {
  expect(namesOf(LiveEvent)).toBe(
    'danger kind message newVersion progress segmentCount seq status stepsVersion uploadPercent',
  )
})
