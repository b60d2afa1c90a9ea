import { expect, it } from 'vitest'
import { EXPORT_FILES } from './export-files.ts'
import { PART_FILE } from './export-parts.ts'
import { makeSignedExport, PHOTO, sealExport } from './testing/make-export.ts'
import { verifyRecords } from './verify-records.ts'

/** What is found in an export after a change by somebody who has also written its sums anew. */
async function check(texts: Map<string, string>) {
  const { findings, removedPhotos } = await verifyRecords([await sealExport(texts)])
  return { findings, removedPhotos }
}

/** The name of the only photo of an export. */
const photoOf = (texts: ReadonlyMap<string, string>) =>
  [...texts.keys()].find((file) => file.startsWith('photos/')) ?? ''

it('finds nothing where the photo is the one that was signed', async () => {
  expect(await check(await makeSignedExport())).toEqual({ findings: [], removedPhotos: 0 })
})

it('finds a photo that was changed, and one that is gone', async () => {
  const texts = await makeSignedExport()
  const file = photoOf(texts)
  const changed = await check(new Map(texts).set(file, 'another photo'))
  expect(changed.findings).toEqual([{ code: 'photo_changed', seq: 1 }])
  texts.delete(file)
  expect((await check(texts)).findings).toEqual([{ code: 'photo_missing', seq: 1 }])
})

it('says that the photo of somebody who was erased was removed, which is no finding', async () => {
  const texts = await makeSignedExport({ isErased: true })
  texts.delete(photoOf(texts))
  expect(await check(texts)).toEqual({ findings: [], removedPhotos: 1 })
})

it('finds a photo that no record names, and a second one of the same name', async () => {
  const texts = await makeSignedExport()
  const second = photoOf(texts).replace('.jpg', '.webp')
  const foreign = `photos/${'0'.repeat(64)}.jpg`
  for (const file of [foreign, second])
    expect((await check(new Map(texts).set(file, 'x'))).findings).toEqual([{ code: 'file_changed', file }])
})

it('takes a photo that two parts hold, and finds another one under its name in either of them', async () => {
  const texts = await makeSignedExport()
  const file = photoOf(texts)
  const about = texts.get(EXPORT_FILES.checkpoints) ?? ''
  async function find(one: string, other: string) {
    const first = new Map(texts).set(file, one).set(PART_FILE, JSON.stringify({ number: 1, next: {} }))
    const last = new Map<string, string>([
      [EXPORT_FILES.checkpoints, about],
      [file, other],
      [PART_FILE, JSON.stringify({ number: 2, next: null })],
    ])
    return (await verifyRecords(await Promise.all([first, last].map(sealExport)))).findings
  }
  expect(await find(PHOTO, PHOTO)).toEqual([])
  expect(await find(PHOTO, 'another photo')).toEqual([{ code: 'file_changed', file }])
  expect(await find('another photo', PHOTO)).toContainEqual({ code: 'file_changed', file })
})
