import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { PublishingRulesCard } from './publishing-rules.tsx'

it('says which rule of the organization could not be changed', async () => {
  const user = userEvent.setup()
  const { callApi } = fakeApi({
    'GET /api/account/publishers': () => {
      return { success: true, publishers: 'anyone', publishesVersions: false, mayChange: true }
    },
    'PUT /api/account/publishers': () =>
      Promise.reject(new ApiError({ status: 403, code: 'forbidden', message: 'Not yours.' })),
  })
  renderApp(<PublishingRulesCard moduleId="m1" />, { callApi })
  await user.click(await screen.findByRole('switch', { name: 'New trainings publish versions' }))
  expect(await screen.findByText('Failed to change whether new trainings publish versions')).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: /^Who may publish/ }), 'approvers')
  expect(await screen.findByText('Failed to change who may publish')).toBeVisible()
})
