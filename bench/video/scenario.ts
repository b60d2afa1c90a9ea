import { createReadStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { sizeCopy } from '#web/features/upload/small-copy/size-copy.ts'
import { readScreen } from '../../screen/read-screen.ts'
import { openBrowser } from '../browser.ts'
import { gate, inMs, inS, logProgress, type Row, row, type Scenario } from '../scenario.ts'
import { openEngines } from '../screen/engine.ts'
import { decodeFrames } from '../screen/frames.ts'
import { countErrors } from '../screen/measure.ts'
import { makeOriginals, type Original } from './originals.ts'
import type { CopyMade, Watched } from './page/main.ts'

/** A line of a hall. */
const LINE = { downMbit: 1, latencyMs: 150 } as const
const BYTES_PER_MBIT = 125_000
/** The original shows what the copy is for: over this line it stops. */
const GOALS = { firstFrameMs: 2_000, stalls: 0, originalStalls: 1, worseByPoints: 1 } as const
const USUAL_S = 60

/** Builds the bench's page with the product's own code. */
async function buildPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022' },
  })
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.mp4': 'video/mp4' }

/** Serves a folder with ranges, as players read videos. */
async function serveFolder(folder: string) {
  const server = createServer((request, answer) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname
    const path = join(folder, name === '/' ? 'index.html' : name)
    void stat(path).then(
      ({ size }) => {
        const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
        const [start, end] = [Number(from), to === '' ? size - 1 : Number(to)]
        answer.writeHead(request.headers.range === undefined ? 200 : 206, {
          'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
          'accept-ranges': 'bytes',
          'content-length': end - start + 1,
          'content-range': `bytes ${start}-${end}/${size}`,
        })
        createReadStream(path, { start, end }).pipe(answer)
      },
      () => answer.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, close: () => server.close() }
}

/** Makes the small copy of a video in the browser, and keeps it beside the page. */
async function makeCopy(page: Page, { path }: Original, file: string): Promise<CopyMade> {
  await page.getByLabel('Video').setInputFiles(path)
  const download = page.waitForEvent('download', { timeout: 0 })
  const made = await page.evaluate<CopyMade>('bench.makeCopy()')
  if (made.sizeBytes !== null) await (await download).saveAs(file)
  return made
}

/** Watches a video over the slow line, in a profile that has nothing of it yet. */
async function watch(browser: Browser, origin: string, name: string, forMs: number): Promise<Watched> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/`)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.latencyMs,
    downloadThroughput: LINE.downMbit * BYTES_PER_MBIT,
    uploadThroughput: LINE.downMbit * BYTES_PER_MBIT,
  })
  const watched = await page.evaluate<Watched>(`bench.watch(${JSON.stringify({ address: `/${name}`, forMs })})`)
  await context.close()
  return watched
}

type Engines = ReturnType<typeof openEngines>

/** Percent of the letters of a video that are not read in it; null where it has none. */
async function readErrors(engines: Engines, path: string, { width, height, lines }: Omit<Original, 'kind' | 'path'>) {
  if (lines.length === 0) return null
  const frames = decodeFrames(path, { width, height }, 1)
  const { blocks } = await readScreen(frames, { readLine: engines.readerOf('en') })
  const read = blocks.map(({ text }) => text)
  const { letters, errors } = countErrors(lines, read)
  return (100 * errors) / letters
}

interface Place {
  browser: Browser
  origin: string
  site: string
  engines: Engines
  seconds: number
}

async function measureKind(original: Original, { browser, origin, site, engines, seconds }: Place) {
  const { kind, path } = original
  logProgress(kind)
  const page = await browser.newPage()
  await page.goto(`${origin}/`)
  const names = { original: `${kind}-original.mp4`, small: `${kind}-small.mp4` }
  const made = await makeCopy(page, original, join(site, names.small))
  await page.close()
  const { size: originalBytes } = await stat(path)
  const makingS = made.tookMs / 1000
  const facts = {
    kind,
    originalBytes,
    copyBytes: made.sizeBytes,
    makingS,
    lengthS: seconds,
    makingTimes: makingS / seconds,
  }
  if (made.sizeBytes === null) return { ...facts, ...NOT_WATCHED }
  await copyFile(path, join(site, names.original))
  const watchedSmall = await watch(browser, origin, names.small, seconds * 500)
  const watchedOriginal = await watch(browser, origin, names.original, seconds * 500)
  const before = await readErrors(engines, path, original)
  const asSmall = { ...original, ...sizeCopy(original) }
  // What is lost by the size alone.
  const scaled = await readErrors(engines, path, asSmall)
  const after = await readErrors(engines, join(site, names.small), asSmall)
  const worseByPoints = before === null || after === null ? null : after - before
  const read = { errorsPercent: before, scaledErrorsPercent: scaled, copyErrorsPercent: after, worseByPoints }
  return { ...facts, copyPercent: (100 * made.sizeBytes) / originalBytes, watchedSmall, watchedOriginal, ...read }
}

const NOT_WATCHED = {
  copyPercent: null,
  watchedSmall: null,
  watchedOriginal: null,
  errorsPercent: null,
  scaledErrorsPercent: null,
  copyErrorsPercent: null,
  worseByPoints: null,
}

type Figures = Awaited<ReturnType<typeof measureKind>>

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const inPercent = (percent: number | null) => `${percent?.toFixed(1) ?? '–'} %`
const describe = ({ stalls, stalledMs }: Watched) => `${stalls} stalls, ${inMs(stalledMs)}`

function listRows(figures: Figures): Row[] {
  const { kind, originalBytes, copyBytes, copyPercent, makingS, lengthS, makingTimes } = figures
  const { watchedSmall, watchedOriginal, errorsPercent, scaledErrorsPercent, copyErrorsPercent, worseByPoints } =
    figures
  if (copyBytes === null) return [row(`${kind}: no copy, it would save too little`, inMegabytes(originalBytes))]
  const share = `${inMegabytes(copyBytes)} of ${inMegabytes(originalBytes)}`
  const rows = [
    row(`${kind}: size`, `${share}, ${inPercent(copyPercent)}`),
    row('  making', `${inS(makingS)} for ${inS(lengthS)}, ${makingTimes.toFixed(2)} ×`),
  ]
  if (watchedSmall !== null)
    rows.push(
      gate('  first frame over the line', watchedSmall.firstFrameMs, { atMost: GOALS.firstFrameMs }, inMs),
      gate('  stalls', watchedSmall.stalls, { atMost: GOALS.stalls }, describe(watchedSmall)),
    )
  if (watchedOriginal !== null)
    rows.push(
      row('  first frame of the original', inMs(watchedOriginal.firstFrameMs)),
      gate('  its stalls', watchedOriginal.stalls, { atLeast: GOALS.originalStalls }, describe(watchedOriginal)),
    )
  if (worseByPoints !== null)
    rows.push(
      row('  letters not read', `${inPercent(copyErrorsPercent)}, of the original ${inPercent(errorsPercent)}`),
      row('  of the original made as small without loss', inPercent(scaledErrorsPercent)),
      gate(
        '  more than of the original',
        worseByPoints,
        { atMost: GOALS.worseByPoints },
        (points) => `${points.toFixed(1)} points`,
      ),
    )
  return rows
}

/** The small copy of each kind of video: what it saves, what it takes, how it reads and plays. */
export const scenario: Scenario = {
  options: {
    /** Length of each video. */
    seconds: { type: 'string' },
    /** Only kinds whose names have this, or one of these between commas, in them. */
    only: { type: 'string' },
  },
  tools: ['ffmpeg'],
  needsBrowser: true,
  async measure({ folder, values }) {
    const seconds = Number(values['seconds'] ?? USUAL_S)
    const only = typeof values['only'] === 'string' ? values['only'] : ''
    const site = join(folder, 'site')
    await buildPage(site)
    const { origin, close } = await serveFolder(site)
    const engines = openEngines(join(folder, 'engine'))
    const browser = await openBrowser()
    const measured: Figures[] = []
    for (const original of await makeOriginals(browser, folder, { seconds, only }))
      measured.push(await measureKind(original, { browser, origin, site, engines, seconds }))
    await browser.close()
    await engines.close()
    close()
    return { json: { line: LINE, kinds: measured }, table: measured.flatMap(listRows) }
  },
}
