import { once } from 'node:events'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { type Caller, openCaller, openPlainSocket } from '../client.ts'
import { repeatFor, takeTurns, timeMs } from '../rounds.ts'
import {
  type Bench,
  gate,
  inKb,
  inMs,
  logProgress,
  median,
  type Row,
  ratioGate,
  ratioOfRounds,
  row,
  type Scenario,
  sum,
} from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { ffmpeg } from '../video.ts'
import { measureBrowser, PHONE } from './measure-browser.ts'

const REPO = join(import.meta.dirname, '../..')
const VIDEO = join(REPO, 'web/public/sample/adapt-sample.mp4')
const STEP_COUNT = 10
const MODULE_ID = 'benchbenchbenchbench01'
const PAGE = `/share/${MODULE_ID}`
/** Its subject owns the module. */
const TOKEN = 'owner.of.benches'
/** Another person with an account. */
const LEARNER = 'learner.of.benches'
const VISIT = { path: PAGE, headers: { accept: 'text/html' } }

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
async function seedModule(worker: ServedWorker, caller: Caller, folder: string): Promise<void> {
  const store = async (key: string, file: string, contentType: string) => {
    const bytes = await readFile(file)
    const put = { method: 'PUT', path: `/api/bench/objects/${key}`, body: { bytes, contentType } }
    const { etag } = await caller.ask<{ etag: string }>(put)
    return { sourceEtag: etag, sourceSizeBytes: bytes.byteLength }
  }
  const sourceKey = `src/${MODULE_ID}/source`
  const title = 'Change the roll in a label printer'
  const source = {
    sourceKey,
    filename: 'roll.mp4',
    durationMs: 60_000,
    ...(await store(sourceKey, VIDEO, 'video/mp4')),
  }
  await worker.seed({ id: MODULE_ID, userId: TOKEN, title, ...source, hasPoster: true, stepsVersion: 1 }, 0)
  const steps = Array.from({ length: STEP_COUNT }, (_, index) => ({
    title: `Step number ${index + 1} of what is shown`,
    description: 'Press the latch on the right side and lift the cover all the way up, until it clicks into place.',
    start: index * 6,
    end: index * 6 + 6,
  }))
  await caller.ask({ path: `/api/steps/${MODULE_ID}`, as: TOKEN, json: { steps } })
  const poster = join(folder, 'poster.webp')
  await ffmpeg(['-i', VIDEO, '-frames:v', '1', '-vf', 'scale=1280:720', poster])
  await store(`images/${MODULE_ID}/poster`, poster, 'image/webp')
}

/** What a learner loads, gzipped, in kB of 1,000 bytes. */
async function measureBytes(site: string, caller: Caller) {
  const html = await caller.ask<string>(VISIT)
  const kbOf = (content: Buffer) => gzipSync(content).byteLength / 1_000
  const names = await readdir(join(site, 'assets'))
  const kb = async (ending: string, isCounted: (name: string) => boolean = () => true) => {
    const counted = names.filter((name) => name.endsWith(ending) && isCounted(name))
    return sum(await Promise.all(counted.map(async (name) => kbOf(await readFile(join(site, 'assets', name))))))
  }
  /** Loaded when a learner opens the tutor, and by no one else. */
  const isTutor = (name: string) => name.startsWith('link-tutor')
  /** Loaded when a learner follows along. */
  const isFollow = (name: string) => name.startsWith('follow-along')
  /** Loaded when a learner keeps the training on the device. */
  const isKeep = (name: string) => name.startsWith('keep-training')
  /** Loaded where learners report from the steps. */
  const isReport = (name: string) => /^(shared-reports|flag)-/.test(name)
  /** Loaded where steps are asked again of the person whose device it is. */
  const isAsked = (name: string) => name.startsWith('asked-marks')
  /** Loaded in place of the player, where a browser cannot show the video. */
  const isUnseen = (name: string) => name.startsWith('unseen-notice')
  /** Loaded in place of a training that its link does not open, and of what is still being made. */
  const isClosed = (name: string) => /^(without-training|training-at-work)-/.test(name)
  /**
   * Loaded when a video or an image is first enlarged, a video is opened again where it was left, the keys are listed, in
   * Firefox, and for cuts, pauses, tracks, commands or a small copy; the formats are of parts that are opened.
   */
  const isLater = (name: string) =>
    /^(open-zoom|zoomed-video|show-large-image|keys-dialog|pass-over-cuts|fast-pauses|look-at|start-over|other-track-note|caption-room|step-commands|copy-button|quality-stage|format-bytes|format-date)-/.test(
      name,
    )
  const isFirst = (name: string) => html.includes(`/assets/${name}`)
  const themeKb = kbOf(await readFile(join(site, 'theme.js')))
  return {
    /** Scripts without which nothing can be seen or pressed. */
    usableScriptKb: themeKb + (await kb('.js', isFirst)),
    /** All that a visit can load without a tap on tutor, following along or keeping; player and live updates included. */
    allScriptKb:
      themeKb +
      (await kb(
        '.js',
        (name) => ![isTutor, isFollow, isKeep, isReport, isAsked, isUnseen, isClosed, isLater].some((is) => is(name)),
      )),
    laterScriptKb: await kb('.js', isLater),
    tutorScriptKb: await kb('.js', isTutor),
    followScriptKb: await kb('.js', isFollow),
    reportScriptKb: await kb('.js', isReport),
    askedScriptKb: await kb('.js', isAsked),
    keepScriptKb: (await kb('.js', isKeep)) + kbOf(await readFile(join(site, 'kept-worker.js'))),
    /** Style sheets before the first paint, and all. */
    firstStyleKb: await kb('.css', isFirst),
    allStyleKb: await kb('.css'),
    htmlKb: kbOf(Buffer.from(html)),
  }
}

const CROWD = 1_000
/** Sockets that are opened at once; a laptop's listen queue is short. */
const OPEN_AT_ONCE = 100
const SOCKET_ROUNDS = 5
const GIVE_UP_MS = 60_000

/** A thousand sockets at one address. */
async function openCrowd(address: string) {
  const sockets: Socket[] = []
  while (sockets.length < CROWD) {
    sockets.push(...(await Promise.all(Array.from({ length: OPEN_AT_ONCE }, () => openPlainSocket(address)))))
  }
  const signal = () => AbortSignal.timeout(GIVE_UP_MS)
  return {
    /** Settles when the last of them has received the next event. */
    receive: () => Promise.all(sockets.map((socket) => once(socket, 'data', { signal: signal() }))),
    close: () => sockets.forEach((socket) => socket.destroy()),
  }
}

/** What the product says of this module, without a room around it. */
const EVENT = {
  seq: 1,
  kind: 'module',
  status: 'READY',
  progress: 100,
  message: 'Your training is ready.',
  stepsVersion: 1,
  segmentCount: 0,
  uploadPercent: 100,
}

/** @returns how long it takes from a change until the last of a thousand has received it, beside a bare room, in turns */
async function measureSockets(worker: ServedWorker, caller: Caller) {
  const live = `/api/modules/${MODULE_ID}/live`
  // Anyone with the link follows only what is in progress, and this module is ready.
  const ticketCall = { method: 'POST', path: `${live}-ticket`, as: LEARNER }
  const { ticket } = await caller.ask<{ ticket: string }>(ticketCall)
  const room = await openCrowd(`${worker.url}${live}?ticket=${ticket}&cursor=1000`)
  const bare = await openCrowd(`${worker.url}/api/bench/bare-room`)
  const crowds = {
    room: { ...room, publish: () => caller.ask({ path: `/api/bench/change/${MODULE_ID}`, json: {} }) },
    bare: { ...bare, publish: () => caller.ask({ path: '/api/bench/bare-room', json: EVENT }) },
  }
  const measured = await takeTurns(['bare', 'room'] as const, { rounds: SOCKET_ROUNDS, warmUps: 1 }, (name) =>
    timeMs(() => Promise.all([crowds[name].receive(), crowds[name].publish()])),
  )
  room.close()
  bare.close()
  return measured
}

const ANSWERS = { seconds: 3, atOnce: 16 }

/** @returns requests a second of a cached page, of a route that does nothing, and of one that writes its line, in turns */
async function measureAnswers(caller: Caller) {
  const calls = { page: VISIT, bare: { path: '/api/bench/bare' }, bareLine: { path: '/api/bench/bare-line' } }
  const answered = await takeTurns(['page', 'bare', 'bareLine'] as const, { rounds: 3, warmUps: 1 }, (name) =>
    repeatFor(ANSWERS, () => caller.ask(calls[name])),
  )
  const perS = (name: keyof typeof calls) => median(answered[name].map((times) => times.length)) / ANSWERS.seconds
  const ratioTo = (name: 'bare' | 'bareLine') =>
    ratioOfRounds(
      answered.page.map((times, round) => ({ own: times.length, other: answered[name][round]?.length ?? 0 })),
    )
  return {
    cachedPagePerS: perS('page'),
    barePerS: perS('bare'),
    bareLinePerS: perS('bareLine'),
    ratioToBare: ratioTo('bare'),
    ratio: ratioTo('bareLine'),
  }
}

/** @returns how often the worker ran behind the cache for a thousand who came to a cold page at once, and how long all took */
async function measureFirstHits(worker: ServedWorker, caller: Caller) {
  await worker.ask(`/api/bench/cold/${MODULE_ID}`, {})
  const allServedMs = await timeMs(() => Promise.all(Array.from({ length: CROWD }, () => caller.ask(VISIT))))
  return { ...(await worker.ask<{ originRuns: number }>('/api/bench/runs')), allServedMs }
}

function listRows({ bytes, paints, answers, crowd }: Figures): Row[] {
  const { runs, cpuSlowdown, downMbit, latencyMs } = PHONE
  const phone = `Fast 4G (${downMbit} Mbit/s, ${latencyMs} ms), CPU ×${cpuSlowdown}, median of ${runs}:`
  const kb = (value: number) => `${inKb(value)} gz`
  const many = CROWD.toLocaleString('en')
  const received = `${inMs(median(crowd.sockets.room))}, ${inMs(median(crowd.sockets.bare))}`
  const cold = `${many} simultaneous first hits on a cold page`
  const perS = [answers.cachedPagePerS, answers.bareLinePerS, answers.barePerS]
    .map((rate) => rate.toFixed(0))
    .join(', ')
  return [
    gate('JavaScript before the page is usable', bytes.usableScriptKb, { atMost: 25 }, kb),
    gate('JavaScript in all', bytes.allScriptKb, { atMost: 65 }, kb),
    gate(
      'JavaScript of zooming, cuts, commands, small copies and the list of keys',
      bytes.laterScriptKb,
      { atMost: 10 },
      kb,
    ),
    gate('JavaScript of the tutor', bytes.tutorScriptKb, { atMost: 20 }, kb),
    gate('JavaScript of following along', bytes.followScriptKb, { atMost: 20 }, kb),
    gate('JavaScript of reports from the steps', bytes.reportScriptKb, { atMost: 8 }, kb),
    gate('JavaScript of steps that are asked again', bytes.askedScriptKb, { atMost: 5 }, kb),
    gate('JavaScript of keeping a training, with its service worker', bytes.keepScriptKb, { atMost: 20 }, kb),
    row('CSS before the first paint, in all', `${kb(bytes.firstStyleKb)}, ${kb(bytes.allStyleKb)}`),
    row('HTML with the module in it', kb(bytes.htmlKb)),
    gate(`${phone} largest contentful paint`, paints.largestPaintMs, { atMost: 2_500 }, inMs),
    row(`${phone} steps can be pressed`, inMs(paints.usableMs)),
    row(`${phone} interactive`, inMs(paints.interactiveMs)),
    gate(`${phone} cumulative layout shift`, paints.layoutShift, { atMost: 0.1 }, (shift) => shift.toFixed(3)),
    row(`${phone} click to first frame`, inMs(paints.clickToFrameMs)),
    row(`${phone} the same, pressed as early as can be`, inMs(paints.earlyClickToFrameMs)),
    row('Requests a second of a cached page, of a bare route that writes a line, of one that writes none', perS),
    ratioGate('The page against the bare route that writes a line', answers.ratio, { atLeast: 0.7 }),
    row('The page against the one that writes none', answers.ratioToBare.median.toFixed(2)),
    row(`${many} sockets of one module: all have received a change, an event of a bare room after`, received),
    ratioGate('The same, as a ratio', crowd.socketsRatio, { atMost: 1.3 }),
    gate(`${cold}: runs of the worker behind the cache`, crowd.originRuns, { atMost: 1 }, String),
    row(`${cold}: all served after`, inMs(crowd.allServedMs)),
  ]
}

type Figures = Awaited<ReturnType<typeof measureAll>>

async function measureAll({ folder, serve }: Bench) {
  const site = join(folder, 'site')
  logProgress('building the page, starting the worker')
  await buildShare(site)
  const worker = await serve({ assets: site })
  const caller = openCaller(worker.url, CROWD)
  await seedModule(worker, caller, folder)
  const bytes = await measureBytes(site, caller)
  logProgress('a cached page beside a bare route')
  const answers = await measureAnswers(caller)
  logProgress(`${CROWD} learners at once`)
  const sockets = await measureSockets(worker, caller)
  const socketsRatio = ratioOfRounds(
    sockets.room.map((own, round) => ({ own, other: sockets.bare[round] ?? Number.NaN })),
  )
  const crowd = { sockets, socketsRatio, ...(await measureFirstHits(worker, caller)) }
  caller.close()
  logProgress(`${PHONE.runs} visits of a slow phone`)
  const paints = await measureBrowser(worker.url + PAGE)
  return { bytes, paints, answers, crowd }
}

/** A shared page: its weight, its paints on a slow phone, and a thousand learners at once. */
export const scenario: Scenario = {
  tools: ['ffmpeg'],
  needsBrowser: true,
  async measure(bench) {
    const figures = await measureAll(bench)
    return { json: { conditions: { ...PHONE, crowd: CROWD }, ...figures }, table: listRows(figures) }
  },
}
