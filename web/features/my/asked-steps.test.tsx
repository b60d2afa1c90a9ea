import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { AskedStep } from '#contract/records/asked-steps.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { AskedSteps } from './asked-steps.tsx'

afterEach(() => vi.unstubAllGlobals())

it('says why each step is asked again, what it said before, and what the supervisor has said', async () => {
  const steps: AskedStep[] = [
    {
      id: 'a',
      title: 'Close the red valve',
      description: 'Turn it.',
      why: 'changed',
      earlier: { title: 'Close the valve', description: 'Turn it.' },
      note: '',
    },
    { id: 'b', title: 'Lock it', description: 'Use your own lock.', why: 'new', earlier: null, note: '' },
    { id: 'c', title: 'Test it', description: 'Press start.', why: 'again', earlier: null, note: 'Wear gloves.' },
  ]
  vi.stubGlobal('fetch', async () => Response.json({ success: true, steps }))
  const { user } = renderApp(<AskedSteps linkId="m1" />)
  const [changed, fresh, again] = await screen.findAllByRole('listitem')
  expect(changed).toHaveTextContent('Changed')
  expect(fresh).toHaveTextContent('New')
  expect(again).toHaveTextContent('To be shown again')
  expect(again).toHaveTextContent('Wear gloves.')
  if (changed === undefined || fresh === undefined) throw new Error('Two steps are missing.')
  await user.click(within(changed).getByText('What it said before'))
  expect(changed.querySelector('ins')).toHaveTextContent('red')
  expect(within(fresh).queryByText('What it said before')).toBeNull()
  // The same without a network.
  cleanup()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  renderApp(<AskedSteps linkId="m1" />)
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
})
