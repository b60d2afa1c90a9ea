import { expect, it } from 'vitest'
import { EXPORT_FILES } from './export-files.ts'
import { PART_FILE } from './export-parts.ts'
import { ANNA, divideExport, makeExport, sealExport } from './testing/make-export.ts'
import { verifyRecords } from './verify-records.ts'

const { records, checkpoints, table, people } = EXPORT_FILES

async function openParts() {
  return Promise.all(divideExport(await makeExport()).map(sealExport))
}

/** The findings in parts of which a file of one was changed by somebody who has also written its sums anew. */
async function findIn(index: number, file: string, change: (text: string) => string) {
  const divided = divideExport(await makeExport())
  const texts = new Map(divided[index])
  const changed = await sealExport(texts.set(file, change(texts.get(file) ?? '')))
  return (await verifyRecords((await openParts()).with(index, changed))).findings
}

it('puts the parts of an export in order, and checks them as one', async () => {
  const parts = await openParts()
  expect(await verifyRecords(parts.toReversed())).toMatchObject({ findings: [], records: 6 })
})

it('names each part that is missing or there twice, and checks nothing that it may hold', async () => {
  const parts = await openParts()
  for (const [index, part] of parts.entries()) {
    const file = `training-records-${index + 1}.zip`
    expect((await verifyRecords(parts.toSpliced(index, 1))).findings).toEqual([{ code: 'part_missing', file }])
    expect((await verifyRecords([...parts, part])).findings).toEqual([{ code: 'part_foreign', file }])
  }
})

it('names an export of one file as it was saved where it is there twice', async () => {
  const whole = await sealExport(await makeExport())
  const { findings } = await verifyRecords([whole, whole])
  expect(findings).toEqual([{ code: 'part_foreign', file: 'training-records.zip' }])
})

it('takes no part of another export', async () => {
  const [first = new Map<string, Blob>(), ...rest] = await openParts()
  const about = (await first.get(checkpoints)?.text()) ?? ''
  const other = new Map([...first, [checkpoints, new Blob([about.replace('org_plant', 'org_other')])]])
  const { findings } = await verifyRecords([other, ...rest])
  expect(findings).toContainEqual({ code: 'part_foreign', file: 'training-records-2.zip' })
})

it('takes no part from before or after records were removed', async () => {
  const findings = await findIn(1, checkpoints, (text) => text.replace('"from":{"seq":1,', '"from":{"seq":3,'))
  expect(findings).toEqual([{ code: 'part_foreign', file: 'training-records-2.zip' }])
})

it('finds what was changed in any part by somebody who wrote its sums anew', async () => {
  expect(await findIn(1, records, (text) => text.replace('Understood', 'Understand'))).toEqual([
    { code: 'record_changed', seq: 4 },
  ])
  expect(await findIn(1, table, (text) => text.replace('Understood', 'Understand'))).toEqual([
    { code: 'table_changed', seq: 4 },
  ])
  expect(await findIn(1, people, () => '[]')).toEqual([{ code: 'name_missing', seq: 1 }])
})

it('finds a table of any part that has another head than the first, or none', async () => {
  const changed = [{ code: 'file_changed', file: table }]
  expect(await findIn(1, table, (text) => text.replace('Person', 'Name'))).toEqual(changed)
  expect(await findIn(1, table, (text) => text.slice(text.indexOf('\n') + 1))).toEqual(changed)
})

it('finds a person whom another part names anew', async () => {
  const other = { ...ANNA, name: 'Eve Adams', salt: 'bb'.repeat(16) }
  const again = JSON.stringify([{ id: 'p1', names: [other, ANNA] }])
  expect(await findIn(2, people, () => again)).toEqual([{ code: 'file_changed', file: people }])
})

it('compares the checkpoints of all parts', async () => {
  const change = (text: string) => text.replace(/"seq":3,"hash":"\w{8}/, '"seq":3,"hash":"00000000')
  expect(await findIn(2, checkpoints, change)).toEqual([{ code: 'checkpoint_broken', seq: 3, day: '2026-11-30' }])
})

it('finds that the last part was cut off, by what it held', async () => {
  const divided = divideExport(await makeExport())
  const [first = new Map<string, Blob>()] = await openParts()
  // Whoever does it may hide that there was one, but not that it is needed.
  const last = new Map(divided[1]).set(PART_FILE, JSON.stringify({ number: 2, next: null }))
  const { findings } = await verifyRecords([first, await sealExport(last)])
  expect(findings).toEqual([{ code: 'version_missing', seq: 1 }])
})
