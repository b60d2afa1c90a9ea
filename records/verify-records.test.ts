import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXPORT_FILES, writeRecordLine } from './export-files.ts'
import { hashRecord } from './hash-record.ts'
import { makeExport, sealExport } from './testing/make-export.ts'
import { findHash, verifyRecords } from './verify-records.ts'

const codesOf = async (files: ReadonlyMap<string, Blob>) => (await verifyRecords([files])).findings

/** The findings in an export of which a file was changed by somebody who has also written its sums anew. */
async function findIn(file: string, change: (text: string) => string) {
  const texts = await makeExport()
  return codesOf(await sealExport(new Map(texts).set(file, change(texts.get(file) ?? ''))))
}

const swapLines = (first: number, second: number) => (text: string) => {
  const lines = text.split('\n')
  return lines.map((line, i) => (i === first ? lines[second] : i === second ? lines[first] : line)).join('\n')
}
const withoutLine = (index: number) => (text: string) => text.split('\n').toSpliced(index, 1).join('\n')
const { records, checkpoints, people, table } = EXPORT_FILES

it('finds nothing in an export as it was made', async () => {
  const verified = await verifyRecords([await sealExport(await makeExport())])
  expect(verified).toMatchObject({ findings: [], records: 6, about: { organization: 'org_plant' } })
  expect(verified.end).toBe(verified.about?.end.hash)
})

it('compares the list with a checkpoint that was kept elsewhere, and accuses no export that lacks it', async () => {
  const files = await sealExport(await makeExport())
  const { end, keptSeq } = await verifyRecords([files])
  expect(keptSeq).toBeNull()
  expect(await verifyRecords([files], end)).toMatchObject({ findings: [], keptSeq: 6 })
  const other = '0'.repeat(64)
  expect(await verifyRecords([files], other)).toMatchObject({ findings: [], keptSeq: null })
})

it('finds the hash in what was copied of a checkpoint, and none in any other text', () => {
  const hash = `${'0a'.repeat(31)}b2`
  expect(findHash(`2026-11-30 3 ${hash.toUpperCase()}\n`)).toBe(hash)
  expect(findHash(hash)).toBe(hash)
  for (const text of ['', '2026-11-30', hash.slice(1), `${hash}0`, `${hash.slice(1)}g`])
    expect(findHash(text)).toBeNull()
})

describe('finds what was changed by somebody who wrote the sums anew', () => {
  it.each([
    [
      'a word',
      records,
      (text: string) => text.replace('Understood', 'Understand'),
      [{ code: 'record_changed', seq: 2 }],
    ],
    ['a record that is gone', records, withoutLine(3), [{ code: 'records_missing', seq: 4, lastSeq: 4 }]],
    ['the last record that is gone', records, withoutLine(5), [{ code: 'records_missing', seq: 6, lastSeq: 6 }]],
    [
      'the order',
      records,
      swapLines(1, 2),
      [
        { code: 'records_missing', seq: 2, lastSeq: 2 },
        { code: 'record_moved', seq: 2 },
      ],
    ],
    [
      'a name',
      people,
      (text: string) => text.replace('Anna', 'Anne'),
      [{ code: 'name_changed', seq: 1, name: 'Anne Müller' }],
    ],
    ['a name that is gone', people, () => '[]', [{ code: 'name_missing', seq: 1 }]],
    [
      'a cell of the table',
      table,
      (text: string) => text.replace('Understood', 'Understand'),
      [{ code: 'table_changed', seq: 2 }],
    ],
    [
      'a title of a version in the table',
      table,
      (text: string) => text.replace('Stapler', 'Crane'),
      [{ code: 'table_changed', seq: 1 }],
    ],
    ['a row of the table that is gone', table, withoutLine(3), [{ code: 'table_changed', seq: 3 }]],
    ['a row more', table, (text: string) => `${text}7,,\r\n`, [{ code: 'file_changed', file: 'records.csv' }]],
    [
      'a head of the table',
      table,
      (text: string) => text.replace('Person', 'Name'),
      [{ code: 'file_changed', file: 'records.csv' }],
    ],
    [
      'a checkpoint',
      checkpoints,
      (text: string) => text.replace(/"seq":3,"hash":"\w{8}/, '"seq":3,"hash":"00000000'),
      [{ code: 'checkpoint_broken', seq: 3, day: '2026-11-30' }],
    ],
    [
      'a checkpoint before another one of the same record',
      checkpoints,
      (text: string) => text.replace('"checkpoints":[', '$&{"day":"2026-11-29","seq":3,"hash":"00"},'),
      [{ code: 'checkpoint_broken', seq: 3, day: '2026-11-29' }],
    ],
    [
      'a person who is there twice',
      people,
      (text: string) => text.replace('[{', '[{"id":"p1","names":[{"name":"Eve","number":null,"salt":"bb"}]},{'),
      [{ code: 'file_changed', file: people }],
    ],
  ])('%s', async (_, file, change, findings) => {
    expect(await findIn(file, change)).toEqual(findings)
  })

  /** Gives an export the list from one record to another, as a database would from which the others were deleted. */
  async function cut(from: number, to: number) {
    const texts = await makeExport()
    const lines = (texts.get(records) ?? '').split('\n').slice(from - 1, to)
    const places = lines.map((line) => JSON.parse(line) as { hash: string; record: { previous: string } })
    const about = {
      ...(JSON.parse(texts.get(checkpoints) ?? '') as object),
      from: { seq: from, previous: places[0]?.record.previous },
      end: { seq: to, hash: places.at(-1)?.hash },
    }
    texts.set(records, lines.map((line) => `${line}\n`).join('')).set(checkpoints, JSON.stringify(about))
    const [head, ...rows] = (texts.get(table) ?? '').split('\r\n')
    texts.set(table, [head, ...rows.slice(from - 1, to)].map((row) => `${row}\r\n`).join(''))
    return codesOf(await sealExport(texts))
  }

  it('the end of the list that is gone from the database, by a checkpoint beyond it', async () => {
    expect(await cut(1, 2)).toEqual([{ code: 'records_missing', seq: 3, lastSeq: 3 }])
    expect(await cut(1, 3)).toEqual([])
  })

  it('the beginning that is gone without a checkpoint at its end', async () => {
    expect(await cut(3, 6)).toEqual([{ code: 'records_missing', seq: 1, lastSeq: 2 }])
    expect(await cut(4, 6)).toEqual([])
  })

  it('a record whose hash was made anew, by the one after it', async () => {
    const texts = await makeExport()
    const lines = (texts.get(records) ?? '').split('\n')
    const { record } = JSON.parse(lines[1] ?? '') as { record: Parameters<typeof hashRecord>[0] }
    const forged = writeRecordLine(await hashRecord({ ...record, time: '2020-01-01T00:00:00.000Z' }))
    texts.set(records, lines.with(1, forged).join('\n'))
    expect(await codesOf(await sealExport(texts))).toEqual([{ code: 'record_detached', seq: 3 }])
  })

  it('a version that is gone', async () => {
    const texts = await makeExport()
    const [version, page] = [...texts.keys()].filter((name) => name.startsWith('versions/'))
    const without = (name = '') => new Map([...texts].filter(([each]) => each !== name))
    expect(await codesOf(await sealExport(without(version)))).toEqual([{ code: 'version_missing', seq: 1 }])
    expect(await codesOf(await sealExport(without(page)))).toEqual([{ code: 'file_missing', file: page }])
  })
})

it('finds and names any changed byte of an export', async () => {
  const texts = await makeExport()
  const files = await sealExport(texts)
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const [name, blob] of files) bytes.set(name, new Uint8Array(await blob.arrayBuffer()))
  const lines = (texts.get(records) ?? '').split('\n')
  const ends = lines.map((_, index) => new TextEncoder().encode(lines.slice(0, index + 1).join('\n')).length)
  const place = fc.constantFrom(...bytes.keys()).chain((name) =>
    fc.record({
      name: fc.constant(name),
      index: fc.nat({ max: (bytes.get(name)?.length ?? 1) - 1 }),
      flip: fc.integer({ min: 1, max: 255 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(place, async ({ name, index, flip }) => {
      const changed = bytes.get(name)?.slice() ?? new Uint8Array()
      changed[index] = (changed[index] ?? 0) ^ flip
      const findings = await codesOf(new Map(files).set(name, new Blob([changed])))
      // A sum that was changed is found by the file that it is of.
      expect(findings.length).toBeGreaterThan(0)
      if (name !== EXPORT_FILES.sums) expect(findings).toContainEqual({ code: 'file_changed', file: name })
      if (name !== records) return
      const seq = 1 + ends.findIndex((end) => index <= end)
      expect(findings).toContainEqual({ code: 'record_changed', seq: Math.min(seq, 6) })
    }),
    { numRuns: 300 },
  )
})
