import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { TeamLayout } from './team-layout.tsx'

it('leads to the pages of the organization that a person works in', () => {
  renderApp(<TeamLayout />, { organization: 'org_1' })
  const nav = screen.getByRole('navigation', { name: 'Sections of the team' })
  expect(nav.querySelector('a')).toHaveAttribute('href', '/team/people')
  expect(screen.queryByText('A team is an organization')).toBeNull()
})

it('offers to create an organization where there is none', () => {
  renderApp(<TeamLayout />)
  expect(screen.getByRole('heading', { name: 'A team is an organization' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Create or choose an organization' })).toBeVisible()
  expect(screen.queryByRole('navigation')).toBeNull()
})
