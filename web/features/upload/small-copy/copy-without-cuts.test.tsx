import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Cuts } from '#contract/time/visible-time.ts'
import { renderPage } from '#web/testing/page-harness.tsx'
import { copyQueue } from './copy-queue.ts'
import { CopyWithoutCuts } from './copy-without-cuts.tsx'

const COPY = { sizeBytes: 84_000_000, codec: 'avc1.64001f' }
const CUTS = [[10, 20]] as const

function open({
  smallCopy = COPY as typeof COPY | null,
  smallCopyLacksS = 0,
  smallCopyMayLack = CUTS as Cuts | null,
} = {}) {
  const onMade = vi.fn()
  const module = { id: 'm1', smallCopy, smallCopyLacksS, smallCopyMayLack }
  renderPage(<CopyWithoutCuts {...{ module, onMade }} cuts={CUTS} />, { path: '/', url: '/', answers: {} })
  return { onMade }
}

afterEach(() => copyQueue.stop())

test('says that the small copy has what is left out, makes it without, and says how far it is', async () => {
  const add = vi.spyOn(copyQueue, 'add').mockImplementation(([id]) => {
    copyQueue.store.setState({ moduleIds: [id ?? ''], percent: 40, wait: 'upload', failedIds: [] })
  })
  const { onMade } = open()
  expect(await screen.findByText(/still has what is left out/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Make it without what is left out' }))
  expect(add.mock.calls[0]).toMatchObject([['m1'], {}, { cuts: CUTS }])
  expect(screen.getByText(/being made: 40%/)).toHaveFocus()
  expect(screen.getByRole('status')).toHaveTextContent('Waits while a file is uploaded.')
  expect(onMade).not.toHaveBeenCalled()
  act(() => copyQueue.store.setState({ moduleIds: [], failedIds: ['m1'] }))
  expect(onMade).toHaveBeenCalledOnce()
  expect(screen.getByRole('status')).toHaveTextContent('could not be made')
  expect(screen.getByRole('button', { name: 'Make it without what is left out' })).toBeVisible()
})

test('says that the original has it where the small copy has nothing of it', async () => {
  open({ smallCopyLacksS: 10 })
  expect(await screen.findByText(/The original video still has all of it/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('offers no more than what is not shown to anyone, and nothing to those who may not send one', async () => {
  const add = vi.spyOn(copyQueue, 'add').mockImplementation(() => {})
  open({ smallCopyMayLack: [[15, 30]] })
  await userEvent.click(await screen.findByRole('button'))
  expect(add.mock.calls.at(-1)?.at(2)).toEqual({ cuts: [[15, 20]] })
  cleanup()
  open({ smallCopyMayLack: null })
  expect(await screen.findByText(/still has what is left out/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('says nothing of a training without a small copy', () => {
  open({ smallCopy: null })
  expect(screen.queryByText(/small copy/)).toBeNull()
})
