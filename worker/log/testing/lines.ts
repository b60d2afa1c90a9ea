import { vi } from 'vitest'

export type Line = Record<string, unknown> & { level: string; event: string }

const METHODS = ['log', 'warn', 'error'] as const

/** Collects the lines that are written while something is done; among them nothing that was said by anybody else. */
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
