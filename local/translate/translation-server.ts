import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { openPlaces } from '#local/speech/speech-server.ts'

/** The pairs of `apertium-eng-spa`, by the tags that LibreTranslate has for their languages. */
const MODES: Readonly<Record<string, string>> = { 'en-es': 'eng-spa', 'es-en': 'spa-eng' }
const LANGUAGES = [
  { code: 'en', name: 'English', targets: ['en', 'es'] },
  { code: 'es', name: 'Spanish', targets: ['en', 'es'] },
]

const Asked = z.object({
  q: z.union([z.string(), z.array(z.string())]),
  source: z.string(),
  target: z.string(),
})

/** Texts of one request; the worker sends a few thousand characters at a time. */
const BODY_MAX_BYTES = 1_000_000
/** Apertium takes a third of a second for a minute of narration. */
const TIMEOUT_MS = 60_000

/** Ends a sentence for apertium, which would translate words across a single line break. */
const GAP = '\n\n'

/** Runs apertium over lines, each of which it translates by itself. */
async function runApertium(mode: string, lines: readonly string[], signal: AbortSignal): Promise<string[]> {
  // It opens its input by name, which a socket of Node's cannot be, so a pipe stands between them. `-u`: without the marks
  // of words that it does not know.
  const child = spawn('sh', ['-c', 'cat | apertium -u "$0"', mode], { stdio: 'pipe', signal, killSignal: 'SIGKILL' })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  child.stdin.on('error', () => undefined)
  child.stdin.end(lines.join(GAP) + GAP)
  const [output, complaint] = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed])
  const translated = output.trim().split(GAP)
  if (translated.length === lines.length) return translated.map((line) => line.trim())
  const [line = ''] = lines
  if (lines.length === 1) throw new Error(`apertium gave ${translated.length} lines for "${line}": ${complaint.trim()}`)
  // What it makes of one line must not hold up the others.
  const rest = await runApertium(mode, lines.slice(1), signal)
  return [...(await runApertium(mode, [line], signal)), ...rest]
}

/** Translates texts of any number of lines in one run. */
export async function translateTexts(
  texts: readonly string[],
  { source, target }: { source: string; target: string },
  signal: AbortSignal,
): Promise<string[]> {
  const mode = MODES[`${source}-${target}`]
  if (mode === undefined) throw new UnknownPair(`There is no pair from ${source} to ${target}.`)
  const lines = texts.map((each) => each.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()))
  // Empty lines confuse it.
  const sentLines = lines.flat().filter((line) => line !== '')
  const translated = sentLines.length === 0 ? [] : await runApertium(mode, sentLines, signal)
  return lines.map((own) => own.map((line) => (line === '' ? '' : (translated.shift() ?? ''))).join('\n'))
}

class UnknownPair extends Error {}

/** The first translation waits until apertium is installed. */
class NotYet extends Error {}

function refuseBody(): never {
  throw new UnknownPair(`The body is over ${BODY_MAX_BYTES} bytes.`)
}

export interface TranslationServer {
  baseUrl: string
  close(): Promise<void>
}

/** A caller does not wait for an installation that takes longer. */
const INSTALLED_WITHIN_MS = 2_000

/** Installs something when it is first asked for. @returns whether it is there @throws {NotYet} while it is installed */
function openInstallation(install: () => Promise<boolean>): () => Promise<boolean> {
  let installing: Promise<boolean> | null = null
  return () => {
    installing ??= install()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new NotYet('Apertium is being installed.')), INSTALLED_WITHIN_MS)
    return Promise.race([installing, late]).finally(() => clearTimeout(timer))
  }
}

/**
 * Starts a server on a port of this machine that speaks LibreTranslate's `/languages` and `/translate` over apertium,
 * between English and Spanish. As many run at once as there are cores; the rest wait in line.
 * @param options `port` 0 for any free one; `onFailure` gets what failed for a reason of our own
 */
export async function startTranslationServer(options: {
  port: number
  onFailure: (error: unknown) => void
  /** Installs apertium where it is missing. @returns whether it is there; called once, with the first translation */
  ensureApertium?: () => Promise<boolean>
}): Promise<TranslationServer> {
  const isThere = openInstallation(options.ensureApertium ?? (async () => true))
  const places = openPlaces(availableParallelism())
  const app = new Hono()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/languages', (c) => c.json(LANGUAGES))
    .post('/translate', bodyLimit({ maxSize: BODY_MAX_BYTES, onError: refuseBody }), async (c) => {
      const { q, ...pair } = Asked.parse(JSON.parse(await c.req.text()))
      if (!(await isThere())) throw new UnknownPair('Apertium could not be installed.')
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const translated = await places.use(() => translateTexts([q].flat(), pair, signal), { signal })
      return c.json({ translatedText: typeof q === 'string' ? translated[0] : translated })
    })
    .notFound((c) => c.json({ error: `There is no ${c.req.method} ${c.req.path} here.` }, 404))
    .onError((error, c) => {
      const isAsked = error instanceof UnknownPair || error instanceof z.ZodError || error instanceof SyntaxError
      const isLater = error instanceof NotYet
      if (!isAsked && !isLater) options.onFailure(error)
      return c.json({ error: error.message }, isAsked ? 400 : isLater ? 503 : 500)
    })
  const { origin, close } = await serveOnFreePort(app.fetch, options.port)
  return { baseUrl: origin, close }
}
