import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { expect, it, vi } from 'vitest'
import { forgetFailedParts, lazyPart } from './lazy-part.tsx'

it('draws a part when its code is here, and asks for the code once', async () => {
  const load = vi.fn(async () => ({ name }: { name: string }) => <p>Hello {name}</p>)
  const Part = lazyPart(load)
  render(
    <Suspense fallback="Waiting">
      <Part name="Ada" />
      <Part name="Ben" />
    </Suspense>,
  )
  expect(screen.getByText('Waiting')).toBeVisible()
  expect(await screen.findByText('Hello Ada')).toBeVisible()
  expect(screen.getByText('Hello Ben')).toBeVisible()
  expect(load).toHaveBeenCalledOnce()
})

it('loads code that had failed to load when the person retries', async () => {
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(() => <p>Here</p>)
  const Part = lazyPart<object>(load)
  render(
    <ErrorBoundary
      onReset={forgetFailedParts}
      fallbackRender={({ resetErrorBoundary }) => <button onClick={resetErrorBoundary}>Try Again</button>}
    >
      <Suspense>
        <Part />
      </Suspense>
    </ErrorBoundary>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Here')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
  // React reports what a boundary caught; here that is the point.
  vi.mocked(console.error).mockClear()
})
