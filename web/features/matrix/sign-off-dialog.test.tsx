import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { create } from 'zustand'
import { SIGN_OFF } from '#contract/testing/sign-off.ts'
import { PasswordAskedContext } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { SignOffDialog } from './sign-off-dialog.tsx'

it('makes way while the password is asked for, and comes back as it was filled in', async () => {
  const refused = Promise.withResolvers<never>()
  const { callApi } = fakeApi({
    'GET /api/sign-off/bob/fire': () => SIGN_OFF,
    'POST /api/sign-off/bob/fire': () => refused.promise,
  })
  const useAsked = create(() => ({ isAsked: false }))
  function Page() {
    return (
      <PasswordAskedContext value={useAsked().isAsked}>
        <SignOffDialog subject={{ personId: 'bob', moduleId: 'fire' }} person="Bob" onClose={() => {}} />
      </PasswordAskedContext>
    )
  }
  const { user } = renderApp(<Page />, { callApi })
  await user.click(await screen.findByRole('button', { name: 'All steps were shown' }))
  await user.type(screen.getByRole('textbox', { name: 'Your name' }), 'Bo')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  act(() => useAsked.setState({ isAsked: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => useAsked.setState({ isAsked: false }))
  refused.reject(new ApiError({ status: 403, code: 'reverification_needed', message: 'Your password is asked for' }))
  expect(await screen.findByText('Your password is asked for')).toBeVisible()
  expect(await screen.findByRole('textbox', { name: 'Your name' })).toHaveValue('Bo')
  expect(screen.getAllByRole('radio', { name: 'Shown', checked: true })).toHaveLength(2)
  // What the signature means still follows from the judgements.
  await user.click(screen.getAllByRole('radio', { name: 'Show again' })[0] as HTMLElement)
  expect(screen.getByRole('textbox', { name: 'What your signature means' })).toHaveValue(
    'The marked steps have to be shown to me again.',
  )
})
