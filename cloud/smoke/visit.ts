import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { type DebugRun, DebugTimelineAnswer, Health } from '#contract/debug.ts'
import { type Module, ModuleAnswer } from '#contract/module.ts'
import { Problem } from '#contract/problem.ts'
import { describeOther } from '../live.ts'
import type { CatalogueModel, ConfiguredModels } from '../models.ts'
import type { Person } from './person.ts'

const CALL_TIMEOUT_MS = 30_000
export const POLL_MS = 1_000

/** Says that something is not there to be checked, which is no failure. */
export class LeftOut extends Error {}

/** What the checks of one run know. */
export interface Visit {
  origin: string
  /** Whether it is `npm start` of this machine, which has no account and mostly no language model. */
  isHere: boolean
  /** Nothing was deployed there before. */
  isFirst: boolean
  /** Of this clone. */
  commit: string
  /** Null where no person can be signed in. */
  openPerson: (() => Promise<Person>) | null
  /** How long a socket is left alone before it has to deliver, milliseconds. */
  idleMs: number
  /** Videos to send at once. */
  load: number
  /** Models of Workers AI that are configured, by what they do. */
  models: ConfiguredModels
  /** Asks Cloudflare for its catalogue of models; null where the account is not known, null as an answer where it may not be asked. */
  listModels: (() => Promise<CatalogueModel[] | null>) | null
  person: Person | null
  /** Of the video that was uploaded; empty before. */
  moduleId: string
  key: string
  /** How far the worker's clock is from the one of this machine; null until it has signed an address. */
  workerOffMs: number | null
  /** Whether the recogniser's words begin with blanks; null until it gave words. */
  hasBlanks: boolean | null
  /** The type of audio that the speech service took when it was sent an M4A; null until it has taken one. */
  aacTakenAs: string | null
}

/** One line of the run. */
export interface Check {
  name: string
  /** What its failure means, and what to do. */
  advice: string
  /** @returns what is true, in a few words @throws {LeftOut} */
  run: (visit: Visit) => Promise<string>
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

interface Call {
  method?: string
  json?: unknown
  body?: BodyInit
  type?: string
}

export async function call({ origin, person }: Visit, path: string, { json, type, method, ...rest }: Call = {}) {
  const token = await person?.token()
  const body = json === undefined ? rest.body : JSON.stringify(json)
  const contentType = json === undefined ? type : 'application/json'
  return fetch(origin + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  })
}

export async function expectOk(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const text = await answer.text()
  const other = { status: answer.status, type: answer.headers.get('content-type') ?? '' }
  if (other.type.startsWith('text/html'))
    throw new Error(`${new URL(answer.url).pathname} answered ${describeOther(other)}`)
  const { code, detail, requestId } = parseProblem(text) ?? { code: '', detail: text.slice(0, 300), requestId: '' }
  throw new Error(`${new URL(answer.url).pathname} answered ${answer.status} ${code}: ${detail} ${requestId}`.trim())
}

export function parseProblem(text: string): Problem | null {
  try {
    return Problem.parse(JSON.parse(text))
  } catch {
    // Something else than Adapt answered, such as R2 in XML.
    return null
  }
}

export async function read<Shape extends z.ZodType>(shape: Shape, answer: Response): Promise<z.infer<Shape>> {
  return parseAnswer(shape, await expectOk(answer))
}

async function parseAnswer<Shape extends z.ZodType>(shape: Shape, answer: Response): Promise<z.infer<Shape>> {
  const { data } = shape.safeParse(await answer.json().catch(() => null))
  if (data === undefined) throw new Error(`${new URL(answer.url).pathname} answered, but not as Adapt does`)
  return data
}

/** How far the newest run of a module is; null before its first. */
export async function readRun(visit: Visit, moduleId: string): Promise<DebugRun | null> {
  const { runs } = await read(DebugTimelineAnswer, await call(visit, `/api/debug/modules/${moduleId}`))
  return runs[0] ?? null
}

/** Asks again and again, once a second. @returns the first answer that counts; null when there was none in time */
export async function waitFor<Answer>(withinMs: number, ask: () => Promise<Answer | null>): Promise<Answer | null> {
  const untilMs = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== null || Date.now() > untilMs) return answer
    await pause(POLL_MS)
  }
}

/** An Adapt that is not well answers 503, and says why. */
export async function readHealth(visit: Visit): Promise<Health> {
  const answer = await call(visit, '/api/health')
  return answer.status === 503 ? parseAnswer(Health, answer) : read(Health, answer)
}

export function requirePerson({ person }: Visit): Person {
  if (person === null) throw new LeftOut('no person is signed in')
  return person
}

export function requireUpload(visit: Visit): { moduleId: string; key: string } {
  if (visit.key === '') throw new LeftOut('no video was uploaded')
  return visit
}

export async function poll(visit: Visit, withinMs: number, isReached: (module: Module) => boolean) {
  const untilMs = Date.now() + withinMs
  for (;;) {
    const { module } = await read(ModuleAnswer, await call(visit, `/api/modules/${visit.moduleId}`))
    if (isReached(module)) return module
    if (Date.now() > untilMs)
      throw new Error(`after ${seconds(withinMs)} it is ${module.status} at ${module.progress} %: ${module.message}`)
    await pause(POLL_MS)
  }
}
