import { describe, expect, it } from 'vitest'
import { billClerk, billMonth, billRareOriginals, countModelsOfDay, standardUsd } from './costs.ts'

const total = (made: number, { month = 1, sampling = 0.1 } = {}) =>
  Object.values(billMonth({ made, month }, sampling)).reduce((sum, usd) => sum + usd, 0)
const rowOf = (name: string, made: number, month = 1) => billMonth({ made, month }, 0.1)[name] ?? Number.NaN

describe('the costs of a month', () => {
  it('the costs of a month are the plan alone without trainings, and fall neither with more of them nor with time', () => {
    expect(total(0, { month: 12 })).toBe(5)
    const uses = [100, 1_000, 10_000, 100_000].flatMap((made) => [1, 12].map((month) => ({ made, month })))
    const bills = uses.map((use) => billMonth(use, 0.1))
    for (const name of Object.keys(bills[0] ?? {})) {
      for (const every of [0, 1].map((first) => bills.filter((_, at) => at % 2 === first))) {
        const usd = every.map((bill) => bill[name] ?? Number.NaN)
        expect(usd, name).toEqual(usd.toSorted((a, b) => a - b))
      }
      for (let at = 0; at < bills.length; at += 2)
        expect(bills[at + 1]?.[name], name).toBeGreaterThanOrEqual(bills[at]?.[name] ?? Number.NaN)
    }
  })

  it('grow evenly beyond all that the plan includes', () => {
    const each = (made: number) => total(made + 1) - total(made)
    expect(each(10_000_000)).toBeCloseTo(each(20_000_000), 6)
    expect(each(10_000_000)).toBeGreaterThan(each(0))
  })

  it('the costs of a month have twelve months of videos in the twelfth, less the 10 GB that are included', () => {
    const perMonth = 100_000 * 0.228 * 0.015
    expect(rowOf('Videos stored (R2)', 100_000)).toBeCloseTo(perMonth - 0.15, 6)
    expect(rowOf('Videos stored (R2)', 100_000, 12)).toBeCloseTo(12 * perMonth - 0.15, 6)
    expect(Math.round(12 * perMonth)).toBe(4_104)
  })

  it('the costs of a month have the views of earlier trainings, with their questions, learners and reads', () => {
    const ofQuestions = (month: number) => rowOf('Answers of the tutor', 1_000, month)
    expect(ofQuestions(12) / ofQuestions(1)).toBeCloseTo((30 + 11) / 30, 9)
    const stored = (month: number) =>
      1_000_000 * (month * (42e3 + 20e3 / 6) + (30 * month + (month * (month - 1)) / 2) * 1_400)
    const written = (month: number) => 1_000_000 * (1_250 + 672 / 6 + (30 + month - 1) * (66 + 10))
    const read = (month: number) => 1_000_000 * (153 + 54 / 6 + (30 + month - 1) * (71 + 1)) * 20
    const usdOf = (month: number) =>
      (written(month) - 50e6) / 1e6 + ((read(month) - 25e9) / 1e6) * 0.001 + (stored(month) / 1e9 - 5) * 0.75
    for (const month of [1, 12]) expect(rowOf('Database (D1)', 1_000_000, month)).toBeCloseTo(usdOf(month), 4)
  })

  it('the costs of a month have a request and a row of a Durable Object for each call of a model, which is paced', () => {
    const ofRooms = (made: number) => rowOf('Rooms and paces (Durable Objects)', made)
    const million = ofRooms(51e6) - ofRooms(50e6)
    const rooms = { requests: 60 + 30 * 3 + 10 * 3, seconds: 60 + 30 + 10 * 6, paced: 25 + 10 * 2 }
    expect(million).toBeCloseTo((rooms.requests + rooms.paced) * 0.15 + rooms.paced + rooms.seconds * 0.128 * 12.5, 3)
  })

  it('rise with the share of traces that are kept', () => {
    expect(total(10_000, { sampling: 1 })).toBeGreaterThan(total(10_000, { sampling: 0.1 }))
  })
})

describe('originals in Infrequent Access', () => {
  const inMonth = (month: number, views: number) => billRareOriginals({ made: 100_000, month }, views)
  const standard = (month: number) => standardUsd({ made: 100_000, month })

  it('originals in Infrequent Access are there from their fourth month on, and moved once', () => {
    expect(inMonth(3, 1)).toBe(standard(3))
    const [gb, moved] = [100_000 * 0.188, 0.1 * 9]
    expect(inMonth(4, 0)).toBeCloseTo((3 * gb - 10) * 0.015 + gb * 0.01 + moved, 6)
    expect(inMonth(12, 0)).toBeCloseTo((3 * gb - 10) * 0.015 + 9 * gb * 0.01 + moved, 6)
  })

  it('cost what is read of them, with nothing included', () => {
    const reads = 9 * 100_000 * 5
    expect(inMonth(12, 1) - inMonth(12, 0)).toBeCloseTo(9 * 100_000 * 0.188 * 0.01 + (reads / 1e6) * 0.9, 6)
  })

  it('save when they are rarely watched alone', () => {
    expect(inMonth(12, 0.25)).toBeLessThan(standard(12))
    expect(inMonth(12, 1)).toBeGreaterThan(standard(12))
  })
})

describe("Clerk's part", () => {
  it.each([
    [100, 20, 0],
    [101, 20, 25 + 1],
    [100, 21, 25 + 100],
    [10_000, 21, 25 + 9_900 + 100],
  ])("Clerk's part of %i organizations with at most %i members is $%i", (organizations, members, usd) => {
    expect(billClerk({ organizations, members })).toBe(usd)
  })
})

describe('the models of a day', () => {
  it('make about 50 trainings with their questions for the ceiling that a new deployment has', () => {
    const speech = 10 * 0.00051
    const steps = 4 * (1_400 * 0.293e-6 + 450 * 2.253e-6) + 5_000 * 0.293e-6 + 300 * 2.253e-6
    const questions = 10 * (6_900 * 0.293e-6 + 260 * 2.253e-6)
    expect(countModelsOfDay(2)).toEqual({
      asked: Math.floor(2 / (speech + steps + questions)),
      answered: Math.floor(1 / questions),
      unasked: Math.floor(2 / (speech + steps)),
    })
  })
})
