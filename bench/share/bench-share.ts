import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureTools, orEnd } from '#local/start/ensure-tools.ts'
import { ensureChromium } from '#local/start/find-chromium.ts'
import { noiseSince, readLoad } from '../shared/noise.ts'
import { tell } from '../shared/tell.ts'
import { measureAnswers } from './measure-answers.ts'
import { measureBrowser, PHONE } from './measure-browser.ts'
import { measureBytes } from './measure-bytes.ts'
import { CROWD, measureCrowd } from './measure-crowd.ts'
import { MODULE_ID } from './planted.ts'
import { type Figures, printReport } from './report.ts'
import { buildShare, serveShare } from './serve-share.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

await orEnd(ensureTools(['ffmpeg']))
await orEnd(ensureChromium())
const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-share-'))
const site = join(stateFolder, 'site')

async function measureAll(): Promise<Figures> {
  const loadAtFirst = readLoad()
  tell('building the page, starting the worker')
  await buildShare(site)
  const worker = await serveShare(stateFolder, site)
  try {
    const { url } = worker
    const bytes = await measureBytes(site, url)
    tell('a page against a file and a bare route')
    const targets = { page: `${url}/share/${MODULE_ID}`, file: `${url}/favicon.svg`, bare: `${url}/api/bench/bare` }
    const answers = await measureAnswers(targets)
    tell(`${CROWD} learners at once`)
    const crowd = await measureCrowd(url)
    tell(`${PHONE.runs} visits of a slow phone`)
    const paints = await measureBrowser(url)
    return { bytes, paints, answers, crowd, noise: noiseSince(loadAtFirst) }
  } finally {
    await worker.stop()
  }
}

try {
  const figures = await measureAll()
  if (values.json) console.log(JSON.stringify({ conditions: { ...PHONE, crowd: CROWD }, ...figures }, null, 2))
  else if (!printReport(figures)) process.exitCode = 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
