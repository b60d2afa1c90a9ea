import { vi } from 'vitest'

export type Line = Record<string, unknown> & { level: string; event: string }

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
