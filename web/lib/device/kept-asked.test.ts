import { beforeEach, expect, it } from 'vitest'
import type { AskedStep } from '#contract/records/asked-steps.ts'
import { keepPerson } from './device-person.ts'
import { keepAsked, readKeptAsked } from './kept-asked.ts'

const STEP: AskedStep = { id: 's1', title: 'Stop', description: '', why: 'new', earlier: null, note: '' }

beforeEach(() => {
  localStorage.clear()
  keepPerson('anna')
})

it('keeps what is asked of the person of the device, until nothing is', () => {
  keepAsked('m1', [STEP], 'anna')
  expect(readKeptAsked('m1')).toEqual([STEP])
  keepAsked('m1', [], 'anna')
  expect(localStorage.getItem('adapt_asked_again:m1')).toBeNull()
})

it('keeps nothing of a person whose device it was when the answer was on its way', () => {
  keepPerson('bo')
  keepAsked('m1', [STEP], 'anna')
  expect(readKeptAsked('m1')).toEqual([])
  keepPerson('anna')
  expect(readKeptAsked('m1')).toEqual([])
})
