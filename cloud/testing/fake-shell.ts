import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, vi } from 'vitest'
import { type Environment, environmentOf } from '../environment.ts'
import { exampleSettings, type Found, type Settings } from '../settings.ts'
import { type AskExtras, CloudError, type CommandExtras, type Shell, show } from '../shell.ts'

type Answer = string | Error
/**
 * A command as it is shown, or the beginning of one, and what it answers; commands that are not named succeed silently.
 * `GET` of an address answers with JSON, or with a page of the status that an error names, `DNS` of a host with a record.
 */
type Answers = Record<string, Answer | (() => Answer)>

export interface FakeShell extends Shell {
  /** Commands in the order in which they were run. */
  ran: string[]
  said: string[]
  written: Record<string, string>
  /** What went to a command's standard input. */
  inputs: Record<string, string>
  /** What a command got beside the environment. */
  envs: Record<string, Record<string, string>>
}

/** An account that a test makes up. Nothing is run and nothing is written. */
export function openFakeShell(answers: Answers = {}, keySet: unknown = null): FakeShell {
  const fake = { ran: [] as string[], said: [] as string[], written: {}, inputs: {}, envs: {} } as unknown as FakeShell
  const answerTo = (command: string[]) => {
    const line = show(command).slice('$ '.length)
    fake.ran.push(line)
    const answer = Object.entries(answers).find(([start]) => line.startsWith(start))?.[1]
    return typeof answer === 'function' ? answer() : answer
  }
  return Object.assign(fake, {
    isDry: false,
    say: (line: string) => void fake.said.push(line),
    ask: async (command: string[], absent?: RegExp) => {
      const answer = answerTo(command)
      if (answer instanceof Error && absent?.test(answer.message) === false) throw new CloudError(answer.message)
      return typeof answer === 'string' ? answer : null
    },
    act: async (command: string[], extras?: CommandExtras) => {
      const answer = answerTo(command)
      if (extras?.env !== undefined) fake.envs[command.join(' ')] = extras.env
      if (extras?.input !== undefined) fake.inputs[command.join(' ')] = extras.input
      if (answer instanceof Error) throw new CloudError(answer.message)
      return answer ?? ''
    },
    fetchJson: async (url: string, { onOther }: AskExtras = {}) => {
      const answer = answerTo(['GET', url])
      if (answer instanceof Error) onOther?.({ status: Number(answer.message), type: 'text/html; charset=UTF-8' })
      return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : keySet
    },
    putJson: async (url: string, body: unknown, token: string) => {
      const answer = answerTo(['PUT', url, JSON.stringify(body)])
      fake.inputs[`PUT ${url}`] = token
      return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : null
    },
    findRecords: async (host: string) => {
      const answer = answerTo(['DNS', host])
      if (answer instanceof Error) throw new CloudError(answer.message)
      return answer ? [answer] : []
    },
    pause: async (ms: number) => void vi.setSystemTime(Date.now() + ms),
    write: (path: string, value: unknown) => {
      fake.written[path.split('/').at(-1) ?? ''] = JSON.stringify(value)
    },
  })
}

afterEach(() => void vi.useRealTimers())

const made: string[] = []
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true })
})

/** An environment whose files are in a folder of its own, until the file's tests have ended. */
export function openEnvironment(branch: string | null = null): Environment {
  const dir = mkdtempSync(join(tmpdir(), 'adapt-cloud-'))
  made.push(dir)
  const inDir = (name: string) => join(dir, name)
  return {
    ...environmentOf(branch),
    dir,
    settingsPath: inDir('settings.json'),
    foundPath: inDir('found.json'),
    configPath: inDir('wrangler.json'),
    secretsPath: inDir('secrets.env'),
  }
}

/** What a person has filled in, as it should be where nothing else is said. */
export function fillIn(environment: Environment, changes: Partial<Settings> = {}): Settings {
  const settings = { ...exampleSettings(environment), ...changes }
  if (!environment.isPreview && changes.domains === undefined) settings.domains = ['adapt.acme.com']
  writeFileSync(environment.settingsPath, JSON.stringify(settings))
  return settings
}

export function noteFound(environment: Environment, found: Found): Found {
  writeFileSync(environment.foundPath, JSON.stringify(found))
  return found
}
