import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { MembershipContext } from '#web/lib/api.ts'
import { makeProblem } from '#web/testing/page-harness.tsx'
import { renderApp } from '#web/testing/render-app.tsx'
import { ModuleUnavailable } from './module-unavailable.tsx'

const HINT = /choose that one under Organizations in the account menu/

function open(isMember: boolean) {
  const error = makeProblem('not_found', 'Not found')
  renderApp(
    <MembershipContext value={isMember}>
      <ModuleUnavailable error={error} isRetrying={false} onRetry={() => {}} />
    </MembershipContext>,
  )
}

it('shows members of an organization how to reach a module that belongs to it', () => {
  open(true)
  expect(screen.getByText('This training module could not be found or is no longer available.')).toBeVisible()
  expect(screen.getByText(HINT)).toBeVisible()
})

it('mentions no organization to a person without one', () => {
  open(false)
  expect(screen.getByRole('alert')).not.toHaveTextContent(/organization/i)
})
