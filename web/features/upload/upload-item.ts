import * as m from '#messages'
import { UploadError } from './upload-error.ts'
import type { Attempt } from './upload-video.ts'

/** How far the bytes of a file have come. */
export interface Transfer {
  sentBytes: number
  /** Null while there are too few samples. */
  bytesPerSecond: number | null
  /** Null while it cannot be estimated. */
  leftMs: number | null
}

/**
 * What the next press of the row's button does: sends the file again, sends the rest of it, asks for the confirmation
 * that is missing, or sends it as it is in spite of what was said about it.
 */
export type NextTry = 'none' | 'again' | 'continue' | 'confirm' | 'force'

/** What an upload is doing. Percents are whole numbers. @see specification §4 */
export type UploadState =
  /** Picked, and not sent. `detail` says why, where there is a reason. */
  | { kind: 'idle'; detail: string | null }
  /** The file is looked into. */
  | { kind: 'checking' }
  /** The file has a fault with which it can be sent: the person decides. */
  | { kind: 'doubtful'; message: string; detail: string; canConvert: boolean }
  /** `transfer` is null until the first bytes are counted. */
  | {
      kind: 'sending'
      percent: number
      transfer: Transfer | null
      canPause: boolean
      isPaused: boolean
      hasAudio: boolean
    }
  /** A video that everybody can watch is made of the file. `leftMs` is null while it cannot be estimated. */
  | { kind: 'converting'; percent: number; leftMs: number | null; hasAudio: boolean }
  /** All bytes have arrived, and the server checks them. */
  | { kind: 'confirming' }
  | { kind: 'done' }
  /** `message` names what failed in the specification's words, `detail` says why and what to do. */
  | { kind: 'failed'; message: string; detail: string; next: NextTry; canConvert: boolean }
  | { kind: 'canceled' }

export type UploadKind = UploadState['kind']

export interface UploadItem {
  id: string
  /** What the person picked; null for an upload of which only the confirmation is missing. */
  picked: File | null
  /** What is sent: the picked file, or what was made of it. */
  file: File | null
  name: string
  /** Of what is sent. */
  sizeBytes: number
  /** The training whose video it is to replace, as it was picked; null for a training of its own. */
  replaces: string | null
  /** What the server knows of it; null until there is a module. */
  attempt: Attempt | null
  state: UploadState
}

/** What happens to an upload. */
export type UploadEvent =
  /** The person wants it sent. */
  | { type: 'start' }
  /** All its bytes had arrived before. */
  | { type: 'start-confirming' }
  | { type: 'doubt'; message: string; detail: string; canConvert: boolean }
  /** The server has made a module for it, or has found it. */
  | { type: 'register'; attempt: Attempt; canPause: boolean }
  | { type: 'send'; percent: number; transfer: Transfer }
  | { type: 'pause'; isPaused: boolean; transfer: Transfer }
  /** The audio has arrived ahead of the video, so its steps are being made. */
  | { type: 'send-audio' }
  | { type: 'convert'; percent: number; leftMs: number | null }
  /** This file takes the place of the picked one. */
  | { type: 'replace-file'; file: File }
  | { type: 'store' }
  | { type: 'confirm' }
  | { type: 'fail'; message: string; detail: string; next: NextTry; canConvert: boolean }
  | { type: 'cancel' }

const START_PERCENT = 5
const MAX_BEFORE_CONFIRMED_PERCENT = 99

export function makeItem(picked: File, state: UploadState = { kind: 'idle', detail: null }): UploadItem {
  const { name, size: sizeBytes } = picked
  return { id: crypto.randomUUID(), picked, file: picked, name, sizeBytes, replaces: null, attempt: null, state }
}

/** Share of the bytes, from 5 until the server has confirmed. @see specification §9 */
export function percentSent(sentBytes: number, sizeBytes: number): number {
  const percent = sizeBytes > 0 ? Math.round((sentBytes / sizeBytes) * 100) : 0
  return Math.min(MAX_BEFORE_CONFIRMED_PERCENT, Math.max(START_PERCENT, percent))
}

type StateOf<Kind extends UploadKind> = Extract<UploadState, { kind: Kind }>
type EventOf<Type extends UploadEvent['type']> = Extract<UploadEvent, { type: Type }>
type Transitions = {
  [Kind in UploadKind]: {
    [Type in UploadEvent['type']]?: (state: StateOf<Kind>, event: EventOf<Type>) => UploadState
  }
}

const CHECKING: UploadState = { kind: 'checking' }
const CONFIRMING: UploadState = { kind: 'confirming' }
const begin = { start: () => CHECKING, 'start-confirming': () => CONFIRMING }
const fail = (_: UploadState, { type: _type, ...failure }: EventOf<'fail'>): UploadState => ({
  kind: 'failed',
  ...failure,
})
const stop = { fail, cancel: (): UploadState => ({ kind: 'canceled' }) }

/** What follows on an event; one that a state does not list leaves it as it is. */
const TRANSITIONS: Transitions = {
  idle: begin,
  doubtful: begin,
  failed: begin,
  canceled: begin,
  checking: {
    ...stop,
    doubt: (_, { type: _type, ...doubt }) => ({ kind: 'doubtful', ...doubt }),
    register: (_, { canPause }) => ({
      kind: 'sending',
      percent: START_PERCENT,
      transfer: null,
      canPause,
      isPaused: false,
      hasAudio: false,
    }),
  },
  sending: {
    ...stop,
    send: (state, { percent, transfer }) => ({ ...state, percent, transfer }),
    pause: (state, { isPaused, transfer }) => ({ ...state, isPaused, transfer }),
    'send-audio': (state) => ({ ...state, hasAudio: true }),
    convert: ({ hasAudio }, { percent, leftMs }) => ({ kind: 'converting', percent, leftMs, hasAudio }),
    store: () => CONFIRMING,
  },
  converting: {
    ...stop,
    'send-audio': (state) => ({ ...state, hasAudio: true }),
    convert: (state, { percent, leftMs }) => ({ ...state, percent, leftMs }),
    'replace-file': ({ hasAudio }) => ({
      kind: 'sending',
      percent: START_PERCENT,
      transfer: null,
      canPause: true,
      isPaused: false,
      hasAudio,
    }),
  },
  // The server may have taken it already, so it can no longer be canceled.
  confirming: { fail, confirm: () => ({ kind: 'done' }) },
  done: {},
}

/** Moves an upload on. @returns the same item where the event means nothing to its state */
export function moveUpload(item: UploadItem, event: UploadEvent): UploadItem {
  // A state's own row takes that state, which a lookup by a union does not show.
  const row = TRANSITIONS[item.state.kind] as Partial<Record<UploadEvent['type'], Move>>
  const state = row[event.type]?.(item.state, event)
  return state === undefined ? item : { ...item, ...changeFile(item, event), state }
}

type Move = (state: UploadState, event: UploadEvent) => UploadState

function changeFile({ picked }: UploadItem, event: UploadEvent): Partial<UploadItem> {
  if (event.type === 'register') return { attempt: event.attempt }
  if (event.type === 'replace-file') return { file: event.file, sizeBytes: event.file.size }
  if (event.type === 'cancel') return { file: picked, attempt: null, ...(picked && { sizeBytes: picked.size }) }
  return {}
}

/** How an upload ends that throws. `canConvert` where the file may be converted once more. */
export function failureOf(error: unknown, next: NextTry): EventOf<'fail'> {
  const isUploadError = error instanceof UploadError
  const message = isUploadError ? error.message : m.upload_failed()
  const detail = isUploadError ? error.detail : m.unexpected_try_again()
  return { type: 'fail', message, detail, next, canConvert: next === 'force' }
}

/** Bytes are on their way, or are about to be. */
export function isUploading({ kind }: UploadState): boolean {
  return kind === 'checking' || kind === 'sending' || kind === 'converting'
}

/** Nothing else can be uploaded meanwhile. */
export function isBusy(state: UploadState): boolean {
  return isUploading(state) || state.kind === 'confirming'
}

/** What the row shows: of the conversion while there is one, else of the upload. Null where nothing is on its way. */
export function percentOf(state: UploadState): number | null {
  if (state.kind === 'checking') return START_PERCENT
  if (state.kind === 'confirming') return MAX_BEFORE_CONFIRMED_PERCENT
  return state.kind === 'sending' || state.kind === 'converting' ? state.percent : null
}

export function nextTryOf(state: UploadState): NextTry {
  if (state.kind === 'failed') return state.next
  if (state.kind === 'doubtful') return 'force'
  return state.kind === 'canceled' ? 'again' : 'none'
}

/** Why it is as it is, and what to do; null where there is nothing to say. */
export function detailOf(state: UploadState): string | null {
  if (state.kind === 'canceled') return m.nothing_was_kept()
  return 'detail' in state ? state.detail : null
}
