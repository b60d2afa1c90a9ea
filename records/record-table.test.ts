import { expect, it } from 'vitest'
import type { RecordBody } from '#contract/records/training-record.ts'
import { body, listRecords } from '#contract/testing/records.ts'
import { DETAILS_CELL, listRecordRows } from './record-table.ts'

async function detailsOf(of: RecordBody) {
  const read = { hash: '', showsEffort: true, nameOf: async () => null, titleOf: () => '' }
  const rows = await Promise.all(listRecords([['', of]]).map((record) => listRecordRows(record, read)))
  return rows.flat().map((cells) => cells[DETAILS_CELL])
}

it('says of a visit which steps are to be shown again, and which were shown', async () => {
  const refused = { ...body.refused(['b']), steps: [{ id: 'b', note: 'Too fast.' }] } as RecordBody
  const shown = ['a', 'c'].map((id) => ({ id, note: '' }))
  expect(await detailsOf(refused)).toEqual(['b: Too fast.'])
  expect(await detailsOf({ ...refused, shown } as RecordBody)).toEqual(['b: Too fast.; shown: a; c'])
})
