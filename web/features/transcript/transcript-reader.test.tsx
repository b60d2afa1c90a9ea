import { act, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { TranscriptBox } from './transcript-box.tsx'

const SEGMENTS: TranscriptSegment[] = ['Open the cover.', 'Take out the roll.', 'Close the cover (again).'].map(
  (text, at) => ({ id: `l${at}`, start: at * 10, end: at * 10 + 9, text, confidence: null, isEdited: false }),
)

let timeS: number
const listeners = new Set<() => void>()
const seekTo = vi.fn((seconds: number) => reach(seconds))
const scrolled = vi.fn()

const video = {
  readTimeS: () => timeS,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  seekTo,
}

function reach(seconds: number) {
  timeS = seconds
  act(() => {
    for (const listener of listeners) listener()
  })
}

function open() {
  const text = SEGMENTS.map((segment) => segment.text).join(' ')
  render(<TranscriptBox title="A roll" text={text} segments={SEGMENTS} isGrowing={false} video={video} />)
  return userEvent.setup()
}

function line(name: RegExp): HTMLElement {
  return screen.getByRole('button', { name })
}

beforeEach(() => {
  timeS = 0
  listeners.clear()
  seekTo.mockClear()
  scrolled.mockClear()
  Element.prototype.scrollTo = scrolled
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
})

describe('a transcript beside its video', () => {
  test('says who speaks, and finds the lines of a speaker', async () => {
    const segments = SEGMENTS.map((segment, at) => (at === 1 ? { ...segment, speaker: 'Ada Example' } : segment))
    render(<TranscriptBox title="A roll" text="…" segments={segments} isGrowing={false} video={video} />)
    expect(line(/Ada Example: Take out/)).toBeVisible()
    expect(line(/Open the/)).not.toHaveTextContent('Ada')
    await userEvent.click(screen.getByRole('button', { name: 'Search the transcript' }))
    await userEvent.keyboard('example')
    expect(screen.getByText('Example', { selector: 'mark' })).toBeVisible()
  })

  test('marks the current line, and scrolls to it', () => {
    open()
    expect(document.querySelector('[aria-current]')).toBeNull()
    reach(12)
    expect(line(/Take out/)).toHaveAttribute('aria-current', 'time')
    expect(scrolled).toHaveBeenCalledTimes(1)
    reach(19)
    expect(scrolled).toHaveBeenCalledTimes(1)
    reach(20)
    expect(line(/Close the cover/)).toHaveAttribute('aria-current', 'time')
    expect(scrolled).toHaveBeenCalledTimes(2)
  })

  test('leads to a moment by press and by Enter, with one stop for the keyboard', async () => {
    const user = open()
    await user.click(line(/Take out/))
    expect(seekTo).toHaveBeenLastCalledWith(10)
    await user.keyboard('{ArrowDown}{Enter}')
    expect(seekTo).toHaveBeenLastCalledWith(20)
    await user.tab()
    expect(screen.getByRole('group', { name: 'Transcript' })).not.toContainElement(
      document.activeElement as HTMLElement,
    )
  })

  test('stops following the video when the reader scrolls, until they ask to go back', async () => {
    const user = open()
    reach(12)
    const box = screen.getByRole('group', { name: 'Transcript' })
    act(() => void box.dispatchEvent(new WheelEvent('wheel', { bubbles: true })))
    reach(22)
    expect(scrolled).toHaveBeenCalledTimes(1)
    await user.click(screen.getByRole('button', { name: 'Back to current' }))
    expect(scrolled).toHaveBeenCalledTimes(2)
    expect(screen.queryByRole('button', { name: 'Back to current' })).toBeNull()
  })

  test('is searched: counts the places, goes round them, and marks them', async () => {
    const user = open()
    await user.click(screen.getByRole('button', { name: 'Search the transcript' }))
    const field = screen.getByRole('textbox', { name: 'Search the transcript' })
    expect(field).toHaveFocus()
    await user.keyboard('COVER')
    const row = within(screen.getByRole('search'))
    expect(row.getByRole('status')).toHaveTextContent('1 of 2')
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['cover', 'cover'])
    await user.keyboard('{Enter}')
    expect(row.getByRole('status')).toHaveTextContent('2 of 2')
    await user.click(row.getByRole('button', { name: 'Next match' }))
    expect(row.getByRole('status')).toHaveTextContent('1 of 2')
    await user.click(row.getByRole('button', { name: 'Previous match' }))
    expect(row.getByRole('status')).toHaveTextContent('2 of 2')
    await user.type(field, 'x')
    expect(row.getByRole('status')).toHaveTextContent('Not found')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('search')).toBeNull()
    expect(document.querySelector('mark')).toBeNull()
  })
})
