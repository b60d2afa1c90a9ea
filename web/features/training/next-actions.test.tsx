import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { NextAction, NextActions } from './next-actions.tsx'

function textOf(way: Parameters<typeof NextAction>[0]['way'], durationS: number | null): string | null {
  const { unmount } = render(
    <NextActions>
      <NextAction {...{ way, durationS }}>
        <button>Go</button>
      </NextAction>
    </NextActions>,
  )
  const text = screen.getByRole('button', { name: 'Go' }).parentElement?.querySelector('p')?.textContent ?? null
  unmount()
  return text
}

describe('NextAction', () => {
  it.each([
    ['captions', 40, 'about a minute'],
    ['captions', 3600, 'about a minute'],
    ['captions', null, 'about a minute'],
    ['scenes', null, null],
    ['steps', null, null],
    ['scenes', 40, 'about 2 minutes'],
    ['scenes', 600, 'about 10 minutes'],
    ['steps', 40, 'about 3 minutes'],
    ['steps', 600, 'about 20 minutes'],
    ['steps', 3600, 'about 2 hours'],
  ] as const)('says how long %s take for a video of %s seconds', (way, durationS, text) => {
    expect(textOf(way, durationS)).toBe(text)
  })
})
