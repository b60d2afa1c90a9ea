import { act, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, it } from 'vitest'
import { useRouter } from './use-router.ts'

it('navigates also for a caller that kept it from a render that was thrown away', async () => {
  const kept: ReturnType<typeof useRouter>[] = []
  let load: (() => void) | null = null
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  function Keeper() {
    kept.push(useRouter())
    use(loaded)
    return <p>Drawn</p>
  }
  const page = (
    <Suspense fallback={<p>Waiting</p>}>
      <Keeper />
    </Suspense>
  )
  const router = createMemoryRouter([{ path: '*', element: page }])
  await act(async () => render(<RouterProvider router={router} />))
  expect(screen.getByText('Waiting')).toBeVisible()
  await act(async () => load?.())
  expect(screen.getByText('Drawn')).toBeVisible()
  await act(async () => kept[0]?.navigate('/training/abc?seek=7#step-2', { replace: true, flushSync: true }))
  const { pathname, search, hash } = router.state.location
  expect(`${pathname}${search}${hash}`).toBe('/training/abc?seek=7#step-2')
})
