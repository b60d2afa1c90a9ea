import { type MockInstance, vi } from 'vitest'

export type Line = Record<string, unknown> & { level: string; event: string }

/**
 * Picks a test's own lines out of what a spy on the console has seen. All files share one worker: an alarm that another
 * file has left behind may log at any moment, so counting all lines fails now and then.
 */
export function linesWhere(spy: Pick<MockInstance, 'mock'>, isOwn: (line: Line) => boolean): Line[] {
  return spy.mock.calls.map(([line]) => line as Line).filter(isOwn)
}

const METHODS = ['log', 'warn', 'error'] as const

/** Collects the lines that an act logs, without those of other acts. */
export async function linesOf(act: () => Promise<unknown>): Promise<Line[]> {
  const lines: Line[] = []
  const before = METHODS.map((method) => vi.spyOn(console, method).getMockImplementation())
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((line: Line) => {
      lines.push(line)
    })
  }
  try {
    await act()
    return lines
  } finally {
    METHODS.forEach((method, at) => {
      vi.spyOn(console, method)
        .mockClear()
        .mockImplementation(before[at] ?? (() => undefined))
    })
  }
}
