import { makeZip } from 'client-zip'
import { expect, it } from 'vitest'
import { EXPORT_FILES } from '#records/export-files.ts'
import { addSums, divideExport, makeExport, makeSignedExport } from '#records/testing/make-export.ts'
import { showVerifyPage } from './verify-page.ts'

/** Drops an export on the page. @param kept what was kept of its list elsewhere @returns what the page says then */
async function drop(files: readonly File[], kept = ''): Promise<string> {
  showVerifyPage(document.body)
  const field = document.querySelector<HTMLInputElement>('#kept')
  if (field !== null) field.value = kept
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

it('compares the export with a checkpoint that was kept elsewhere', async () => {
  const texts = await makeExport()
  const zip = await zipOf(texts)
  const about = JSON.parse(texts.get(EXPORT_FILES.checkpoints) ?? '') as {
    checkpoints: { day: string; hash: string }[]
  }
  const [{ day, hash } = { day: '', hash: '' }] = about.checkpoints
  expect(await drop([zip], `${day} 3 ${hash}`)).toContain('Record 3 is the one of your checkpoint.')
  expect(document.querySelector('#kept-mistake')?.textContent).toBe('')
})

it('calls no export changed because it lacks the checkpoint, such as a newer one', async () => {
  const said = await drop([await zipOf(await makeExport())], 'f'.repeat(64))
  expect(said).toContain('Nothing was changed')
  expect(said).toContain('Your checkpoint is not among these records.')
  expect(document.querySelector('#kept')?.getAttribute('aria-invalid')).toBe('false')
})

it('says at the field that its text is no checkpoint, and checks the export without', async () => {
  const said = await drop([await zipOf(await makeExport())], '2026-11-30 3 0123abcd')
  expect(said).toContain('Nothing was changed')
  expect(said).toContain('Compare it with a checkpoint')
  expect(document.querySelector('#kept')?.getAttribute('aria-invalid')).toBe('true')
  expect(document.querySelector('#kept-mistake')?.textContent).toMatch(/^This has no hash of a checkpoint/)
})

/** A file as it comes out of a folder that was chosen. */
function placeAt(file: File, webkitRelativePath: string): File {
  return Object.defineProperty(file, 'webkitRelativePath', { value: webkitRelativePath })
}

async function unpack(texts: ReadonlyMap<string, string>, folder = 'export'): Promise<File[]> {
  return [...(await addSums(texts))].map(([name, text]) => placeAt(new File([text], name), `${folder}/${name}`))
}

it('takes an unpacked folder, and refuses any other file', async () => {
  expect(await drop(await unpack(await makeExport()))).toContain('Nothing was changed')
  expect(await drop([new File(['{}'], 'other.json')])).toBe('This is not an export of training records.')
})

it('takes a folder in which each part was unpacked into its own, and names a file that is in none', async () => {
  const divided = divideExport(await makeExport())
  const parts = await Promise.all(divided.map((part, index) => unpack(part, `audit/training-records-${index + 1}`)))
  expect(await drop(parts.flat())).toContain('Nothing was changed')
  const other = placeAt(new File(['x'], 'records.csv'), 'audit/records.csv')
  expect(await drop([other, ...parts.flat()])).toContain('audit/records.csv was changed.')
  expect(await drop(parts.slice(0, 2).flat())).toContain('training-records-3.zip is missing.')
})

it('checks the files of a folder, also where an export that was not changed lies among them', async () => {
  const texts = await makeExport()
  const zip = placeAt(await zipOf(texts), 'export/training-records.zip')
  texts.set(EXPORT_FILES.records, (texts.get(EXPORT_FILES.records) ?? '').replace('Understood', 'Understand'))
  expect(await drop([...(await unpack(texts)), zip])).toContain('Record 2: its text was changed.')
})

it('checks all parts of an export that are dropped together, and names the one that is missing', async () => {
  const parts = await Promise.all(divideExport(await makeExport()).map(zipOf))
  expect(await drop(parts)).toContain('Records 1 to 6 are complete and in order.')
  expect(await drop(parts.toSpliced(1, 1))).toBe(
    'Not all files are heretraining-records-2.zip is missing. Check all files of the export together.',
  )
  expect(await drop(parts.slice(2))).toContain('training-records-1.zip is missing.')
})

it('calls no export changed because one of its files is there twice', async () => {
  const parts = await Promise.all(divideExport(await makeExport()).map(zipOf))
  expect(await drop([...parts, ...parts.slice(1, 2)])).toBe(
    'These files do not belong togethertraining-records-2.zip is here twice or belongs to another export.',
  )
})

it('says that photos were removed with the names of their people, and names the record of one that was changed', async () => {
  const erased = await makeSignedExport({ isErased: true })
  const photo = [...erased.keys()].find((file) => file.startsWith('photos/')) ?? ''
  erased.delete(photo)
  expect(await drop([await zipOf(erased)])).toContain('1 photo was removed with the name of a person.')
  const changed = new Map(await makeSignedExport()).set(photo, 'another photo')
  expect(await drop([await zipOf(changed)])).toContain('Record 1: a photo was changed.')
})
