import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { LatePart, PanelSkeleton } from './late-part.tsx'

it('says which part could not be loaded, and loads its code again', async () => {
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(() => <p>Here they are</p>)
  const Questions = lazyPart<object>(load)
  render(
    <LatePart what="the questions" skeleton={<PanelSkeleton className="h-17" />}>
      <Questions />
    </LatePart>,
  )
  expect(await screen.findByText('Failed to load the questions')).toHaveRole('alert')
  await userEvent.click(screen.getByRole('button', { name: 'Load the questions again' }))
  expect(await screen.findByText('Here they are')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
  // React reports what a boundary caught; here that is the point.
  vi.mocked(console.error).mockClear()
})
