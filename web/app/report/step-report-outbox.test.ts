import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeRandomId } from '#web/features/learning/learner-id.ts'
import { type Delivery, readReported, StepReportOutbox, type WaitingReport } from './step-report-outbox.ts'

const LATER: Delivery = { kind: 'later', afterMs: 0 }
const DAY_MS = 24 * 60 * 60_000
const PLACE = { moduleId: 'm1', stepId: 's1' }
const placed = () => ({ ...PLACE, id: makeRandomId() })
const REPORT = { kind: 'wrong', text: 'It turns left.', photo: 'AAAA' } as const

const sent: WaitingReport[] = []
let answer: Delivery | Promise<Delivery>
const ends: (() => void)[] = []

/** The same browser opens a page. */
function openPage(who = 'anyone') {
  const outbox = new StepReportOutbox({
    who,
    send: async (report) => {
      sent.push(structuredClone(report))
      return answer
    },
  })
  const end = outbox.open()
  ends.push(end)
  return { outbox, end }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  sent.length = 0
  answer = { kind: 'taken' }
})

afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})

it('sends a report once, and remembers that this device did', async () => {
  const { outbox } = openPage()
  expect(await outbox.add(placed(), REPORT)).toBe('sent')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(sent).toMatchObject([{ ...PLACE, ...REPORT }])
  expect(readReported('m1')).toEqual([{ id: sent[0]?.id, stepId: 's1' }])
})

it('keeps a report without a network, and sends it once when there is one', { tags: 'asked-8' }, async () => {
  const { outbox } = openPage()
  answer = LATER
  expect(await outbox.add(placed(), REPORT)).toBe('waiting')
  answer = { kind: 'taken' }
  window.dispatchEvent(new Event('online'))
  await settle()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(sent).toHaveLength(2)
  expect(sent[1]?.id).toBe(sent[0]?.id)
})

it('leaves what was not sent to the next page, of whichever training, with its photo', async () => {
  const first = openPage()
  answer = LATER
  await first.outbox.add(placed(), REPORT)
  first.end()
  answer = { kind: 'taken' }
  openPage('user_else')
  await settle()
  expect(sent).toHaveLength(1)
  openPage()
  await settle()
  expect(sent[1]).toMatchObject({ ...PLACE, ...REPORT, id: sent[0]?.id })
  openPage()
  await settle()
  expect(sent).toHaveLength(2)
})

it('gives up what the server refuses, and keeps what is about a missing training for a week', async () => {
  const { outbox, end } = openPage()
  answer = { kind: 'refused' }
  expect(await outbox.add(placed(), REPORT)).toBe('refused')
  answer = { kind: 'missing' }
  expect(await outbox.add(placed(), REPORT)).toBe('limited')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(sent).toHaveLength(2)
  end()
  openPage()
  await settle()
  expect(sent).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(8 * DAY_MS)
  openPage()
  await settle()
  openPage()
  await settle()
  expect(sent).toHaveLength(4)
  expect(readReported('m1')).toEqual([])
})

it('passes over a report that reached a limit until that has passed, and sends dangers first', async () => {
  const { outbox } = openPage()
  const textsOf = () => sent.map(({ text }) => text)
  answer = { kind: 'later', afterMs: 3_600_000 }
  expect(await outbox.add(placed(), { ...REPORT, text: 'limited' })).toBe('limited')
  answer = LATER
  void outbox.add(placed(), { ...REPORT, text: 'unclear' })
  await settle()
  answer = { kind: 'taken' }
  void outbox.add(placed(), { ...REPORT, kind: 'dangerous', text: 'danger' })
  await settle()
  expect(textsOf()).toEqual(['limited', 'unclear', 'danger', 'unclear'])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(3_599_000)
  expect(sent).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(textsOf().slice(4)).toEqual(['limited'])
})

it('says at once that a report waits behind another one', async () => {
  const { outbox } = openPage()
  answer = LATER
  const both = [outbox.add(placed(), REPORT), outbox.add({ ...placed(), stepId: 's2' }, REPORT)]
  expect(await Promise.all(both)).toEqual(['waiting', 'waiting'])
})

it('sends from this page what the storage has no room for', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const { outbox } = openPage()
  const place = placed()
  answer = LATER
  expect(await outbox.add(place, REPORT)).toBe('unkept')
  answer = { kind: 'later', afterMs: 60_000 }
  expect(await outbox.add(place, { ...REPORT, text: 'Again.' })).toBe('unkept')
  answer = { kind: 'missing' }
  expect(await outbox.add(place, REPORT)).toBe('unkept')
  answer = LATER
  expect(await outbox.add(place, { ...REPORT, text: 'At last.' })).toBe('unkept')
  answer = { kind: 'taken' }
  window.dispatchEvent(new Event('online'))
  await settle()
  expect(sent).toHaveLength(5)
  expect(sent.at(-1)).toMatchObject({ id: place.id, text: 'At last.' })
  vi.restoreAllMocks()
})
