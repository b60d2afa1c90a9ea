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

  it('leaves the column of e-mail addresses out of the others in each row, filled or not', () => {
    const text = 'Name,E-Mail,Number,Group\nAnna Berg,anna@example.com,17,Line 3\nBo,,18,Line 3\nCem,,,\n'
    expect(readRows(text)).toEqual({
      rows: [
        { name: 'Anna Berg', number: '17', email: 'anna@example.com', groups: ['Line 3'] },
        { name: 'Bo', number: '18', email: null, groups: ['Line 3'] },
        { name: 'Cem', number: null, email: null, groups: [] },
      ],
      problems: [],
    })
  })

  it.each([
    ['headed as one', 'Email,Name,Number\n,Bo,18'],
    ['without a heading', 'anna@example.com,Anna,17\n,Bo,18'],
  ])('finds a column of e-mail addresses %s', (_, text) => {
    expect(readRows(text).rows.at(-1)).toEqual({ name: 'Bo', number: '18', email: null, groups: [] })
  })

  it('names rows whose e-mail address is none', () => {
    const text = 'Anna,anna@example.com,17\nBo,bo@,18\nCem,cem@example.com,19\nDana,dana.example.com,20'
    const { rows, problems } = readRows(text)
    expect(rows.map(({ name }) => name)).toEqual(['Anna', 'Cem'])
    expect(problems).toEqual([
      { kind: 'noAddress', row: 2 },
      { kind: 'noAddress', row: 4 },
    ])
  })

  it('keeps groups that stand where other rows have their e-mail address', () => {
    const text = 'Anna,17,anna@example.com\nBo,18,Line 3,bo@example.com\nCem,19,cem@example.com'
    expect(readRows(text)).toMatchObject({ rows: [{}, { number: '18', groups: ['Line 3'] }, {}], problems: [] })
  })
})
