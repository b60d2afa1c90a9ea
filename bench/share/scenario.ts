import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { openSocket } from '../client.ts'
import { repeatFor, takeTurns, timeMs } from '../rounds.ts'
import { gate, logProgress, median, noiseRow, type Row, type Scenario, sum } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { ffmpeg } from '../video.ts'
import type { PlantRequest } from '../wire.ts'
import { measureBrowser, PHONE } from './measure-browser.ts'

const REPO = join(import.meta.dirname, '../..')
const VIDEO = join(REPO, 'web/public/sample/adapt-sample.mp4')
const STEP_COUNT = 10
/** The module that learners open. */
const MODULE_ID = 'benchbenchbenchbench01'
const PAGE = `/share/${MODULE_ID}`
/** Its subject owns the module. */
const TOKEN = 'owner.of.benches'
const AS_OWNER = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
const AS_PAGE = { accept: 'text/html' }

/** Builds the share page as it is deployed. */
async function buildShare(folder: string): Promise<void> {
  await build({
    configFile: join(REPO, 'vite.share.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
  for (const name of ['theme.js', 'favicon.svg']) await copyFile(join(REPO, 'web/public', name), join(folder, name))
}

/** Plants one shared module that is done, with a poster as the upload page draws it: 1280 × 720 in WebP. */
async function plantModule(worker: ServedWorker, folder: string): Promise<void> {
  const store = async (key: string, file: string, contentType: string) => {
    const body = await readFile(file)
    const put = { method: 'PUT', body, headers: { 'content-type': contentType } }
    const answer = await fetch(`${worker.url}/api/bench/objects/${key}`, put)
    if (!answer.ok) throw new Error(`${key} was not stored, ${answer.status}: ${await answer.text()}`)
    return { sourceEtag: ((await answer.json()) as { etag: string }).etag, sourceSizeBytes: body.byteLength }
  }
  const sourceKey = `src/${MODULE_ID}/source`
  const module = {
    id: MODULE_ID,
    userId: TOKEN,
    title: 'Change the roll in a label printer',
    filename: 'roll.mp4',
    sourceKey,
    ...(await store(sourceKey, VIDEO, 'video/mp4')),
    durationMs: 60_000,
    hasPoster: true,
    stepsVersion: 1,
  }
  await worker.ask('/api/bench/modules', { module, sentences: 0 } satisfies PlantRequest)
  const steps = Array.from({ length: STEP_COUNT }, (_, index) => ({
    title: `Step number ${index + 1} of what is shown`,
    description: 'Press the latch on the right side and lift the cover all the way up, until you hear a click.',
    start: index * 6,
    end: index * 6 + 6,
  }))
  const post = { method: 'POST', headers: AS_OWNER, body: JSON.stringify({ steps }) }
  const saved = await fetch(`${worker.url}/api/steps/${MODULE_ID}`, post)
  if (!saved.ok) throw new Error(`The steps were not saved: ${await saved.text()}`)
  const poster = join(folder, 'poster.webp')
  await ffmpeg(['-i', VIDEO, '-frames:v', '1', '-vf', 'scale=1280:720', poster])
  await store(`images/${MODULE_ID}/poster`, poster, 'image/webp')
}

/** What a learner loads, gzipped, in kB of 1,000 bytes. */
async function measureBytes(site: string, url: string) {
  const html = await (await fetch(url + PAGE, { headers: AS_PAGE })).text()
  const kbOf = (content: Buffer) => gzipSync(content).byteLength / 1_000
  const names = await readdir(join(site, 'assets'))
  const assets = await Promise.all(
    names.map(async (name) => ({ name, kb: kbOf(await readFile(join(site, 'assets', name))) })),
  )
  const kb = (ending: string, isCounted: (name: string) => boolean = () => true) =>
    sum(assets.filter(({ name }) => name.endsWith(ending) && isCounted(name)).map((asset) => asset.kb))
  /** Loaded when a learner opens the tutor, and by no one else. */
  const isTutor = (name: string) => name.startsWith('link-tutor')
  /** Loaded in place of the player, where a browser cannot show the video. */
  const isUnseen = (name: string) => name.startsWith('unseen-notice')
  const isFirst = (name: string) => html.includes(`/assets/${name}`)
  const themeKb = kbOf(await readFile(join(site, 'theme.js')))
  return {
    /** Scripts without which nothing can be seen or pressed. */
    usableScriptKb: themeKb + kb('.js', isFirst),
    /** All that a visit can load without opening the tutor, player and live updates included. */
    allScriptKb: themeKb + kb('.js', (name) => !isTutor(name) && !isUnseen(name)),
    tutorScriptKb: kb('.js', isTutor),
    /** Style sheets before the first paint, and all. */
    firstStyleKb: kb('.css', isFirst),
    allStyleKb: kb('.css'),
    htmlKb: kbOf(Buffer.from(html)),
  }
}

const CROWD = 1_000
/** Sockets that are opened at once; a laptop's listen queue is short. */
const OPEN_AT_ONCE = 100
const GIVE_UP_MS = 60_000

/** @returns how long it takes from the change until the last of a thousand has received it */
async function measureSockets(worker: ServedWorker): Promise<number> {
  const live = `/api/modules/${MODULE_ID}/live`
  // Anyone with the link follows only what is in progress, and this module is ready.
  const answer = await fetch(`${worker.url}${live}-ticket`, { method: 'POST', headers: AS_OWNER })
  const { ticket } = (await answer.json()) as { ticket: string }
  const address = `${worker.url.replace('http', 'ws')}${live}?ticket=${ticket}&cursor=1000`
  const sockets: WebSocket[] = []
  while (sockets.length < CROWD) {
    sockets.push(...(await Promise.all(Array.from({ length: OPEN_AT_ONCE }, () => openSocket(address)))))
  }
  const received = sockets.map(
    (socket) => new Promise<void>((resolve) => socket.addEventListener('message', () => resolve(), { once: true })),
  )
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('not every socket received the change')), GIVE_UP_MS).unref()
  })
  const allStatedMs = await timeMs(async () => {
    await worker.ask('/api/bench/sql', { sql: 'UPDATE modules SET steps_version = steps_version + 1' })
    await worker.ask(`/api/bench/publish/${MODULE_ID}`, {})
    await Promise.race([Promise.all(received), late])
  })
  for (const socket of sockets) socket.close()
  return allStatedMs
}

const ANSWERS = { seconds: 3, atOnce: 16 }

/** @returns requests a second of a cached page, and of a route that does nothing, in turns */
async function measureAnswers(worker: ServedWorker) {
  const paths = { page: PAGE, bare: '/api/bench/bare' }
  const answered = await takeTurns(['page', 'bare'] as const, { rounds: 3, warmUps: 1 }, (name) =>
    repeatFor(ANSWERS, async () => (await fetch(worker.url + paths[name], { headers: AS_PAGE })).text()),
  )
  const perS = (name: keyof typeof paths) => median(answered[name].map((times) => times.length)) / ANSWERS.seconds
  return { cachedPagePerS: perS('page'), barePerS: perS('bare') }
}

/** @returns how often the worker ran behind the cache for a thousand who came to a cold page at once, and how long all took */
async function measureFirstHits(worker: ServedWorker) {
  await worker.ask(`/api/bench/cold/${MODULE_ID}`, {})
  const visit = async () => {
    const answer = await fetch(worker.url + PAGE, { headers: AS_PAGE })
    await answer.text()
    if (!answer.ok) throw new Error('not everyone got the page')
  }
  const allServedMs = await timeMs(() => Promise.all(Array.from({ length: CROWD }, visit)))
  return { ...(await worker.ask<{ originRuns: number }>('/api/bench/runs')), allServedMs }
}

function listRows({ bytes, paints, answers, crowd }: Figures): Row[] {
  const { runs, cpuSlowdown, downMbit, latencyMs } = PHONE
  const phone = `Fast 4G (${downMbit} Mbit/s, ${latencyMs} ms), CPU ×${cpuSlowdown}, median of ${runs}:`
  const kb = (value: number) => `${value.toFixed(1)} kB gz`
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const many = CROWD.toLocaleString('en')
  const cold = `${many} simultaneous first hits on a cold page`
  const { largestPaintMs, layoutShift } = paints
  const shift = layoutShift.toFixed(3)
  return [
    gate('JavaScript before the page is usable', bytes.usableScriptKb, { atMost: 25 }, kb(bytes.usableScriptKb)),
    gate('JavaScript in all', bytes.allScriptKb, { atMost: 65 }, kb(bytes.allScriptKb)),
    gate('JavaScript of the tutor', bytes.tutorScriptKb, { atMost: 20 }, kb(bytes.tutorScriptKb)),
    { what: 'CSS before the first paint, in all', value: `${kb(bytes.firstStyleKb)}, ${kb(bytes.allStyleKb)}` },
    { what: 'HTML with the module in it', value: kb(bytes.htmlKb) },
    gate(`${phone} largest contentful paint`, largestPaintMs, { atMost: 2_500 }, ms(largestPaintMs)),
    { what: `${phone} steps can be pressed`, value: ms(paints.usableMs) },
    { what: `${phone} interactive`, value: ms(paints.interactiveMs) },
    gate(`${phone} cumulative layout shift`, layoutShift, { atMost: 0.1 }, shift),
    { what: `${phone} click to first frame`, value: ms(paints.clickToFrameMs) },
    { what: `${phone} the same, pressed as early as can be`, value: ms(paints.earlyClickToFrameMs) },
    {
      what: 'Requests a second of a cached page, of a bare route',
      value: `${answers.cachedPagePerS.toFixed(0)}, ${answers.barePerS.toFixed(0)}: ${(answers.cachedPagePerS / answers.barePerS).toFixed(2)} ×`,
    },
    { what: `${many} sockets of one module: all have received a change after`, value: ms(crowd.allStatedMs) },
    gate(`${cold}: runs of the worker behind the cache`, crowd.originRuns, { atMost: 1 }, `${crowd.originRuns}`),
    { what: `${cold}: all served after`, value: ms(crowd.allServedMs) },
  ]
}

type Figures = Awaited<ReturnType<typeof measureAll>>

async function measureAll({ folder, serve, noise }: Parameters<Scenario['measure']>[0]) {
  const site = join(folder, 'site')
  logProgress('building the page, starting the worker')
  await buildShare(site)
  const worker = await serve({ assets: site })
  await plantModule(worker, folder)
  const bytes = await measureBytes(site, worker.url)
  logProgress('a cached page beside a bare route')
  const answers = await measureAnswers(worker)
  logProgress(`${CROWD} learners at once`)
  const crowd = { allStatedMs: await measureSockets(worker), ...(await measureFirstHits(worker)) }
  logProgress(`${PHONE.runs} visits of a slow phone`)
  const paints = await measureBrowser(worker.url + PAGE)
  return { bytes, paints, answers, crowd, noise: noise() }
}

/** A shared page: its weight, its paints on a slow phone, and a thousand learners at once. */
export const scenario: Scenario = {
  tools: ['ffmpeg'],
  needsBrowser: true,
  async measure(bench) {
    const figures = await measureAll(bench)
    return {
      json: { conditions: { ...PHONE, crowd: CROWD }, ...figures },
      table: [...listRows(figures), noiseRow(figures.noise)],
    }
  },
}
