import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { LeaveOutSelected } from './leave-out.tsx'

const SEGMENTS = ['One.', 'Two.', 'Three.'].map((text, at) => {
  return { id: `s-${at}`, start: at * 10, end: at * 10 + 8, text, confidence: 1, isEdited: false }
})

function Lines({
  onLeaveOut,
  segments = SEGMENTS,
}: {
  onLeaveOut: (start: number, end: number) => void
  segments?: typeof SEGMENTS
}) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <>
      <div ref={box}>
        {segments.map(({ id, text }) => (
          <p key={id} data-line={id}>
            {text}
          </p>
        ))}
      </div>
      <p>Elsewhere</p>
      <LeaveOutSelected box={box} segments={segments} onLeaveOut={onLeaveOut} />
    </>
  )
}

function select(from: string, to: string) {
  const [start, end] = [screen.getByText(from).firstChild, screen.getByText(to).firstChild]
  if (start === null || end === null) throw new Error('there is no such line')
  act(() => {
    document.getSelection()?.setBaseAndExtent(start, 1, end, 2)
    document.dispatchEvent(new Event('selectionchange'))
  })
}

afterEach(() => document.getSelection()?.removeAllRanges())

test('leaves out the lines that are selected, as far as one of them is', async () => {
  const onLeaveOut = vi.fn()
  render(<Lines onLeaveOut={onLeaveOut} />)
  expect(screen.queryByRole('button')).toBeNull()
  select('Two.', 'Three.')
  await userEvent.click(screen.getByRole('button', { name: 'Leave out 2 lines' }))
  expect(onLeaveOut).toHaveBeenCalledExactlyOnceWith(10, 28)
})

test('leaves out all that is said by those who talk over each other', async () => {
  const onLeaveOut = vi.fn()
  const segments = SEGMENTS.map((line) => (line.text === 'Two.' ? { ...line, end: 40 } : line))
  render(<Lines {...{ onLeaveOut, segments }} />)
  select('Two.', 'Three.')
  await userEvent.click(screen.getByRole('button', { name: 'Leave out 2 lines' }))
  expect(onLeaveOut).toHaveBeenCalledExactlyOnceWith(10, 40)
})

test('offers nothing for what is selected elsewhere', () => {
  render(<Lines onLeaveOut={vi.fn()} />)
  select('Elsewhere', 'Elsewhere')
  expect(screen.queryByRole('button')).toBeNull()
})
