import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Environment } from './start-config.ts'

/** A model behind an address with OpenAI's API. */
interface LanguageModel {
  baseUrl: string
  model: string
}

/** A model that a server of this machine has, with as many parameters as its metadata or its name say. */
interface OfferedModel extends LanguageModel {
  /** The program that serves it. */
  server: string
  parameters: number
}

/** A program that serves models on this machine, at the port that it takes by itself. */
interface ModelServer {
  name: string
  origin: string
  /** Lists its models. */
  path: string
  read: (answer: unknown) => { id: string; parameters: number }[]
}

/** Smaller ones write steps and answers that the product has to throw away. */
const PARAMETERS_MIN = 3e9
/** A server of this machine that does not answer by then is none. */
const PROBE_MS = 800
/** A model may have to be loaded first; one that takes longer keeps trainers waiting for each section. */
const FIRST_ANSWER_MS = 60_000

/** Models that continue text or measure it, and follow no instruction. */
const NOT_FOR_CHAT = /embed|rerank|whisper|-base\b|-text\b|\bbase$/i

const OllamaTags = z.object({
  models: z.array(z.object({ name: z.string(), details: z.object({ parameter_size: z.string().default('') }) })),
})
const LmStudioModels = z.object({ data: z.array(z.object({ id: z.string(), type: z.string().default('llm') })) })
const LlamaModels = z.object({
  data: z.array(z.object({ id: z.string(), meta: z.object({ n_params: z.number() }).nullish() })),
})

/** "8.0B" or "llama-3.2-3b-instruct" as a number; 0 where nothing is said. */
function readParameters(text: string): number {
  const [, number, unit = ''] = /(\d+(?:\.\d+)?)\s*([bm])\b/i.exec(text) ?? []
  return number === undefined ? 0 : Number(number) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6)
}

const SERVERS: readonly ModelServer[] = [
  {
    name: 'Ollama',
    origin: 'http://127.0.0.1:11434',
    path: '/api/tags',
    read: (answer) =>
      OllamaTags.parse(answer).models.map(({ name, details }) => ({
        id: name,
        parameters: readParameters(details.parameter_size) || readParameters(name),
      })),
  },
  {
    name: 'LM Studio',
    origin: 'http://127.0.0.1:1234',
    path: '/api/v0/models',
    read: (answer) =>
      LmStudioModels.parse(answer)
        .data.filter(({ type }) => type !== 'embeddings')
        .map(({ id }) => ({ id, parameters: readParameters(id) })),
  },
  {
    name: 'llama.cpp',
    origin: 'http://127.0.0.1:8080',
    path: '/v1/models',
    read: (answer) =>
      LlamaModels.parse(answer).data.map(({ id, meta }) => ({ id, parameters: meta?.n_params ?? readParameters(id) })),
  },
]

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

interface FindModel {
  env: Environment
  stateDir: string
  /** Shows a line to the person who runs Adapt. */
  show: (line: string) => void
  fetch?: Fetch
}

/**
 * Chooses the language model of a run. One that the environment names is used, and its address is remembered as
 * confirmed. Without one, a model of a confirmed address is used again where it answers; of other servers of this
 * machine the largest model is only offered.
 * @returns null where steps and answers are written without a model
 */
export async function findLanguageModel({
  env,
  stateDir,
  show,
  fetch = globalThis.fetch,
}: FindModel): Promise<LanguageModel | null> {
  const confirmed = join(stateDir, 'language-model.json')
  const { LANGUAGE_BASE_URL: baseUrl = '', LANGUAGE_MODEL: model = '' } = env
  if (baseUrl === 'off') {
    rmSync(confirmed, { force: true })
    return null
  }
  if (baseUrl !== '') {
    writeFileSync(confirmed, JSON.stringify({ baseUrl, model }))
    return { baseUrl, model }
  }
  const known = readConfirmed(confirmed)
  if (known !== null) return useAgain(known, { show, fetch })
  const offered = await findLargest(fetch)
  if (offered !== null)
    show(
      `${offered.server} has ${offered.model}. To have it write steps and answers: LANGUAGE_BASE_URL=${offered.baseUrl} LANGUAGE_MODEL=${offered.model} npm start`,
    )
  return null
}

const Confirmed = z.object({ baseUrl: z.url(), model: z.string() })

/** Null where none was confirmed, or the file was written by something else. */
function readConfirmed(path: string): LanguageModel | null {
  if (!existsSync(path)) return null
  try {
    return Confirmed.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

async function useAgain(known: LanguageModel, { show, fetch }: Required<Pick<FindModel, 'show' | 'fetch'>>) {
  const fault = await findFault(known, fetch)
  if (fault === null) {
    show(`${known.model} at ${known.baseUrl} writes steps and answers, as last time; LANGUAGE_BASE_URL=off ends that.`)
    return known
  }
  show(`Steps and answers are written without a model: ${known.model} at ${known.baseUrl} ${fault}.`)
  return null
}

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

/** Has a model answer once, which also loads it. @returns why it is of no use; null where it is */
async function findFault({ baseUrl, model }: LanguageModel, fetch: Fetch): Promise<string | null> {
  const messages = [{ role: 'user', content: 'Reply with this JSON object and nothing else: {"sum": 4}' }]
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, max_tokens: 40, temperature: 0 }),
      signal: AbortSignal.timeout(FIRST_ANSWER_MS),
    })
    if (!response.ok) return `answers with status ${response.status}`
    const { choices } = Completion.parse(await response.json())
    return /\{\s*"sum"\s*:\s*4\s*\}/.test(choices[0]?.message.content ?? '') ? null : 'does not follow instructions'
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'did not answer within a minute'
    return error instanceof z.ZodError ? 'does not answer as OpenAI’s API does' : 'does not answer'
  }
}

async function findLargest(fetch: Fetch): Promise<OfferedModel | null> {
  const lists = await Promise.all(SERVERS.map((server) => listModels(server, fetch)))
  const usable = lists
    .flat()
    .filter(({ model, parameters }) => parameters >= PARAMETERS_MIN && !NOT_FOR_CHAT.test(model))
  return usable.toSorted((left, right) => right.parameters - left.parameters)[0] ?? null
}

/** Nothing for a server that is not there, or that is another program at its port. */
async function listModels({ name, origin, path, read }: ModelServer, fetch: Fetch) {
  try {
    const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(PROBE_MS) })
    if (!response.ok) return []
    return read(await response.json()).map(
      ({ id, parameters }): OfferedModel => ({ server: name, baseUrl: `${origin}/v1`, model: id, parameters }),
    )
  } catch {
    return []
  }
}
