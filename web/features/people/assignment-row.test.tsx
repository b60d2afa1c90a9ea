import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Assignment } from '#contract/team/assignment.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { AssignmentRow } from './assignment-row.tsx'

const ASSIGNMENT: Assignment = {
  id: 'a1',
  subject: { kind: 'training', id: 'm1' },
  title: 'Forklift',
  groupIds: [],
  personIds: [],
  people: 1,
  rule: { reached: true, confirmed: false, signedOff: false },
  dueAt: null,
  dueDays: 1,
  everyMonths: 1,
  countsEarlier: false,
  createdAt: '2026-11-01T08:00:00.000Z',
}

it.each([
  [1, '1 day after it is assigned', 'Again every month'],
  [2, '2 days after it is assigned', 'Again every 2 months'],
])('says in words when it is due and again: %i', (count, due, again) => {
  const assignment = { ...ASSIGNMENT, dueDays: count, everyMonths: count }
  renderApp(<AssignmentRow assignment={assignment} groups={[]} />, { callApi: fakeApi({}).callApi })
  expect(screen.getByText(due)).toBeVisible()
  expect(screen.getByText(again)).toBeVisible()
})
