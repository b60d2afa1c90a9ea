import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { expect, it, vi } from 'vitest'
import { ChooseOrganization } from './choose-organization.tsx'

const signOut = vi.fn(async () => {})

vi.mock('@clerk/react', () => ({
  TaskChooseOrganization: ({ redirectUrlComplete }: { redirectUrlComplete: string }) => <p>to {redirectUrlComplete}</p>,
  useClerk: () => ({ signOut }),
  useUser: () => ({ user: { primaryEmailAddress: { emailAddress: 'ada@example.com' } } }),
}))

it('says what to do, leads back to this very place, and lets the person leave', async () => {
  render(
    <MemoryRouter initialEntries={['/collections?from=mail#list']}>
      <ChooseOrganization />
    </MemoryRouter>,
  )
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This Adapt asks for an organization')
  expect(screen.getByText(/Choose one, create one, or ask a colleague to invite you/)).toBeVisible()
  expect(screen.getByText('to /collections?from=mail#list')).toBeVisible()
  expect(screen.getByText('You are signed in as ada@example.com.')).toBeVisible()
  expect(document.title).toBe('This Adapt asks for an organization · Adapt')
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(signOut).toHaveBeenCalledOnce()
})
