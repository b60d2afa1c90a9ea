import { act, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { toast } from 'sonner'
import { describe, expect, it, vi } from 'vitest'
import { findFreeTop, showUndo, Toaster } from './toast.tsx'

it('interrupts with a failure, and says the rest when there is a pause', async () => {
  render(<Toaster />)
  toast.success('Saved', { duration: Number.POSITIVE_INFINITY })
  toast.error('Could not be deleted', { duration: Number.POSITIVE_INFINITY })
  expect(await screen.findByRole('status')).toHaveTextContent('Saved')
  expect(await screen.findByRole('alert')).toHaveTextContent('Could not be deleted')
})

it('offers to undo for ten seconds, then goes', async () => {
  vi.useFakeTimers()
  try {
    render(<Toaster />)
    act(() => void showUndo('Line corrected', () => undefined))
    await act(() => vi.advanceTimersByTimeAsync(9_500))
    expect(screen.getByRole('button', { name: 'Undo' })).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

describe('findFreeTop', () => {
  const view = { top: 0, bottom: 508 }
  const message = { usual: 72, height: 60 }

  it.each([
    ['stays in its usual place', { top: 200, bottom: 240 }, 72],
    ['goes under a field that is there', { top: 90, bottom: 130 }, 138],
    ['goes above one that reaches to the keyboard', { top: 90, bottom: 500 }, 22],
    ['stays where nothing is free', { top: 10, bottom: 505 }, 72],
  ])('%s', (_what, field, top) => {
    expect(findFreeTop(message, field, view)).toBe(top)
  })

  it('never covers a field beside which there is room', () => {
    const numbers = { usual: fc.nat(448), height: fc.integer({ min: 40, max: 120 }), from: fc.nat(460) }
    fc.assert(
      fc.property(fc.record({ ...numbers, fieldHeight: fc.integer({ min: 24, max: 160 }) }), (drawn) => {
        const { usual, height, from, fieldHeight } = drawn
        const field = { top: from, bottom: from + fieldHeight }
        const hasRoom = field.top - 8 >= height || view.bottom - field.bottom - 8 >= height
        fc.pre(hasRoom)
        const top = findFreeTop({ usual, height }, field, view)
        expect(top >= field.bottom || top + height <= field.top).toBe(true)
      }),
    )
  })
})
