import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import { TrainingPage } from './training-page.tsx'

async function openMenu(fields: Partial<Module>): Promise<string[]> {
  const page = (
    <>
      <TrainingPage />
      <Toaster />
    </>
  )
  renderPage(page, { path: '/training/:moduleId', url: '/training/m1', answers: makeTrainingAnswers(fields) })
  await userEvent.click(await screen.findByRole('button', { name: 'Print and download' }))
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent ?? '')
}

beforeEach(() => {
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('open', vi.fn())
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => vi.unstubAllGlobals())

test('a viewer prints a training and downloads what anyone with the link may', async () => {
  expect(await openMenu({ role: 'viewer' })).toEqual(['Print', 'Download steps', 'Download chapters'])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Print' }))
  expect(window.open).toHaveBeenCalledWith('/share/m1/print', '_blank', 'noopener')
})

test('an owner whose link is off gets the files, and is asked to turn it on before printing', async () => {
  expect(await openMenu({ shared: false })).toEqual(['Print', 'Download all files'])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Print' }))
  expect(await screen.findByText('Turn sharing on to print')).toBeVisible()
  expect(window.open).not.toHaveBeenCalled()
})
