import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ErrorBoundary } from './plain-error-boundary.ts'

let isBroken = false
function Part() {
  if (isBroken) throw new Error('broken')
  return <p>The part</p>
}

afterEach(() => {
  isBroken = false
  // React writes down each failure that a boundary catches.
  vi.mocked(console.error).mockClear()
})

it('shows its children until they fail', () => {
  const view = render(<ErrorBoundary fallback="Missing">{<Part />}</ErrorBoundary>)
  expect(screen.getByText('The part')).toBeVisible()
  isBroken = true
  view.rerender(<ErrorBoundary fallback="Missing">{<Part />}</ErrorBoundary>)
  expect(screen.getByText('Missing')).toBeVisible()
})

it('draws them again after a press, once it has forgotten what failed', () => {
  isBroken = true
  const forget = vi.fn(() => (isBroken = false))
  render(
    <ErrorBoundary
      onReset={forget}
      fallbackRender={({ resetErrorBoundary }) => <button onClick={resetErrorBoundary}>Try again</button>}
    >
      <Part />
    </ErrorBoundary>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByText('The part')).toBeVisible()
  expect(forget).toHaveBeenCalledOnce()
})
