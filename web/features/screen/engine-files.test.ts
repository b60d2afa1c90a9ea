import { expect, it } from 'vitest'
import { engineLanguagesFor } from './engine-files.ts'

it.each([
  ['en-US', ['eng']],
  ['de', ['deu']],
  // The letters of commands are none of theirs.
  ['hi-IN', ['hin', 'eng']],
  ['zh', ['chi_sim', 'eng']],
  [null, ['eng']],
  ['sv', ['eng']],
])('a training in %s is read with the data of %j', (tag, data) => {
  expect(engineLanguagesFor(tag)).toEqual(data)
})
