import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import type { StepFocus } from '#contract/step.ts'
import { FocusBox } from './focus-box.tsx'
import { FIRST_FOCUS } from './move-focus.ts'

let kept: StepFocus[]

function Edited() {
  const [focus, setFocus] = useState(FIRST_FOCUS)
  const keep = (next: StepFocus) => {
    kept.push(next)
    setFocus(next)
  }
  return <FocusBox src="/image" focus={focus} onChange={keep} />
}

beforeEach(() => {
  kept = []
  Element.prototype.setPointerCapture = () => {}
  render(<Edited />)
  // A hundredth of it is 4 by 2 pixels.
  frame().getBoundingClientRect = () => new DOMRect(100, 50, 400, 200)
})

const box = () => screen.getByRole('button', { name: /^Part to look at/ })
const frame = () => box().parentElement as HTMLElement

function drag(target: Element, [fromX, fromY]: readonly [number, number], [toX, toY]: readonly [number, number]) {
  const at = (x: number, y: number) => ({ clientX: 100 + 4 * x, clientY: 50 + 2 * y, button: 0 })
  fireEvent.pointerDown(target, at(fromX, fromY))
  fireEvent.pointerMove(frame(), at(toX, toY))
  expect(kept).toEqual([])
  fireEvent.pointerUp(frame(), at(toX, toY))
}

test('arrow keys move the part, and size it with Shift; the page does not hear of them', () => {
  expect(fireEvent.keyDown(box(), { key: 'ArrowRight' })).toBe(false)
  expect(kept.at(-1)).toEqual({ x: 27, y: 25, width: 50, height: 50 })
  fireEvent.keyDown(box(), { key: 'ArrowUp', shiftKey: true })
  expect(kept.at(-1)).toEqual({ x: 27, y: 25, width: 50, height: 48 })
  expect(box()).toHaveAccessibleName(/27% from the left, 25% from the top, 50% wide, 48% high/)
  expect(fireEvent.keyDown(box(), { key: 'a' })).toBe(true)
  expect(kept).toHaveLength(2)
})

test('the part is dragged by its middle', () => {
  drag(box(), [50, 50], [60, 30])
  expect(kept).toEqual([{ x: 35, y: 5, width: 50, height: 50 }])
})

test('the part is sized by its corner', () => {
  drag(box().querySelector('[data-drag=size]') as Element, [75, 75], [85, 65])
  expect(kept).toEqual([{ x: 25, y: 25, width: 60, height: 40 }])
})

test('another part is drawn beside it', () => {
  drag(frame(), [0, 0], [30, 40])
  expect(kept).toEqual([{ x: 0, y: 0, width: 30, height: 40 }])
})
