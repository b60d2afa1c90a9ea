import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findRecords } from './dns.ts'

/** Why a step cannot be done, in sentences that say what to do. Shown without a stack. */
export class CloudError extends Error {
  override readonly name = 'CloudError'
}

export interface CommandExtras {
  /** For its standard input; never shown. */
  input?: string
  /** Beside the environment of this process. */
  env?: Record<string, string>
}

/** An answer that is no JSON. */
export interface OtherAnswer {
  status: number
  /** Its content type; empty without one. */
  type: string
}

/** How something is asked for. */
export interface AskExtras {
  /** Not shown, as where it is asked again and again. */
  isQuiet?: boolean
  /** Takes what answered instead of JSON. */
  onOther?: (answer: OtherAnswer) => void
}

/** What commands are run by, each of which is shown. A dry run shows the same commands and runs none. */
export interface Shell {
  /** Nothing is asked, made or written; what would have been found is not known. */
  isDry: boolean
  say: (line: string) => void
  /**
   * Runs a command for its answer.
   * @param absent how it fails where what is asked for does not exist; any failure means that when left out
   * @returns null for what does not exist, and in a dry run
   * @throws {CloudError} when it fails otherwise
   */
  ask: (command: string[], absent?: RegExp) => Promise<string | null>
  /** Runs a command for what it does. @returns what it printed @throws {CloudError} when it fails */
  act: (command: string[], extras?: CommandExtras) => Promise<string>
  /** Reads JSON, that of a failure too. @returns null when it cannot be had, and in a dry run */
  fetchJson: (url: string, extras?: AskExtras) => Promise<unknown>
  /** Changes something of an API; the token is not shown. @returns its answer, null when it cannot be had and in a dry run */
  putJson: (url: string, body: unknown, token: string) => Promise<unknown>
  /** Finds the DNS records of a host, such as `A 192.0.2.1`; none in a dry run. @throws {CloudError} without an answer */
  findRecords: (host: string, extras?: AskExtras) => Promise<string[]>
  pause: (ms: number) => Promise<void>
  /** Writes a file of JSON that no other user may read. */
  write: (path: string, value: unknown) => void
}

const FETCH_TIMEOUT_MS = 10_000
const LINES_OF_FAILURE = 5

interface ShellOptions {
  isDry?: boolean
  say?: (line: string) => void
}

export function openShell({ isDry = false, say = (line) => console.log(line) }: ShellOptions = {}): Shell {
  return {
    isDry,
    say,
    async ask(command, absent) {
      say(show(command))
      if (isDry) return null
      const { code, answer, output } = await run(command, { isQuiet: true })
      if (code === 0) return answer
      if (absent?.test(output) === false) throw new CloudError(endOf(output))
      return null
    },
    async act(command, extras = {}) {
      say(show(command, extras))
      if (isDry) return ''
      const { code, output } = await run(command, { ...extras, isQuiet: false })
      if (code !== 0) throw new CloudError(endOf(output))
      return output
    },
    async fetchJson(url, { isQuiet = false, onOther } = {}) {
      if (!isQuiet) say(show(['GET', url]))
      if (isDry) return null
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
        return await answer.json().catch(() => {
          onOther?.({ status: answer.status, type: answer.headers.get('content-type') ?? '' })
          return null
        })
      } catch {
        // The caller says what was wanted and what to do without it.
        return null
      }
    },
    async putJson(url, body, token) {
      say(show(['PUT', url, JSON.stringify(body)]))
      return isDry ? null : put(url, body, token)
    },
    async findRecords(host, { isQuiet = false } = {}) {
      if (!isQuiet) say(show(['DNS', host]))
      if (isDry) return []
      try {
        return await findRecords(host)
      } catch (error) {
        throw new CloudError(
          `The records of ${host} cannot be read (${String(error)}); --take-over does not read them.`,
        )
      }
    },
    pause: (ms) => setTimeout(ms),
    write(path, value) {
      say(`  writes ${path}`)
      if (isDry) return
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
    },
  }
}

async function put(url: string, body: unknown, token: string): Promise<unknown> {
  try {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body), signal })
    return await answer.json()
  } catch {
    // The caller says what to do instead.
    return null
  }
}

/** The last lines, where a command says why it failed. */
function endOf(output: string): string {
  return output.trim().split('\n').slice(-LINES_OF_FAILURE).join('\n') || 'It failed without a word.'
}

/** A command as one could type it. */
export function show(command: string[], { env = {}, input }: CommandExtras = {}): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quote(value)} `)
  const from = input === undefined ? '' : ' < (a secret)'
  return `$ ${settings.join('')}${command.map(quote).join(' ')}${from}`
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

interface Ended {
  code: number | null
  /** What it printed as its answer. */
  answer: string
  /** The same with what it said about it, in the order in which it came. */
  output: string
}

/** @param isQuiet its output is an answer for us, not progress for the person who watches */
function run(command: string[], { input, env, isQuiet }: CommandExtras & { isQuiet: boolean }): Promise<Ended> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { ...process.env, ...env, ...QUIET } })
  let answer = ''
  let output = ''
  const listen = (text: string) => {
    output += text
    if (!isQuiet) process.stdout.write(text)
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    answer += text
    listen(text)
  })
  child.stderr.setEncoding('utf8').on('data', listen)
  child.stdin.end(input ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new CloudError(`${program} cannot be run: ${error.message}`)))
    child.on('close', (code) => resolve({ code, answer, output }))
  })
}

/** So that an answer in JSON is nothing but that. */
const QUIET = { WRANGLER_LOG: 'log', WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' }
