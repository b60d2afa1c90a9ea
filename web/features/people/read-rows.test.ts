import { describe, expect, it } from 'vitest'
import { readRows } from './read-rows.ts'

describe('readRows', () => {
  it.each([
    ['copied from a spreadsheet', 'Name\tNumber\tGroup\nAnna Berg\t17\tLine 3;Night shift\nBo\t\t\n'],
    ['in a file', '\uFEFFname,no,groups\r\n"Anna Berg",17,"Line 3; Night shift"\r\nBo,,\r\n'],
    ['in a German file', 'Name;Nr;Gruppen\nAnna Berg;17;Line 3;Night shift\nBo;;\n'],
  ])('reads rows %s', (_, text) => {
    expect(readRows(text)).toEqual({
      rows: [
        { name: 'Anna Berg', number: '17', email: null, groups: ['Line 3', 'Night shift'] },
        { name: 'Bo', number: null, email: null, groups: [] },
      ],
      problems: [],
    })
  })

  it('names rows that it leaves out, and keeps commas and names in quotes', () => {
    const text = `"Berg, Anna",1\n,2\n\nBo,1\n${'x'.repeat(101)},3\nCem,\nCem,`
    expect(readRows(text)).toEqual({
      rows: [
        { name: 'Berg, Anna', number: '1', email: null, groups: [] },
        { name: 'Cem', number: null, email: null, groups: [] },
      ],
      problems: [
        { kind: 'noName', row: 2 },
        { kind: 'twice', row: 4, first: 1 },
        { kind: 'tooLong', row: 5 },
        { kind: 'twice', row: 7, first: 6 },
      ],
    })
  })

  it.each([
    ['behind the number', 'Anna Berg,17,anna@example.com,Line 3'],
    ['at the end', 'Anna Berg,17,Line 3,anna@example.com'],
  ])('reads an e-mail address %s', (_, text) => {
    expect(readRows(text).rows).toEqual([
      { name: 'Anna Berg', number: '17', email: 'anna@example.com', groups: ['Line 3'] },
    ])
  })
})
