import { expect, it } from 'vitest'
import { EXPORT_FILES } from './export-files.ts'
import { PART_FILE } from './export-parts.ts'
import { divideExport, makeExport, sealExport } from './testing/make-export.ts'
import { verifyRecords } from './verify-records.ts'

async function openParts() {
  return Promise.all(divideExport(await makeExport()).map(sealExport))
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

it('takes no part of another export', async () => {
  const [first = new Map<string, Blob>(), ...rest] = await openParts()
  const about = (await first.get(EXPORT_FILES.checkpoints)?.text()) ?? ''
  const other = new Map([...first, [EXPORT_FILES.checkpoints, new Blob([about.replace('org_plant', 'org_other')])]])
  const { findings } = await verifyRecords([other, ...rest])
  expect(findings).toContainEqual({ code: 'part_foreign', file: 'training-records-2.zip' })
})

it('finds what was changed in any part by somebody who wrote its sums anew', async () => {
  const divided = divideExport(await makeExport())
  const parts = await openParts()
  const changeIn = async (index: number, file: string, change: (text: string) => string) => {
    const texts = new Map(divided[index])
    const changed = await sealExport(texts.set(file, change(texts.get(file) ?? '')))
    return (await verifyRecords(parts.with(index, changed))).findings
  }
  const { records, table, people } = EXPORT_FILES
  expect(await changeIn(1, records, (text) => text.replace('Understood', 'Understand'))).toEqual([
    { code: 'record_changed', seq: 4 },
  ])
  expect(await changeIn(1, table, (text) => text.replace('Person', 'Name'))).toEqual([
    { code: 'table_changed', seq: 3 },
  ])
  expect(await changeIn(1, people, () => '[]')).toEqual([{ code: 'name_missing', seq: 1 }])
  // Whoever cuts off the last part may hide that there was one, but not that it is needed.
  const last = new Map(divided[1]).set(PART_FILE, JSON.stringify({ number: 2, next: null }))
  const { findings } = await verifyRecords([...parts.slice(0, 1), await sealExport(last)])
  expect(findings).toEqual([{ code: 'version_missing', seq: 1 }])
})
