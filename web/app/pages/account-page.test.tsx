import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { AccountPage } from './account-page.tsx'

const EXPORT = 'GET /api/account/export'
const ERASE = 'DELETE /api/account'

function open(answers: Record<string, () => unknown> = {}) {
  const api = fakeApi(answers)
  return { ...renderApp(<AccountPage />, { callApi: api.callApi }), calls: api.calls }
}

async function askToErase(answers: Record<string, () => unknown> = {}) {
  const opened = open(answers)
  await opened.user.click(screen.getByRole('button', { name: 'Erase my data…' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Erase all your data?' }))
  const field = dialog.getByRole('textbox', { name: 'Type “erase” to confirm' })
  return { ...opened, dialog, field, confirm: () => dialog.getByRole('button', { name: 'Erase my data' }) }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('AccountPage', () => {
  it('downloads everything as a file', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    URL.createObjectURL = () => 'blob:x'
    URL.revokeObjectURL = () => undefined
    const { user } = open({ [EXPORT]: () => new Blob(['{}']) })
    await user.click(screen.getByRole('button', { name: 'Download my data' }))
    expect(await screen.findByText('The file is in your downloads.')).toBeVisible()
    expect(saved.mock.contexts[0]).toHaveProperty('download', 'adapt-data.json')
  })

  it('shows why it could not be downloaded', async () => {
    const { user } = open({
      [EXPORT]: () => {
        throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
      },
    })
    await user.click(screen.getByRole('button', { name: 'Download my data' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Your data could not be downloaded. Busy.')
  })

  it('erases only after the word is typed, and shows what is erased later', async () => {
    const { user, field, confirm, calls } = await askToErase({
      [ERASE]: () => ({ success: true, isDone: true, modulesLeft: 3, removedBy: '2026-11-22T12:00:00.000Z' }),
    })
    await user.type(field, 'yes')
    await user.click(confirm())
    expect(field).toBeInvalid()
    expect(calls).toEqual([])
    await user.clear(field)
    await user.type(field, 'Erase{Enter}')
    expect(await screen.findByText(/It can no longer be opened/)).toBeVisible()
    expect(screen.getByText(/The files of 3 modules leave our storage by/)).toBeVisible()
    expect(calls).toEqual([ERASE])
    expect(screen.queryByRole('button', { name: 'Erase my data…' })).toBeNull()
  })

  it('claims nothing that has not happened yet', async () => {
    const { user, field } = await askToErase({
      [ERASE]: () => ({ success: true, isDone: false, modulesLeft: 3, removedBy: '2026-11-22T12:00:00.000Z' }),
    })
    await user.type(field, 'erase{Enter}')
    expect(await screen.findByText('Your data is being erased. Some of it takes a few more minutes.')).toBeVisible()
    expect(screen.queryByText(/can no longer be opened/)).toBeNull()
  })

  it('keeps the question open and shows why when it fails', async () => {
    const { user, field, dialog } = await askToErase({
      [ERASE]: () => {
        throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
      },
    })
    await user.type(field, 'erase{Enter}')
    expect(await dialog.findByRole('alert')).toHaveTextContent('Your data could not be erased. Busy.')
  })
})
