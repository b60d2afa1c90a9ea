import { describe, expect, it } from 'vitest'
import { readCsvCells, writeCsvLine } from './csv.ts'

describe('writeCsvLine', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['="a"', `"'=""a"""`],
    ['a = b', 'a = b'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['', ''],
  ])('writes %j as %j', (cell, written) => {
    expect(writeCsvLine([cell, 1])).toBe(`${written},1\r\n`)
  })

  it('leaves numbers as they are', () => {
    expect(writeCsvLine([-1, 0.5])).toBe('-1,0.5\r\n')
  })
})

it('reads the cells of a row that it has written', () => {
  const cells = ['=1+1', 'a "b", c', 'two\r\nlines', '', '7']
  expect(readCsvCells(writeCsvLine(cells))).toEqual(["'=1+1", ...cells.slice(1)])
})
