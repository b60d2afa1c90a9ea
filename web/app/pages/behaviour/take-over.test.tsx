// Behaviour: an admin takes a colleague's module over from its page.
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { PersonContext } from '#web/lib/api.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { makeModuleAnswer, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { TrainingPage } from '../training-page.tsx'

const TAKE_OVER = 'POST /api/modules/m1/take-over'

function openPage(person: string, fields: Partial<Module>) {
  const answers = makeTrainingAnswers(fields)
  answers[TAKE_OVER] = () => {
    answers['GET /api/modules/m1'] = makeModuleAnswer({ ...fields, userId: person })
    return { success: true }
  }
  const page = (
    <PersonContext value={person}>
      <TrainingPage />
    </PersonContext>
  )
  return renderPage(page, { path: '/training/:moduleId', url: '/training/m1', answers })
}

async function openMenu() {
  await userEvent.click(await screen.findByRole('button', { name: 'More for this module' }))
  return screen.findByRole('menuitem', { name: 'Reprocess' })
}

beforeEach(() => {
  vi.stubGlobal('WebSocket', FakeSocket)
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => vi.unstubAllGlobals())

describe("taking a colleague's module over", () => {
  test('is offered to an admin, after an explanation, until the module is theirs', { tags: 'attack-36' }, async () => {
    const { countCalls } = openPage('admin', { userId: 'colleague', mayDelete: true })
    await openMenu()
    await userEvent.click(screen.getByRole('menuitem', { name: 'Take over' }))
    const dialog = await screen.findByRole('dialog', { name: 'Take this module over?' })
    expect(countCalls(TAKE_OVER)).toBe(0)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Take over' }))
    await waitFor(() => expect(countCalls('GET /api/modules/m1')).toBe(2))
    expect(countCalls(TAKE_OVER)).toBe(1)
    await openMenu()
    expect(screen.queryByRole('menuitem', { name: 'Take over' })).toBeNull()
  })

  test.each([
    ['the uploader', 'u1', { userId: 'u1', mayDelete: true }],
    ['a member', 'member', { userId: 'u1', mayDelete: false }],
  ] as const)('is not offered to %s', async (_, person, fields) => {
    openPage(person, fields)
    await openMenu()
    expect(screen.queryByRole('menuitem', { name: 'Take over' })).toBeNull()
  })
})
