// `npm run check:flows`: runs an upload and a question in a copy of Adapt whose functions note that they were entered. It
// fails where one stands in a file that `e2e/flows.json` does not list; `-- --write` replaces the lists.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConsoleMessage, chromium, expect, type Page } from '@playwright/test'
import { ensureChromium, ensureTools, orEnd } from '#local/start/tools.ts'
import { lineAt } from '../checks/check.ts'
import { isNode, type Node, parseSource, walkTree } from '../checks/syntax-tree.ts'
import { createAccount } from './people.ts'
import { untilReady } from './training.ts'
import { withSystem } from './with-system.ts'

const LIST = 'e2e/flows.json'
const VIDEO = 'web/public/sample/adapt-sample.mp4'
/** Longer than a page leaves between what it begins while it opens. */
const QUIET_MS = 2_000
const REPO = resolve(import.meta.dirname, '..')
const ROOMS = ['contract', 'media', 'records', 'screen', 'worker', 'web']
const SYSTEM = [...ROOMS, 'local', 'migrations']
const SETTINGS = '{package.json,wrangler.toml,tsconfig*.json,vite*.config.ts}'

/** Every function of the copy calls this first; what it notes is read through the page and through the worker. */
const NOTE = `
export const entered = new Map<string, number>()
Object.assign(globalThis, { entered })
const isWebWorker = 'importScripts' in globalThis
export function enter(name: string): void {
  if (entered.has(name)) return
  entered.set(name, Date.now())
  if (isWebWorker) console.debug('entered ' + name)
}
`
/** Stands before the copy's worker. Cron is no part of either flow. */
const FRONT = `
import { entered } from '#contract/entered.ts'
import worker from './product.ts'
export * from './product.ts'
export default {
  ...worker,
  scheduled() {},
  fetch(request: Request, env: Env, ctx: ExecutionContext) {
    if (new URL(request.url).pathname !== '/api/entered') return worker.fetch(request, env, ctx)
    const answer = Response.json([...entered])
    if (request.method === 'DELETE') entered.clear()
    return answer
  },
}
`

type Entered = [name: string, atMs: number][]
interface Insert {
  at: number
  text: string
}

function nameOf(node: Node): string | null {
  const named = (node['id'] ?? node['key']) as { name?: string } | undefined
  return named?.name ?? null
}

/** The calls to put into one source file: one for each function, as its first statement. */
function callsOf(file: string, source: string): Insert[] {
  const calls: Insert[] = []
  const owners = ['(file)']
  walkTree(
    parseSource(file, source),
    (node) => {
      const name = nameOf(node) ?? owners.at(-1) ?? ''
      owners.push(name)
      const body = node['body']
      if (!isNode(body) || !/^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type)) return true
      const call = `__enter(${JSON.stringify(`${file} ${name}:${lineAt(source, node.start)}`)})`
      if (body.type === 'BlockStatement') calls.push({ at: body.start + 1, text: `${call};` })
      else calls.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' })
      return true
    },
    () => owners.pop(),
  )
  return calls
}

function instrument(file: string, source: string): string {
  let text = source
  // Calls are put in from the end, so that places before them stay true.
  for (const { at, text: call } of callsOf(file, source).toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + call + text.slice(at)
  return `${text}\nimport { enter as __enter } from '#contract/entered.ts'\n`
}

function isProduct(file: string): boolean {
  return !/\.test\.|\.d\.ts$|\/testing\//.test(file)
}

function makeCopy(dir: string): void {
  for (const room of SYSTEM) cpSync(join(REPO, room), join(dir, room), { recursive: true })
  for (const file of globSync(SETTINGS, { cwd: REPO })) cpSync(join(REPO, file), join(dir, file))
  symlinkSync(join(REPO, 'node_modules'), join(dir, 'node_modules'))
  for (const file of globSync(`{${ROOMS.join()}}/**/*.{ts,tsx}`, { cwd: REPO }).filter(isProduct))
    writeFileSync(join(dir, file), instrument(file, readFileSync(join(REPO, file), 'utf8')))
  cpSync(join(dir, 'local/worker.ts'), join(dir, 'local/product.ts'))
  writeFileSync(join(dir, 'local/worker.ts'), FRONT)
  writeFileSync(join(dir, 'contract/entered.ts'), NOTE)
}

interface Watched {
  address: string
  page: Page
}

/** Takes what was entered since the last time: in the page, then in the worker. */
async function take({ address, page }: Watched): Promise<Entered[]> {
  const inPage = await page.evaluate(() => {
    const { entered } = globalThis as unknown as { entered: Map<string, number> }
    const names = [...entered]
    entered.clear()
    return names
  })
  const answer = await fetch(`${address}/api/entered`, { method: 'DELETE' })
  return [inPage, (await answer.json()) as Entered]
}

/** Runs one flow. @returns the functions that were entered meanwhile, in that order, for the browser and for the worker */
async function watch(watched: Watched, flow: () => Promise<void>): Promise<string[][]> {
  const inWebWorkers: Entered = []
  const note = (message: ConsoleMessage) => {
    const [, name] = /^entered (.*)/.exec(message.text()) ?? []
    if (name !== undefined) inWebWorkers.push([name, Date.now()])
  }
  await take(watched)
  watched.page.on('console', note)
  await flow()
  const [inPage = [], inWorker = []] = await take(watched)
  watched.page.off('console', note)
  const inOrder = (entered: Entered) => entered.toSorted(([, a], [, b]) => a - b).map(([name]) => name)
  return [inOrder([...inPage, ...inWebWorkers]), inOrder(inWorker)]
}

async function upload(page: Page): Promise<void> {
  await page.getByLabel('Select video').setInputFiles(VIDEO)
  await page.waitForURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  await untilReady(page)
}

async function ask(page: Page): Promise<void> {
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  await tutor.getByRole('textbox', { name: 'Your question' }).press('Enter')
  await expect(tutor.getByRole('group', { name: 'Did this answer help?' })).toHaveCount(1, { timeout: 30_000 })
}

/** Settles when neither the page nor the worker begins anything new. */
async function untilQuiet({ address, page }: Watched): Promise<void> {
  const count = async () => {
    const inWorker = (await (await fetch(`${address}/api/entered`)).json()) as Entered
    return (
      inWorker.length + (await page.evaluate(() => (globalThis as unknown as { entered: Map<string, 0> }).entered.size))
    )
  }
  for (let last = -1, now = await count(); now !== last; now = await count()) {
    last = now
    await sleep(QUIET_MS)
  }
}

/** Opens the pages of both flows, by their addresses, by their links and back. @returns the functions that this enters */
async function openPages(watched: Watched): Promise<Set<string>> {
  const { page } = watched
  const training = page.url()
  const ways = [
    () => page.goto('/upload'),
    () => page.goto('/dashboard'),
    () => page.getByRole('link', { name: 'Upload' }).first().click(),
    () => page.goBack(),
    () => page.locator(`a[href*="/training/"]`).first().click(),
    () => page.goBack(),
    () => page.goto(training),
  ]
  const entered: string[][] = []
  for (const go of ways) {
    const names = await watch(watched, async () => {
      await go()
      await untilQuiet(watched)
    })
    entered.push(...names)
  }
  return new Set(entered.flat())
}

/** What a flow enters, by side: all of it, and without what opening the pages enters. */
interface Flow {
  name: string
  all: string[][]
  own: string[][]
  /** Files that opening the pages enters: which of their functions run in a flow depends on the moment, too. */
  standing: Set<string>
}

async function runFlows(address: string): Promise<Flow[]> {
  const browser = await chromium.launch({ executablePath: await ensureChromium() })
  try {
    const page = await browser.newPage({ baseURL: address })
    const watched = { address, page }
    await createAccount(page.request)
    await page.goto('/upload')
    await page.getByLabel('Select video').waitFor({ state: 'attached' })
    await untilQuiet(watched)
    const uploaded = await watch(watched, () => upload(page))
    const standing = await openPages(watched)
    await page.getByRole('textbox', { name: 'Your question' }).fill('How do I open the cover?')
    const asked = await watch(watched, () => ask(page))
    const flows = { upload: uploaded, question: asked }
    return Object.entries(flows).map(([name, all]) => {
      const own = all.map((side) => side.filter((entered) => !standing.has(entered)))
      return { name, all, own, standing: filesOf([[...standing]]) }
    })
  } finally {
    await browser.close()
  }
}

function filesOf(sides: string[][]): Set<string> {
  return new Set(sides.flat().map((name) => name.split(' ')[0] ?? ''))
}

/** The files of a flow, each once, in the order in which it enters them. */
type Listed = Record<'browser' | 'worker', string[]>

function listFiles({ own: [browser = [], worker = []] }: Flow): Listed {
  const first = filesOf([browser])
  return { browser: [...first], worker: [...filesOf([worker])].filter((file) => !first.has(file)) }
}

/** Says which functions were entered in files that are not listed. */
function compare({ name, own, standing }: Flow, files: Listed | undefined): string[] {
  const listed = new Set([...(files?.browser ?? []), ...(files?.worker ?? [])])
  const entered = filesOf(own)
  for (const file of listed) if (!entered.has(file)) console.log(`${name}: ${file} is listed and was not entered.`)
  return own.flat().flatMap((place) => {
    const [file = '', what] = place.split(' ')
    return listed.has(file) || standing.has(file)
      ? []
      : [`${name}: ${what} in ${file} was entered, which ${LIST} does not list.`]
  })
}

await orEnd(ensureTools(['ffmpeg', 'pocketsphinx']))
const dir = mkdtempSync(join(tmpdir(), 'adapt-flows-'))
try {
  makeCopy(dir)
  const flows = await withSystem({ repoDir: dir, stateDir: join(dir, '.adapt') }, runFlows)
  const listed = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, Listed>
  for (const flow of flows) {
    const [own, all] = [filesOf(flow.own).size, filesOf(flow.all).size]
    console.log(`${flow.name}: ${own} files; ${all} with what opening the pages enters, too`)
    if (process.argv.includes('--write')) listed[flow.name] = listFiles(flow)
  }
  if (process.argv.includes('--write')) writeFileSync(LIST, `${JSON.stringify(listed, null, 2)}\n`)
  const strangers = flows.flatMap((flow) => compare(flow, listed[flow.name]))
  for (const line of strangers) console.error(line)
  process.exitCode = strangers.length > 0 ? 1 : 0
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
