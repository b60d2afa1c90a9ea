import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KeepPlace } from './growing-steps.tsx'

const CARD_PX = 100
let scrolledPx: number
let supports: boolean

/** jsdom has no layout: items of 100 px stand one below the other, moved up by what has been scrolled. */
function measure(this: Element): DOMRect {
  const item = this.closest('li')
  const index = item === null ? 0 : [...(item.parentElement?.children ?? [])].indexOf(item)
  return new DOMRect(0, index * CARD_PX - scrolledPx, CARD_PX, CARD_PX)
}

function List({ names }: { names: string[] }) {
  return (
    <KeepPlace>
      <ol>
        {names.map((name) => (
          <li key={name}>
            <button type="button">{name}</button>
          </li>
        ))}
      </ol>
    </KeepPlace>
  )
}

beforeEach(() => {
  scrolledPx = 0
  supports = true
  vi.stubGlobal('CSS', { supports: () => supports })
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(measure)
  vi.stubGlobal('scrollBy', ({ top }: { top: number }) => {
    scrolledPx += top
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('KeepPlace', () => {
  test('keeps the focused step in place when steps are added above it, and does nothing when they are added below', () => {
    const { rerender } = render(<List names={['b', 'c']} />)
    screen.getByRole('button', { name: 'b' }).focus()
    rerender(<List names={['b', 'c', 'd']} />)
    expect(scrolledPx).toBe(0)
    rerender(<List names={['a', 'b', 'c', 'd']} />)
    expect(scrolledPx).toBe(CARD_PX)
  })

  test('leaves everything else to a browser that does it by itself', () => {
    const { rerender } = render(<List names={['b', 'c', 'd']} />)
    scrolledPx = 150
    rerender(<List names={['a', 'b', 'c', 'd']} />)
    expect(scrolledPx).toBe(150)
  })

  test('keeps the first step in sight where the browser does not', () => {
    supports = false
    const { rerender } = render(<List names={['b', 'c', 'd']} />)
    scrolledPx = 150
    rerender(<List names={['a', 'b', 'c', 'd']} />)
    expect(scrolledPx).toBe(250)
  })

  test('moves nothing while the viewer has not scrolled to the list yet', () => {
    supports = false
    const { rerender } = render(<List names={['b']} />)
    rerender(<List names={['a', 'b']} />)
    expect(scrolledPx).toBe(0)
  })
})
