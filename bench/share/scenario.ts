import { execFile } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import {
  type Bench,
  logProgress,
  type Noise,
  noiseRow,
  noiseSince,
  type Row,
  readLoad,
  type Scenario,
} from '../scenario.ts'
import { askWorker } from '../serve.ts'
import type { PlantRequest } from '../wire.ts'
import {
  type Answers,
  type Bytes,
  CROWD,
  type Crowd,
  MODULE_ID,
  measureAnswers,
  measureBytes,
  measureCrowd,
  TOKEN,
} from './measure.ts'
import { measureBrowser, type Paints, PHONE } from './measure-browser.ts'

const REPO = join(import.meta.dirname, '../..')
const VIDEO = join(REPO, 'web/public/sample/adapt-sample.mp4')
const STEP_COUNT = 10

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
async function plantModule(url: string, folder: string): Promise<void> {
  const sourceKey = `src/${MODULE_ID}/source`
  const video = await readFile(VIDEO)
  const module = {
    id: MODULE_ID,
    userId: TOKEN,
    title: 'Change the roll in a label printer',
    filename: 'roll.mp4',
    sourceKey,
    sourceEtag: await store(url, sourceKey, { bytes: video, contentType: 'video/mp4' }),
    sourceSizeBytes: video.byteLength,
    durationMs: 60_000,
    hasPoster: true,
    stepsVersion: 1,
  }
  await askWorker(`${url}/api/bench/modules`, { post: { module, sentences: 0 } satisfies PlantRequest })
  await saveSteps(url)
  const poster = join(folder, 'poster.webp')
  await promisify(execFile)('ffmpeg', `-v error -y -i ${VIDEO} -frames:v 1 -vf scale=1280:720 ${poster}`.split(' '))
  const drawn = { bytes: await readFile(poster), contentType: 'image/webp' }
  await store(url, `images/${MODULE_ID}/poster`, drawn)
}

/** @returns the object's ETag */
async function store(
  url: string,
  key: string,
  { bytes, contentType }: { bytes: Buffer<ArrayBuffer>; contentType: string },
): Promise<string> {
  const headers = { 'content-type': contentType }
  const answer = await fetch(`${url}/api/bench/objects/${key}`, { method: 'PUT', body: bytes, headers })
  if (!answer.ok) throw new Error(`${key} was not stored, ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { etag: string }).etag
}

async function saveSteps(url: string): Promise<void> {
  const steps = Array.from({ length: STEP_COUNT }, (_, index) => ({
    title: `Step number ${index + 1} of what is shown`,
    description: 'Press the latch on the right side and lift the cover all the way up, until you hear a click.',
    start: index * 6,
    end: index * 6 + 6,
  }))
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ steps })
  const saved = await fetch(`${url}/api/steps/${MODULE_ID}`, { method: 'POST', headers, body })
  if (!saved.ok) throw new Error(`The steps were not saved: ${await saved.text()}`)
}

interface Figures {
  bytes: Bytes
  paints: Paints
  answers: Answers
  crowd: Crowd
  noise: Noise
}

/** How far a figure may go. */
const GATES = { usableScriptKb: 25, allScriptKb: 65, originRuns: 1, layoutShift: 0.1, largestPaintMs: 2_500 }

function byteRows({ bytes }: Figures): Row[] {
  const kb = (value: number) => `${value.toFixed(1)} kB gz`
  const gated = (what: string, name: 'usableScriptKb' | 'allScriptKb'): Row => ({
    what,
    value: `${kb(bytes[name])} (≤ ${GATES[name]})`,
    isMet: bytes[name] <= GATES[name],
  })
  return [
    gated('JavaScript before the page is usable', 'usableScriptKb'),
    gated('JavaScript in all', 'allScriptKb'),
    { what: 'CSS before the first paint, in all', value: `${kb(bytes.firstStyleKb)}, ${kb(bytes.allStyleKb)}` },
    { what: 'HTML with the module in it', value: kb(bytes.htmlKb) },
  ]
}

function paintRows({ paints }: Figures): Row[] {
  const { runs, cpuSlowdown, downMbit, latencyMs } = PHONE
  const phone = `Fast 4G (${downMbit} Mbit/s, ${latencyMs} ms), CPU ×${cpuSlowdown}, median of ${runs}:`
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    {
      what: `${phone} largest contentful paint`,
      value: `${ms(paints.largestPaintMs)} (≤ ${GATES.largestPaintMs} ms)`,
      isMet: paints.largestPaintMs <= GATES.largestPaintMs,
    },
    { what: `${phone} steps can be pressed`, value: ms(paints.usableMs) },
    { what: `${phone} interactive`, value: ms(paints.interactiveMs) },
    {
      what: `${phone} cumulative layout shift`,
      value: `${paints.layoutShift.toFixed(3)} (≤ ${GATES.layoutShift})`,
      isMet: paints.layoutShift <= GATES.layoutShift,
    },
    { what: `${phone} click to first frame`, value: ms(paints.clickToFrameMs) },
    { what: `${phone} the same, pressed as early as can be`, value: ms(paints.earlyClickToFrameMs) },
  ]
}

function answerRows({ answers: { firstByteMs, requestsPerS } }: Figures): Row[] {
  const ratio = (own: number, other: number) => `${(own / other).toFixed(2)}×`
  return [
    {
      what: 'First byte of a cached page against a static file and a bare route',
      value: `${firstByteMs.page.toFixed(2)} ms: ${ratio(firstByteMs.page, firstByteMs.file)} of ${firstByteMs.file.toFixed(2)} ms, ${ratio(firstByteMs.page, firstByteMs.bare)} of ${firstByteMs.bare.toFixed(2)} ms`,
    },
    {
      what: 'Requests per second of a cached page against the same',
      value: `${requestsPerS.page.toFixed(0)}: ${ratio(requestsPerS.page, requestsPerS.file)} of ${requestsPerS.file.toFixed(0)}, ${ratio(requestsPerS.page, requestsPerS.bare)} of ${requestsPerS.bare.toFixed(0)}`,
    },
  ]
}

function crowdRows({ crowd: { allStatedMs, originRuns, allServedMs } }: Figures): Row[] {
  const count = CROWD.toLocaleString('en')
  return [
    { what: `${count} sockets of one module: all have received a change after`, value: `${allStatedMs.toFixed(0)} ms` },
    {
      what: `${count} simultaneous first hits on a cold page: runs of the worker behind the cache`,
      value: `${originRuns} (≤ ${GATES.originRuns}), all served after ${allServedMs.toFixed(0)} ms`,
      isMet: originRuns <= GATES.originRuns,
    },
  ]
}

async function measureAll({ folder, serve }: Bench): Promise<Figures> {
  const loadAtFirst = readLoad()
  const site = join(folder, 'site')
  logProgress('building the page, starting the worker')
  await buildShare(site)
  const { url } = await serve({ assets: site })
  await plantModule(url, folder)
  const bytes = await measureBytes(site, url)
  logProgress('a page against a file and a bare route')
  const targets = { page: `${url}/share/${MODULE_ID}`, file: `${url}/favicon.svg`, bare: `${url}/api/bench/bare` }
  const answers = await measureAnswers(targets)
  logProgress(`${CROWD} learners at once`)
  const crowd = await measureCrowd(url)
  logProgress(`${PHONE.runs} visits of a slow phone`)
  const paints = await measureBrowser(url)
  return { bytes, paints, answers, crowd, noise: noiseSince(loadAtFirst) }
}

/** A shared page: its weight, its paints on a slow phone, and a thousand learners at once. */
export const share: Scenario<Figures> = {
  tools: ['ffmpeg'],
  needsBrowser: true,
  measure: measureAll,
  toJson: (figures) => ({ conditions: { ...PHONE, crowd: CROWD }, ...figures }),
  rows: (figures) => [
    ...byteRows(figures),
    ...paintRows(figures),
    ...answerRows(figures),
    ...crowdRows(figures),
    noiseRow(figures.noise),
  ],
}
