import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ScreenArea } from '#contract/screen.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { IgnoredArea } from './ignored-area.tsx'

async function open(area: ScreenArea | null) {
  const changes: (ScreenArea | null)[] = []
  const props = { area, posterUrl: null, isBusy: false, onChange: (next: ScreenArea | null) => changes.push(next) }
  const { user } = renderApp(<IgnoredArea {...props} />)
  await user.click(screen.getByRole('button', { name: 'Ignore an area' }))
  return { user, changes }
}

const move = (name: string, value: number) =>
  fireEvent.change(screen.getByRole('slider', { name }), { target: { value } })

it('takes the area of its edges, of which one never passes the other', async () => {
  const { user, changes } = await open(null)
  move('Left edge', 10)
  move('Right edge', 30)
  move('Top edge', 40)
  move('Bottom edge', 20)
  await user.click(screen.getByRole('button', { name: 'Ignore this area' }))
  expect(changes).toEqual([{ x: 0.1, y: 0.18, width: 0.2, height: 0.02 }])
})

it('takes the area that a pointer draws, whichever corner comes first', async () => {
  const { user, changes } = await open(null)
  const picture = screen.getByTestId('area-picture')
  picture.setPointerCapture = vi.fn()
  picture.getBoundingClientRect = () => new DOMRect(0, 0, 200, 100)
  fireEvent.pointerDown(picture, { clientX: 150, clientY: 50 })
  fireEvent.pointerMove(picture, { clientX: 120, clientY: 40 })
  fireEvent.pointerUp(picture, { clientX: 100, clientY: 10 })
  await user.click(screen.getByRole('button', { name: 'Ignore this area' }))
  expect(changes).toEqual([{ x: 0.5, y: 0.1, width: 0.25, height: 0.4 }])
})

it('shows the area that is ignored, and ends it', async () => {
  const { user, changes } = await open({ x: 0.2, y: 0, width: 0.3, height: 0.1 })
  expect(screen.getByText('An area of the picture is ignored.')).toBeVisible()
  expect(screen.getByRole('slider', { name: 'Right edge' })).toHaveValue('50')
  await user.click(screen.getByRole('button', { name: 'Ignore no area' }))
  expect(changes).toEqual([null])
})
