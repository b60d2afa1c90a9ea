import { describe, expect, it } from 'vitest'
import { openNoiseFilter } from './noise-filter.ts'

const CANCELLED = 'exception = workerd/api/streams/identity-transform-stream.c++:291: disconnected: reader canceled'
const STACK = 'stack: /node_modules/workerd/bin/workerd@5fbb010 /node_modules/workerd/bin/workerd@2852450'

function shownOf(lines: string[]): string[] {
  const isNoise = openNoiseFilter()
  return lines.filter((line) => !isNoise(line))
}

describe('openNoiseFilter', () => {
  it('leaves out expected exceptions with their stacks', () => {
    expect(shownOf([CANCELLED, STACK, 'a line', CANCELLED, STACK])).toEqual(['a line'])
  })

  it('shows unexpected exceptions with their stacks', () => {
    const crash = 'exception = workerd/io/worker.c++:1: failed: expected x; jsg.Error: internal error'
    expect(shownOf([CANCELLED, STACK, crash, STACK])).toEqual([crash, STACK])
    expect(shownOf(['Error: D1_ERROR: no such table', STACK])).toEqual(['Error: D1_ERROR: no such table', STACK])
  })
})
