import { fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AskedStep } from '#contract/records/asked-steps.ts'
import { PlayerStageContext } from '#web/features/player/video-player.tsx'
import { keepPerson } from '#web/lib/device/device-person.ts'
import { FakeStage, makeShareAnswer } from '#web/testing/page-harness.tsx'
import { loadAskedMarks } from './asked-marks.tsx'
import { ShareApp } from './share-app.tsx'

const answer = makeShareAnswer()
const [first, second, third] = answer.module.steps
const EARLIER = { title: 'What it was called', description: 'What it said.' }
let asked: AskedStep[]
const calls: string[] = []

beforeEach(() => {
  localStorage.clear()
  calls.length = 0
  asked = []
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path)
    return path.endsWith('/asked')
      ? Response.json({ success: true, steps: asked })
      : new Response('{}', { status: 503 })
  })
  Element.prototype.scrollIntoView = vi.fn()
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
})

afterEach(() => vi.unstubAllGlobals())

async function openPage() {
  const view = render(
    <PlayerStageContext
      value={({ steps = [], ...props }) => (
        <>
          <FakeStage {...props} steps={steps} />
          <p data-testid="titles">{steps.map(({ title }) => title).join('|')}</p>
        </>
      )}
    >
      <ShareApp moduleId="m1" look="page" first={{ ...answer, status: 200, look: 'page' }} />
    </PlayerStageContext>,
  )
  await screen.findByTestId('player')
  return view
}

const rows = () => screen.getAllByRole('listitem')

it('marks the steps that are asked again of this person in list, video and following along, with what they said', async () => {
  if (first === undefined || second === undefined) throw new Error('Two steps are missing.')
  keepPerson('anna')
  asked = [
    { ...first, why: 'changed', earlier: EARLIER, note: '' },
    { ...second, why: 'new', earlier: null, note: '' },
  ]
  await openPage()
  expect(await screen.findByText('What it said before')).toBeVisible()
  expect(calls).toContain('/api/my/trainings/m1/asked')
  expect(rows()[0]).toHaveTextContent('Changed')
  expect(rows()[1]).toHaveTextContent('New')
  // Beside the title, it would leave no room for that on a phone.
  expect(
    within(rows()[1] as HTMLElement)
      .getByText('New')
      .closest('.step-head'),
  ).toBeNull()
  expect(rows()[2]).not.toHaveTextContent(/Changed|New/)
  expect(within(rows()[1] as HTMLElement).queryByText('What it said before')).toBeNull()
  expect(screen.getByTestId('titles')).toHaveTextContent(
    `${first.title} · Changed|${second.title} · New|${third?.title}`,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Follow along' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Changed')).toBeVisible()
  expect(dialog.getByText('What it said before')).toBeVisible()
})

it('marks the same without a network, for its person alone, until the server says that nothing is asked', async () => {
  if (first === undefined) throw new Error('A step is missing.')
  keepPerson('anna')
  asked = [{ ...first, why: 'changed', earlier: EARLIER, note: '' }]
  const { unmount } = await openPage()
  expect(await screen.findByText('What it said before')).toBeVisible()
  unmount()
  const online = fetch
  const goOffline = () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  goOffline()
  const kept = await openPage()
  expect(await screen.findByText('What it said before')).toBeVisible()
  expect(rows()[0]).toHaveTextContent('Changed')
  kept.unmount()
  keepPerson('bo')
  expect(await loadAskedMarks('m1')).toBeNull()
  keepPerson('anna')
  expect(await loadAskedMarks('m1')).not.toBeNull()
  vi.stubGlobal('fetch', online)
  asked = []
  expect(await loadAskedMarks('m1')).toBeNull()
  goOffline()
  expect(await loadAskedMarks('m1')).toBeNull()
})

it('asks nothing on a device that is nobody’s, and marks nothing where all of it or nothing is asked', async () => {
  const { unmount } = await openPage()
  expect(calls.filter((path) => path.includes('/my/'))).toEqual([])
  unmount()
  keepPerson('anna')
  await openPage()
  await vi.waitFor(() => expect(calls.filter((path) => path.includes('/my/'))).toHaveLength(1))
  expect(screen.queryByText('Changed')).toBeNull()
})
