import { existsSync, readFileSync } from 'node:fs'

/** Says which scores are not those that were recorded, and fails the bench where there are any. */
export function compareWithRecorded(recordedFile: URL, scores: Readonly<Record<string, number>>): void {
  if (!existsSync(recordedFile)) return
  const recorded = JSON.parse(readFileSync(recordedFile, 'utf8')) as Record<string, number>
  for (const [name, value] of Object.entries(scores)) {
    const before = recorded[name]
    if (before === value) continue
    console.error(`${name}: recorded ${before ?? 'nothing'}, now ${value}`)
    process.exitCode = 1
  }
}
