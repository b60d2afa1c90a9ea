import { expect, it } from 'vitest'
import { classify } from './classify.ts'

it.each([
  ['Save as', 'label'],
  ['Open the expense form from the menu Tools.', 'other'],
  ["const text = await readFile(path, 'utf8')", 'code'],
  ['return rows.filter((row) => row.active)', 'code'],
  ['$ ls -a', 'command'],
  ['Ctrl+S', 'command'],
])('takes %j for %s', (line, kind) => {
  expect(classify(line)).toBe(kind)
})
