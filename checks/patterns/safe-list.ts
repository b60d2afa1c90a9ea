import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface SafeList {
  has(pattern: string): boolean
  add(pattern: string): void
  save(): void
}

interface Saved {
  judgedBy: string
  patterns: string[]
}

/**
 * The patterns that were found safe on this machine before.
 * @param judgedBy what a verdict depends on beside the pattern; what another judged is forgotten
 */
export function openSafeList(path: string, judgedBy: string): SafeList {
  const patterns = new Set(read(path, judgedBy))
  return {
    has: (pattern) => patterns.has(pattern),
    add: (pattern) => patterns.add(pattern),
    save() {
      const saved: Saved = { judgedBy, patterns: [...patterns] }
      const unfinished = `${path}.${process.pid}`
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(unfinished, JSON.stringify(saved))
      renameSync(unfinished, path)
    },
  }
}

function read(path: string, wanted: string): string[] {
  try {
    const { judgedBy, patterns } = JSON.parse(readFileSync(path, 'utf8')) as Saved
    return judgedBy === wanted ? patterns : []
  } catch {
    // There is none yet, or nothing that can be read: all are judged again.
    return []
  }
}
