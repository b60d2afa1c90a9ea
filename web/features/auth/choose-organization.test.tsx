import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { FakeClerk, fakeClerk } from '#web/testing/fake-clerk.tsx'
import { ChooseOrganization } from './choose-organization.tsx'

it('says what to do, leads back to this very place, and lets the person leave', async () => {
  const clerk = fakeClerk({ email: 'ada@example.com' })
  render(
    <FakeClerk clerk={clerk}>
      <MemoryRouter initialEntries={['/collections?from=mail#list']}>
        <ChooseOrganization />
      </MemoryRouter>
    </FakeClerk>,
  )
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This Adapt asks for an organization')
  expect(screen.getByText(/Choose one, create one, or ask a colleague to invite you/)).toBeVisible()
  expect(await screen.findByText('to /collections?from=mail#list')).toBeVisible()
  expect(screen.getByText('You are signed in as ada@example.com.')).toBeVisible()
  expect(document.title).toBe('This Adapt asks for an organization · Adapt')
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(clerk.signOut).toHaveBeenCalledOnce()
})
