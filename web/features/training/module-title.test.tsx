import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeModuleAnswer } from '#web/testing/page-harness.tsx'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ModuleTitle } from './module-title.tsx'

const PATCH = 'PATCH /api/modules/m1'

function open(role: 'owner' | 'viewer' = 'owner') {
  const { callApi, calls } = fakeApi({ [PATCH]: () => ({ success: true }) })
  return { ...renderApp(<ModuleTitle module={makeModuleAnswer({ role }).module} />, { callApi }), calls }
}

describe('ModuleTitle', () => {
  it('is a heading that only owners can change', () => {
    open('viewer')
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('How to tie a bowline')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('saves with Enter and gives the focus back', async () => {
    const { user, calls } = open()
    await user.click(screen.getByRole('button', { name: 'Rename this module' }))
    expect(screen.getByRole('textbox', { name: 'Title of this module' })).toHaveFocus()
    await user.keyboard('The bowline{Enter}')
    await waitFor(() => expect(calls).toEqual([PATCH]))
    expect(screen.getByRole('button', { name: 'Rename this module' })).toHaveFocus()
  })

  it('counts, and refuses what is too long instead of cutting it', async () => {
    const { user, calls } = open()
    await user.click(screen.getByRole('button', { name: 'Rename this module' }))
    const field = screen.getByRole('textbox', { name: 'Title of this module' })
    expect(screen.getByText('20 of 200')).toBeVisible()
    await user.clear(field)
    await user.paste('x'.repeat(201))
    expect(field).toHaveValue('x'.repeat(201))
    expect(screen.getByText('201 of 200')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('A title has at most 200 characters')
    await user.keyboard('{Enter}')
    expect(calls).toEqual([])
    await user.keyboard('{Backspace}{Enter}')
    await waitFor(() => expect(calls).toEqual([PATCH]))
  })

  it('asks for a title where there is none', async () => {
    const { user, calls } = open()
    await user.click(screen.getByRole('button', { name: 'Rename this module' }))
    await user.keyboard('{Backspace}')
    expect(screen.queryByRole('alert')).toBeNull()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('A title is required')
    expect(calls).toEqual([])
  })

  it('sends nothing for the same title, and nothing after Escape', async () => {
    const { user, calls } = open()
    await user.click(screen.getByRole('button', { name: 'Rename this module' }))
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Rename this module' }))
    await user.keyboard('Other{Escape}')
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('How to tie a bowline')
    expect(calls).toEqual([])
  })
})
