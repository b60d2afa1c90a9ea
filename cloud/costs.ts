// Writes what a month costs into docs/deploy.md (`--write`, part of `npm run generate:docs`), or refuses a table that is
// not as the prices, limits and assumptions of today give it (`npm run check:docs`).
import { readFileSync, writeFileSync } from 'node:fs'
import {
  AI_PRICES,
  ANSWER_TOKENS,
  JUDGE_TOKENS_OUT,
  PRICES,
  SECTION_TOKENS,
  usdOfTokens,
} from '#worker/domain/quota/prices.ts'
import { refuse } from '../checks/check.ts'
import { readBaseConfig } from './make-config.ts'

const DOCUMENT = 'docs/deploy.md'
const VIDEOS = [100, 1_000, 10_000]
const MILLION = 1e6
const GB = 1e9
const ROOM_GB = 0.128

/**
 * One video of ten minutes at 2.5 Mbit/s, and what people do with it in its month. In the database are 18 kB of the module
 * itself (`npm run bench:storage`), its learners and questions, and in that of the search 24 kB.
 */
const VIDEO = { minutes: 10, bytes: 188e6, databaseBytes: 84e3, views: 30, questions: 10 }
/** Sections of three minutes and one outline, which reads all of it again; an answer whose prompt is the whole transcript, and its judgement. */
const SECTIONS = 4
const STEPS_TOKENS = { in: SECTIONS * SECTION_TOKENS.in + 5_000, out: SECTIONS * SECTION_TOKENS.out + 300 }
const JUDGED_TOKENS = { in: ANSWER_TOKENS.in + 1_900, out: ANSWER_TOKENS.out + JUDGE_TOKENS_OUT }
/**
 * Calls and work of making it: upload parts, audio chunks, images, and the page that waits. Each call of a model is paced:
 * a request to an object and a row that it writes. Those are 20 chunks, the sections and the outline.
 */
const MAKING = {
  requests: 150,
  cpuMs: 15_000,
  rows: 1_240,
  writes: 90,
  reads: 90,
  messages: 30,
  rooms: 60,
  roomS: 60,
  paced: 20 + SECTIONS + 1,
}
/** The start of a session and the reports of ten minutes, as `web/features/learning/learning-log.test.ts` counts them. */
const REPORTS = 11
/**
 * Calls of one view: its reports, and 30 that the edge's cache stands before, each billed twice: as a call of the entry
 * and as one of the cache. Where the edge has nothing, five ranges and half of the images are read from R2.
 */
const VIEW_REQUESTS = REPORTS + 2 * 30
const VIEW = {
  requests: VIEW_REQUESTS,
  cpuMs: VIEW_REQUESTS * 2,
  rows: REPORTS * 6,
  reads: 12,
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

/** Computes the bill of a month in which so many videos are made, US dollars by what they are for. */
export function billMonth(videos: number, sampling: number): Record<string, number> {
  const views = videos * VIDEO.views
  const questions = videos * VIDEO.questions
  const sum = (field: keyof typeof QUESTION) =>
    videos * MAKING[field] + views * VIEW[field] + questions * QUESTION[field]
  const requests = sum('requests')
  const { storedGb, databaseGb } = PRICES
  const stored = Math.max(0, (videos * VIDEO.bytes) / GB - storedGb.included) * storedGb.perMonth
  const inDatabase = Math.max(0, (videos * VIDEO.databaseBytes) / GB - databaseGb.included) * databaseGb.perMonth
  return {
    'Workers Paid': PRICES.planPerMonth,
    'Speech to text': videos * VIDEO.minutes * AI_PRICES.perMinute,
    Steps: videos * usdOfTokens(STEPS_TOKENS),
    'Answers of the tutor': questions * usdOfTokens(JUDGED_TOKENS),
    'Requests and processor time': bill(requests, PRICES.requests) + bill(sum('cpuMs'), PRICES.cpuMs),
    'Database (D1)':
      bill(sum('rows'), PRICES.rowsWritten) + bill(requests * ROWS_READ_PER_REQUEST, PRICES.rowsRead) + inDatabase,
    'Videos stored (R2)': stored,
    'Operations of the bucket (R2)':
      bill(videos * MAKING.writes, PRICES.r2ClassA) + bill(videos * MAKING.reads + views * VIEW.reads, PRICES.r2ClassB),
    Queues: bill(videos * MAKING.messages * OPERATIONS_PER_MESSAGE, PRICES.queueOperations),
    'Rooms and paces (Durable Objects)':
      bill(sum('rooms') + sum('paced'), PRICES.roomRequests) +
      bill(sum('roomS') * ROOM_GB, PRICES.roomGbS) +
      bill(sum('paced'), PRICES.rowsWritten),
    'Log lines and spans': bill(requests * (1 + sampling * SPANS_PER_REQUEST), PRICES.events),
  }
}

/** Writes the table of a month, and what no limit of Adapt bounds. */
export function writeCosts({ observability, ratelimits }: ReturnType<typeof readBaseConfig>): string {
  const bills = VIDEOS.map((videos) => billMonth(videos, observability?.traces?.head_sampling_rate ?? 1))
  const row = (name: string, values: readonly string[]) => `| ${[name, ...values].join(' | ')} |`
  const sums = bills.map((each) => Object.values(each).reduce((sum, usd) => sum + usd, 0))
  const format = (usd: number) => usd.toFixed(2)
  const ofEach = Object.keys(bills[0] ?? {}).map((name) =>
    row(
      name,
      bills.map((each) => format(each[name] ?? 0)),
    ),
  )
  const perMinute = ratelimits?.find(({ name }) => name === 'LINK_LIMIT')?.simple.limit ?? 0
  const calls = 100 * perMinute * 24 * 60
  const inMillions = (price: number) => `$${Math.ceil((calls / MILLION) * price)}`
  return [
    row(
      'US dollars a month',
      VIDEOS.map((videos) => `${videos.toLocaleString('en')} videos`),
    ),
    `|---|${VIDEOS.map(() => '---:|').join('')}`,
    ...ofEach,
    row(
      '**Together**',
      sums.map((usd) => `**${format(usd)}**`),
    ),
    '',
    `A video has ${VIDEO.minutes} minutes and ${VIDEO.bytes / MILLION} MB, is watched ${VIDEO.views} times to its end and asked about ${VIDEO.questions} times in its month; each month that it is kept costs its storage again, ${((VIDEO.bytes / GB) * PRICES.storedGb.perMonth).toFixed(4)} $.`,
    '',
    `No limit of Adapt bounds requests: a hundred addresses that call as often as \`LINK_LIMIT\` allows send ${Math.round(calls / MILLION)} million on one day, ${inMillions(PRICES.requests.perMillion)}, twice that where the edge's cache stands before the answer, and as many reads of the bucket ${inMillions(PRICES.r2ClassB.perMillion)}, as many log lines ${inMillions(PRICES.events.perMillion)}.`,
  ].join('\n')
}

const PART = /(<!-- costs -->\n)[^]*?(\n<!-- end of costs -->)/

/** Puts the table of today between its marks. */
export function fillCosts(document: string, costs: string): string {
  return document.replace(PART, (_, begin: string, end: string) => `${begin}${costs}${end}`)
}

if (import.meta.main) {
  const document = readFileSync(DOCUMENT, 'utf8')
  const filled = fillCosts(document, writeCosts(readBaseConfig()))
  if (process.argv.includes('--write')) writeFileSync(DOCUMENT, filled)
  else refuse(filled === document ? [] : [`${DOCUMENT}: the costs are not as \`npm run generate:docs\` writes them`])
}
