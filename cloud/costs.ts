import { SCREEN_READING_MAX_BYTES } from '#contract/screen.ts'
import {
  AI_PRICES,
  ANSWER_TOKENS,
  JUDGE_TOKENS_OUT,
  PRICES,
  QUESTIONS_SHARE,
  SCREEN_ROWS,
  SECTION_TOKENS,
  usdOfTokens,
} from '#worker/domain/quota/prices.ts'
import { SAMPLED_ONE_IN } from '#worker/log/log.ts'
import { LATER_VIEWS, MOVED_AFTER_DAYS, ORIGINAL_BYTES, RANGES_PER_VIEW } from './infrequent-access.ts'

export const MILLION = 1e6
export const GB = 1e9
const ROOM_GB = 0.128
const DAYS_PER_MONTH = 30
/** Months in which an original is still in standard storage where it is moved after that. */
const STANDARD_MONTHS = MOVED_AFTER_DAYS / DAYS_PER_MONTH

/**
 * One training of ten minutes, and what people do with it in its first month; in each later one it is watched
 * `LATER_VIEWS` times. In the database are 18 kB of the module itself (`npm run bench:storage`) and 24 kB in that of the
 * search, and of each view its learner and its part of a question.
 */
export const TRAINING = {
  minutes: 10,
  bytes: ORIGINAL_BYTES,
  /** Of the small copy: a screen at 400 kbit/s, and its audio. */
  smallBytes: 40e6,
  moduleBytes: 18e3,
  searchBytes: 24e3,
  viewBytes: 1_400,
  views: 30,
  questionsPerView: 1 / 3,
}
/**
 * What an hour of a video adds whose screen is read: saves of two minutes each, steps and lines that change, texts that its
 * owner corrects, and their bytes in the database. However long it is, one object stays in the bucket.
 */
const SCREEN_HOUR = { saves: 30, steps: 60, lines: 60, corrections: 24, bytes: 20e3 }
const { saves, steps, lines, corrections } = SCREEN_HOUR
export const SCREEN = {
  ...SCREEN_HOUR,
  objectBytes: SCREEN_READING_MAX_BYTES,
  rows:
    saves * SCREEN_ROWS.perSave +
    steps * SCREEN_ROWS.perStep +
    lines * SCREEN_ROWS.perLine +
    corrections * SCREEN_ROWS.perCorrection,
}
const SCREEN_SHARE = TRAINING.minutes / 60
/** A database of D1 holds no more. */
export const DATABASE_GB = 10
/** Sections of three minutes and one outline, which reads all of it again; an answer whose prompt is the whole transcript, and its judgement. */
const SECTIONS = 4
const STEPS_TOKENS = { in: SECTIONS * SECTION_TOKENS.in + 5_000, out: SECTIONS * SECTION_TOKENS.out + 300 }
const JUDGED_TOKENS = { in: ANSWER_TOKENS.in + 1_900, out: ANSWER_TOKENS.out + JUDGE_TOKENS_OUT }
/**
 * Calls and work of making it: upload parts, audio chunks, images, the small copy, the page that waits, and the screen. Each call of a model is paced:
 * a request to an object and a row that it writes. Those are 20 chunks, the sections and the outline.
 */
const MAKING = {
  requests: 153 + SCREEN_SHARE * (SCREEN.saves + SCREEN.corrections),
  cpuMs: 15_000,
  rows: 1_250 + SCREEN_SHARE * SCREEN.rows,
  writes: 93 + SCREEN_SHARE * SCREEN.saves,
  // Each save and each correction reads what was read before.
  reads: 90 + SCREEN_SHARE * 2 * (SCREEN.saves + SCREEN.corrections),
  messages: 30,
  rooms: 60,
  roomS: 60,
  paced: 20 + SECTIONS + 1,
}
/** The start of a session and the reports of ten minutes, as `web/features/learning/learning-log.test.ts` counts them. */
const REPORTS = 11
/**
 * Calls of one view: its reports, and some that the edge's cache stands before, each billed twice: as a call of the entry
 * and as one of the cache. Where the edge has nothing, the ranges of the video and half of the images are read from R2.
 */
const EDGE_CALLS = 30
const VIEW_REQUESTS = REPORTS + 2 * EDGE_CALLS
/** What a view writes no line for: calls of the edge's cache, and most reports and ranges, of which one in ten has one. */
const VIEW_UNLOGGED = EDGE_CALLS + (REPORTS + RANGES_PER_VIEW) * (1 - 1 / SAMPLED_ONE_IN)
const VIEW = {
  requests: VIEW_REQUESTS,
  cpuMs: VIEW_REQUESTS * 2,
  rows: REPORTS * 6,
  reads: RANGES_PER_VIEW + 7,
  rooms: 3,
  roomS: 1,
  paced: 0,
}
/** Both the answer and its judgement are paced. */
const QUESTION = { requests: 3, cpuMs: 150, rows: 30, rooms: 3, roomS: 6, paced: 2 }
const ROWS_READ_PER_REQUEST = 20
/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3
const SPANS_PER_REQUEST = 12

/** What is used beyond what the plan includes, at the price of a million. */
function bill(used: number, { included, perMillion }: { included: number; perMillion: number }): number {
  return (Math.max(0, used - included) / MILLION) * perMillion
}

/** What is kept for a month beyond what the plan includes. */
function billStored(gb: number, { included, perMonth }: { included: number; perMonth: number }): number {
  return Math.max(0, gb - included) * perMonth
}

/** Trainings, and how often they are watched. */
interface Use {
  /** That are made each month. */
  made: number
  /** Counts from 1. A training is uploaded on the first day of its month and kept. */
  month: number
}

/** Views in the month, and in all months up to it. */
function countViews({ made, month }: Use): { now: number; ever: number } {
  const later = month - 1
  return {
    now: made * (TRAINING.views + later * LATER_VIEWS),
    ever: made * (month * TRAINING.views + ((month * later) / 2) * LATER_VIEWS),
  }
}

/** What storing all originals costs in a month in standard storage, US dollars. */
export function standardUsd({ made, month }: Use): number {
  return billStored((made * month * TRAINING.bytes) / GB, PRICES.storedGb)
}

/** What storing all videos costs in a month, small copies among them, US dollars. */
export function storedUsd({ made, month }: Use): number {
  return billStored((made * month * (TRAINING.bytes + TRAINING.smallBytes)) / GB, PRICES.storedGb)
}

/** Computes the bill of a month at Cloudflare, US dollars by what they are for. */
export function billMonth(use: Use, sampling: number): Record<string, number> {
  const { made, month } = use
  const views = countViews(use)
  const questions = views.now * TRAINING.questionsPerView
  const sum = (field: keyof typeof QUESTION) =>
    made * MAKING[field] + views.now * VIEW[field] + questions * QUESTION[field]
  const requests = sum('requests')
  const kept = made * month
  const keptBytes = TRAINING.moduleBytes + TRAINING.searchBytes + SCREEN_SHARE * SCREEN.bytes
  const inDatabase = (kept * keptBytes + views.ever * TRAINING.viewBytes) / GB
  return {
    'Workers Paid': PRICES.planPerMonth,
    'Speech to text': made * TRAINING.minutes * AI_PRICES.perMinute,
    Steps: made * usdOfTokens(STEPS_TOKENS),
    'Answers of the tutor': questions * usdOfTokens(JUDGED_TOKENS),
    'Requests and processor time': bill(requests, PRICES.requests) + bill(sum('cpuMs'), PRICES.cpuMs),
    'Database (D1)':
      bill(sum('rows'), PRICES.rowsWritten) +
      bill(requests * ROWS_READ_PER_REQUEST, PRICES.rowsRead) +
      billStored(inDatabase, PRICES.databaseGb),
    'Videos stored (R2)': storedUsd(use),
    'Text of screens stored (R2)': ((kept * SCREEN.objectBytes) / GB) * PRICES.storedGb.perMonth,
    'Operations of the bucket (R2) and of queues':
      bill(made * MAKING.writes, PRICES.r2ClassA) +
      bill(made * MAKING.reads + views.now * VIEW.reads, PRICES.r2ClassB) +
      bill(made * MAKING.messages * OPERATIONS_PER_MESSAGE, PRICES.queueOperations),
    'Rooms and paces (Durable Objects)':
      bill(sum('rooms') + sum('paced'), PRICES.roomRequests) +
      bill(sum('roomS') * ROOM_GB, PRICES.roomGbS) +
      bill(sum('paced'), PRICES.rowsWritten),
    'Log lines and spans': bill(
      requests * (1 + sampling * SPANS_PER_REQUEST) - views.now * VIEW_UNLOGGED,
      PRICES.events,
    ),
  }
}

/**
 * Computes what storing the originals costs in a month when those that are old lie in Infrequent Access, with what is
 * read of them there and what is moved there, US dollars.
 * @param views of an old one in the month
 */
export function billRareOriginals({ made, month }: Use, views: number): number {
  const { rareStoredGb, rareClassA, rareClassB } = PRICES
  const old = made * Math.max(0, month - STANDARD_MONTHS)
  const moved = month > STANDARD_MONTHS ? made : 0
  const gbOf = (originals: number) => (originals * TRAINING.bytes) / GB
  return (
    billStored(gbOf(made * month - old), PRICES.storedGb) +
    billStored(gbOf(old), rareStoredGb) +
    gbOf(old * views) * rareStoredGb.perGbRead +
    bill(old * views * RANGES_PER_VIEW, rareClassB) +
    bill(moved, rareClassA)
  )
}

/**
 * List prices of Clerk in US dollars a month, and what needs no plan or add-on. Organizations count that two members or
 * more have used in the month; from some number on each is cheaper, by a list that could not be read.
 */
export const CLERK = {
  planPerMonth: 25,
  includedOrganizations: 100,
  perOrganization: 1,
  includedMembers: 20,
  addOnPerMonth: 100,
}
/** Trainings that one organization makes in a month. */
export const PER_ORGANIZATION = 10

/** Computes Clerk's bill of a month, US dollars. @param members of the largest organization */
export function billClerk({ organizations, members }: { organizations: number; members: number }): number {
  const beyond = Math.max(0, organizations - CLERK.includedOrganizations)
  const needsAddOn = members > CLERK.includedMembers
  const plan = beyond > 0 || needsAddOn ? CLERK.planPerMonth : 0
  return plan + beyond * CLERK.perOrganization + (needsAddOn ? CLERK.addOnPerMonth : 0)
}

/** What a sum for models pays for on one day, as numbers of trainings. */
export interface ModelsOfDay {
  /** With all of their questions, if these were not limited by themselves. */
  asked: number
  /** Whose questions fit into the share of the sum that questions may use. */
  answered: number
  /** Without a question. */
  unasked: number
}

/** Computes what models do for a sum of a day. @param usd `TOTAL_AI_USD_PER_DAY` */
export function countModelsOfDay(usd: number): ModelsOfDay {
  const making = TRAINING.minutes * AI_PRICES.perMinute + usdOfTokens(STEPS_TOKENS)
  const questions = TRAINING.views * TRAINING.questionsPerView * usdOfTokens(JUDGED_TOKENS)
  const count = (each: number, sum = usd) => Math.floor(sum / each)
  return {
    asked: count(making + questions),
    answered: count(questions, usd * QUESTIONS_SHARE),
    unasked: count(making),
  }
}
