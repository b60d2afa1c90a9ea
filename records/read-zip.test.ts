import { makeZip } from 'client-zip'
import { expect, it } from 'vitest'
import { readZip } from './read-zip.ts'

it('opens the files of an archive, empty ones and such with foreign names among them', async () => {
  const inputs = { 'a.txt': 'first', 'versions/b.json': '', 'Übersicht.csv': 'ü' }
  const zip = await new Response(makeZip(Object.entries(inputs).map(([name, input]) => ({ name, input })))).blob()
  const files = await readZip(zip)
  expect(
    Object.fromEntries(await Promise.all([...files].map(async ([name, file]) => [name, await file.text()]))),
  ).toEqual(inputs)
})

it.each([
  ['a text', new Blob(['a text that is longer than the end of an archive'])],
  ['nothing', new Blob([])],
])('refuses %s', async (_, file) => {
  await expect(readZip(file)).rejects.toThrow('ZIP')
})

it('refuses two files of the same name', async () => {
  const inputs = ['first', 'second'].map((input) => ({ name: 'records.csv', input }))
  const zip = await new Response(makeZip(inputs)).blob()
  await expect(readZip(zip)).rejects.toThrow('same name')
})
