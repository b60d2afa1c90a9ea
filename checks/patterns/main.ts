import { findPatterns } from './find-patterns.ts'
import { judgePattern, listUnused } from './judge-pattern.ts'

const patterns = findPatterns(process.cwd())
const faults = patterns.flatMap((pattern) => {
  const fault = judgePattern(pattern)
  return fault === null ? [] : [`${pattern.file}:${pattern.line}: ${pattern.code} ${fault}`]
})
const unused = listUnused(patterns)
if (faults.length > 0) console.error(`A text can hold these patterns up:\n${faults.join('\n')}`)
if (unused.length > 0) console.error(`No pattern needs these of checks/patterns/accepted.ts:\n${unused.join('\n')}`)
if (faults.length + unused.length > 0) process.exitCode = 1
