import { describe, expect, it } from 'vitest'
import {
  makeItem,
  moveUpload,
  percentSent,
  type UploadEvent,
  type UploadItem,
  type UploadKind,
  type UploadState,
} from './upload-item.ts'

const TRANSFER = { sentBytes: 1, bytesPerSecond: null, leftMs: null }
const ATTEMPT = { moduleId: 'm1', key: 'k', uploadUrl: null, sizeBytes: 3, plan: null, arrived: [] }
const TEXT = { message: 'Why', detail: 'What to do', canConvert: false }
const MADE = new File(['converted'], 'made.mp4')

const STATES: { [Kind in UploadKind]: Extract<UploadState, { kind: Kind }> } = {
  idle: { kind: 'idle', detail: null },
  checking: { kind: 'checking' },
  doubtful: { kind: 'doubtful', ...TEXT },
  sending: { kind: 'sending', percent: 5, transfer: null, canPause: true, isPaused: false, hasAudio: true },
  converting: { kind: 'converting', percent: 1, leftMs: null, hasAudio: true },
  confirming: { kind: 'confirming' },
  done: { kind: 'done' },
  failed: { kind: 'failed', ...TEXT, next: 'again' },
  canceled: { kind: 'canceled' },
}

const EVENTS: { [Type in UploadEvent['type']]: Extract<UploadEvent, { type: Type }> } = {
  start: { type: 'start' },
  'start-confirming': { type: 'start-confirming' },
  doubt: { type: 'doubt', ...TEXT },
  register: { type: 'register', attempt: ATTEMPT, canPause: true },
  send: { type: 'send', percent: 50, transfer: TRANSFER },
  pause: { type: 'pause', isPaused: true, transfer: TRANSFER },
  'send-audio': { type: 'send-audio' },
  convert: { type: 'convert', percent: 10, leftMs: 1_000 },
  'replace-file': { type: 'replace-file', file: MADE },
  store: { type: 'store' },
  confirm: { type: 'confirm' },
  fail: { type: 'fail', ...TEXT, next: 'continue' },
  cancel: { type: 'cancel' },
}

/** A row per event: what each state becomes. A dot: it stays as it is, and so does the item. */
const TABLE = `
                 idle       checking   doubtful   sending    converting  confirming  done  failed      canceled
start            checking   .          checking   .          .           .           .     checking    checking
start-confirming confirming .          confirming .          .           .           .     confirming  confirming
doubt            .          doubtful   .          .          .           .           .     .           .
register         .          sending    .          .          .           .           .     .           .
send             .          .          .          sending    .           .           .     .           .
pause            .          .          .          sending    .           .           .     .           .
send-audio       .          .          .          sending    converting  .           .     .           .
convert          .          .          .          converting converting  .           .     .           .
replace-file     .          .          .          .          sending     .           .     .           .
store            .          .          .          confirming .           .           .     .           .
confirm          .          .          .          .          .           done        .     .           .
fail             .          failed     .          failed     failed      failed      .     .           .
cancel           .          canceled   .          canceled   canceled    .           .     .           .
`

const [kinds = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/))
const cases = rows.flatMap(([type = '', ...ends]) => ends.map((end, at) => [type, kinds[at] ?? '', end] as const))

function makeIn(state: UploadState): UploadItem {
  return { ...makeItem(new File(['abc'], 'talk.mp4')), state }
}

describe('moveUpload', () => {
  it('is asked about every event in every state', () => {
    expect(kinds).toEqual(Object.keys(STATES).toSorted((a, b) => kinds.indexOf(a) - kinds.indexOf(b)))
    expect(rows.map(([type]) => type)).toEqual(Object.keys(EVENTS))
    expect(cases).toHaveLength(kinds.length * rows.length)
  })

  it.each(cases)('"%s" makes "%s" into "%s"', (type, kind, end) => {
    const item = makeIn(STATES[kind as UploadKind])
    const moved = moveUpload(item, EVENTS[type as UploadEvent['type']])
    if (end === '.') expect(moved).toBe(item)
    else expect(moved.state.kind).toBe(end)
  })

  it('keeps what the server knows of it, until it is canceled', () => {
    const sent = moveUpload(makeIn(STATES.checking), EVENTS.register)
    expect(moveUpload(sent, EVENTS.fail)).toMatchObject({ attempt: ATTEMPT, state: { next: 'continue' } })
    expect(moveUpload(sent, EVENTS.cancel).attempt).toBeNull()
  })

  it('sends the converted file, and goes back to the picked one with a cancel', () => {
    const replaced = moveUpload(makeIn(STATES.converting), EVENTS['replace-file'])
    expect(replaced).toMatchObject({ file: MADE, sizeBytes: MADE.size, state: { canPause: true, hasAudio: true } })
    expect(moveUpload(replaced, EVENTS.cancel)).toMatchObject({ file: replaced.picked, sizeBytes: 3 })
  })
})

describe('percentSent', () => {
  it.each([
    [0, 1000, 5],
    [50, 1000, 5],
    [60, 1000, 6],
    [500, 1000, 50],
    [990, 1000, 99],
    [1000, 1000, 99],
    [0, 0, 5],
  ])('%i of %i bytes are %i percent', { tags: 'spec-9.8' }, (sent, size, percent) =>
    expect(percentSent(sent, size)).toBe(percent),
  )
})
