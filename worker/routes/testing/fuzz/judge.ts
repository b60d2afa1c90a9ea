import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import { Problem } from '#contract/problem.ts'
import { ROUTES } from '../route-table.ts'
import type { Case } from './cases.ts'

export interface Answered {
  /** 0 where the connection ended without an answer; `text` then says why. */
  status: number
  headers: Headers
  text: string
  tookMs: number
}

/** What only a fault of the server would expose: names of internal parts, and lines of a stack. */
const INTERNAL = [
  /\b(?:SQLITE_[A-Z]{4}|D1_[A-Z]{4})|DrizzleQuery|no such (?:table|column)|constraint failed/,
  /\bat (?:async )?[\w.<>]+ \(?(?:file|https?|node|worker|cloudflare):/,
  /file:\/\/\/(?!etc\/passwd)|node_modules|\.ts:\d+/,
  /\b(?:Type|Reference|Range|Syntax|Zod|URI|Assertion)Error\b/,
  /Cannot read propert|is not a function|is not iterable|Maximum call stack/,
]

const LONG_WORDS = /[\w-]{20,}/g
const CHARACTERS_OF_IDS = [/\d/, /[a-z]/, /[A-Z]/]

/** A browser gives up then. */
const LONGEST_MS = REQUEST_TIMEOUT_MS

/** What is wrong with the answer to a case, a sentence each; none when it is as it should be. */
export function judge(asked: Asked, answer: Answered): string[] {
  if (answer.status === 0) return [`gave no answer: ${answer.text}`]
  const text = withoutIds(answer.text)
  const leak = INTERNAL.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
  const faults: string[] = []
  if (leak !== undefined) faults.push(`exposes internals: ${leak}`)
  if (answer.tookMs > LONGEST_MS) faults.push(`took ${Math.round(answer.tookMs)} ms`)
  const isLack = answer.status === 501 && ROUTES[asked.route]?.mayLack
  if (answer.status >= 500 && !isLack) faults.push(`answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  else if (answer.status >= 400) faults.push(...judgeRefusal(asked, answer))
  else faults.push(...judgeSuccess(asked, answer))
  return faults
}

/** Without ids, tickets and signatures, in which any letters may stand together. */
function withoutIds(text: string): string {
  const isId = (word: string) => CHARACTERS_OF_IDS.every((character) => character.test(word))
  return text.replaceAll(LONG_WORDS, (word) => (isId(word) ? 'ID' : word))
}

/** Where people who read an address are shown a page instead of a problem document, also in the place of a file. */
const FAILS_AS_PAGE = /^GET \/(?:share|embed)\//

type Asked = Pick<Case, 'route' | 'method'>

function judgeRefusal({ route, method }: Asked, { status, headers, text }: Answered): string[] {
  const type = headers.get('content-type') ?? ''
  if (FAILS_AS_PAGE.test(route) && [403, 404, 410, 429].includes(status) && type.startsWith('text/html')) return []
  if (type !== 'application/problem+json') return [`answered ${status} as "${type}", which is no problem document`]
  // An answer to HEAD has no body.
  if (method === 'HEAD') return []
  const problem = Problem.safeParse(parse(text))
  if (!problem.success) return [`answered ${status} without a problem document: ${text.slice(0, 200)}`]
  return problem.data.status === status ? [] : [`answered ${status} and says ${problem.data.status}`]
}

function judgeSuccess({ route, method }: Asked, { status, headers, text }: Answered): string[] {
  const answers = ROUTES[route]?.answer
  const isJson = (headers.get('content-type') ?? '').startsWith('application/json')
  const isAnswer = status === 200 && isJson && route.startsWith(`${method} `)
  if (answers === undefined || !isAnswer) return []
  const parsed = answers.safeParse(parse(text))
  const [issue] = parsed.error?.issues ?? []
  return issue === undefined
    ? []
    : [`answered what the contract does not know: ${issue.path.join('.')}: ${issue.message}`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
