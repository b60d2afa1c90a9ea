import { makeZip } from 'client-zip'
import { expect, it } from 'vitest'
import { EXPORT_FILES } from '#records/export-files.ts'
import { addSums, makeExport } from '#records/testing/make-export.ts'
import { showVerifyPage } from './verify-page.ts'

/** Drops an export on the page. @returns what the page says then */
async function drop(files: readonly File[]): Promise<string> {
  showVerifyPage(document.body)
  const event = Object.assign(new Event('drop', { cancelable: true }), { dataTransfer: { files } })
  document.dispatchEvent(event)
  const result = document.querySelector('.result')
  await expect.poll(() => result?.querySelector('h2')).not.toBeNull()
  return result?.textContent ?? ''
}

async function zipOf(texts: ReadonlyMap<string, string>): Promise<File> {
  const files = [...(await addSums(texts))].map(([name, input]) => ({ name, input }))
  return new File([await new Response(makeZip(files)).arrayBuffer()], 'training-records.zip')
}

it('says that nothing was changed, and what that does not show', async () => {
  const said = await drop([await zipOf(await makeExport())])
  expect(said).toContain('Records 1 to 6 are complete and in order.')
  expect(said).toContain('Compare it with a checkpoint')
})

it('names the record that was changed', async () => {
  const texts = await makeExport()
  texts.set(EXPORT_FILES.records, (texts.get(EXPORT_FILES.records) ?? '').replace('Understood', 'Understand'))
  expect(await drop([await zipOf(texts)])).toBe('This export was changedRecord 2: its text was changed.')
})

it('takes an unpacked folder, and refuses any other file', async () => {
  const files = [...(await addSums(await makeExport()))]
  const unpacked = files.map(([name, text]) =>
    Object.defineProperty(new File([text], name), 'webkitRelativePath', { value: `export/${name}` }),
  )
  expect(await drop(unpacked)).toContain('Nothing was changed')
  expect(await drop([new File(['{}'], 'other.json')])).toBe('This is not an export of training records.')
})
