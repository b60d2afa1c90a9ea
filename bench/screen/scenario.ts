import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuUsage } from 'node:process'
import { ACCEPTANCE } from '#local/speech/acceptance.ts'
import { readScreen } from '../../screen/read-screen.ts'
import { gate, logProgress, type Row, row, type Scenario, sum } from '../scenario.ts'
import { capture } from './captured.ts'
import { draw } from './drawn.ts'
import { openEngines } from './engine.ts'
import { decodeFrames, encodeCase } from './frames.ts'
import { countCommands, countErrors, type ShownCommand } from './measure.ts'
import { makePictures } from './pictures.ts'
import { findMissing, installCommand } from './programs.ts'
import { measureQuestions } from './questions.ts'
import type { ScreenCase } from './screen-case.ts'
import { countInSteps, writeScreened } from './screened-steps.ts'

/** Frames are made once: programs and their fonts draw the same again. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/bench-screen')
const LINUX = {
  file: 'linux-basic-commands/linux-basic-commands.webm',
  captions: 'linux-basic-commands/captions.vtt',
  width: 944,
  height: 784,
}
/** As the reader in browsers samples. */
const PER_SECOND = 2

const GOALS = {
  commandsExact: { atLeast: 90 },
  commandsWrong: { atMost: 3 },
  errorsAt1080: { atMost: 3 },
  errorsAt720: { atMost: 6 },
  inPictures: { atMost: 0 },
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)
const inPercent = (share: number) => `${share.toFixed(1)} %`

type Engines = ReturnType<typeof openEngines>

async function readCase(engines: Engines, screen: ScreenCase) {
  const clip = await encodeCase(CACHE, screen)
  const { blocks } = await readScreen(decodeFrames(clip, screen, 1), { readLine: engines.readerOf(screen.language) })
  const commands = blocks.filter(({ kind }) => kind === 'command').map(({ text }) => text)
  const read = blocks.map(({ text }) => text)
  const exact = screen.commands.filter((command) => commands.includes(command)).length
  // Keys are commands of the recorder's display.
  const wrong = commands.filter((command) => !screen.commands.includes(command) && !screen.lines.includes(command))
  return { screen, ...countErrors(screen.lines, read), read, exact, wrong }
}

type Result = Awaited<ReturnType<typeof readCase>>

function groupOf({ screen }: Result): string {
  return screen.name.replace(/-\d+$/, '').replace(/-(?:dark|light)$/, '')
}

function errorsOf(results: readonly Result[]): number {
  return percent(sum(results.map(({ errors }) => errors)), sum(results.map(({ letters }) => letters)))
}

function explain({ screen, read, wrong }: Result): string[] {
  const lines = screen.lines.filter((line) => countErrors([line], read).errors > 0)
  return [
    ...lines.map((line) => `${screen.name}: not read: ${line}`),
    ...wrong.map((text) => `${screen.name}: no command: ${text}`),
  ]
}

function toRows(results: readonly Result[]): Row[] {
  const high = results.filter(({ screen }) => screen.height >= 1080)
  const low = results.filter(({ screen }) => screen.height < 1080)
  const commands = sum(results.map(({ screen }) => screen.commands.length))
  const exact = sum(results.map((each) => each.exact))
  return [
    gate('(b) character errors, 1080p and more', errorsOf(high), GOALS.errorsAt1080, inPercent),
    gate('(b) character errors, 720p', errorsOf(low), GOALS.errorsAt720, inPercent),
    row('(b) commands exact', `${exact} of ${commands}`),
    row('(b) commands that are none', String(sum(results.map(({ wrong }) => wrong.length)))),
    ...[...Map.groupBy(results, groupOf)].map(([group, each]) =>
      row(`  ${group} (${each.length})`, inPercent(errorsOf(each))),
    ),
  ]
}

function processorMsSince(startedAt: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(startedAt)
  return (user + system) / 1000
}

/** Reads the screencast of the acceptance media. Null where that is missing. */
async function readLinux(engines: Engines) {
  const path = join(ACCEPTANCE, LINUX.file)
  if (!existsSync(path)) return null
  const shown = JSON.parse(readFileSync(join(import.meta.dirname, 'linux-commands.json'), 'utf8')) as ShownCommand[]
  // Of all threads, the engine's among them: a busy machine lengthens only the time on the wall.
  const startedAt = cpuUsage()
  const frames = decodeFrames(path, LINUX, PER_SECOND)
  const { blocks, readMs } = await readScreen(frames, { readLine: engines.readerOf('en') })
  const processorMs = processorMsSince(startedAt)
  const captions = readFileSync(join(ACCEPTANCE, LINUX.captions), 'utf8')
  return {
    ...countCommands(shown, blocks),
    inSteps: countInSteps(shown, await writeScreened(captions, { readMs, blocks })),
    lines: blocks.length,
    processorMs,
    readMs,
    all: blocks,
  }
}

async function readPictures(engines: Engines) {
  const found: string[] = []
  const pictures = await makePictures(CACHE)
  for (const picture of pictures) {
    logProgress(picture.name)
    const frames = decodeFrames(picture.path, picture, PER_SECOND)
    const { blocks } = await readScreen(frames, { readLine: engines.readerOf('en') })
    found.push(...blocks.map(({ text }) => `${picture.name}: ${text}`))
  }
  return { pictures: pictures.length, found }
}

export const scenario: Scenario = {
  options: {
    /** Only frames whose names have this in them; `questions`: only those about what screencasts show. */
    only: { type: 'string' },
    /** Also lists what was not read. */
    explain: { type: 'boolean' },
    /** (a) is looked at last: without it, nothing is fitted on it. */
    linux: { type: 'boolean' },
    pictures: { type: 'boolean' },
  },
  tools: ['ffmpeg', 'flite'],
  needsBrowser: true,
  async measure({ values, folder }) {
    const engines = openEngines(join(folder, 'data'))
    if (values['only'] === 'questions') return measureQuestions(CACHE, engines).finally(engines.close)
    const missing = findMissing()
    if (missing.length > 0) {
      console.error(`The frames are captured from programs of Debian: run \`${installCommand()}\`.`)
      return null
    }
    mkdirSync(CACHE, { recursive: true })
    const only = typeof values['only'] === 'string' ? new RegExp(values['only']) : /./
    const cases = [...(await capture(CACHE, join(CACHE, 'work'))), ...(await draw(CACHE))].filter(({ name }) =>
      only.test(name),
    )
    const results: Result[] = []
    for (const each of cases) {
      const result = await readCase(engines, each)
      logProgress(`${each.name}: ${inPercent(percent(result.errors, result.letters))}`)
      results.push(result)
    }
    const linux = values['linux'] === true ? await readLinux(engines) : null
    const pictures = values['pictures'] === true ? await readPictures(engines) : null
    await engines.close()
    const rows: Row[] = toRows(results)
    if (linux !== null) {
      rows.push(
        gate('(a) commands exact', percent(linux.exact, linux.shown), GOALS.commandsExact, inPercent),
        gate('(a) commands that are none', percent(linux.wrong.length, linux.blocks), GOALS.commandsWrong, inPercent),
        row('(a) commands in the step of their time', `${linux.inSteps} of ${linux.shown}`),
        row('(a) processor time for its length', `${((100 * linux.processorMs) / linux.readMs).toFixed(0)} %`),
      )
    }
    if (pictures !== null)
      rows.push(
        gate(`(c) texts in ${pictures.pictures} pictures without any`, pictures.found.length, GOALS.inPictures, String),
      )
    const details = values['explain'] === true ? [...results.flatMap(explain), ...(pictures?.found ?? [])] : []
    if (values['explain'] === true && linux !== null) {
      details.push(...linux.missed.map(({ text, fromMs }) => `(a) not read: ${text} at ${fromMs / 1000} s`))
      details.push(...linux.wrong.map(({ text, startMs }) => `(a) no command: ${text} at ${startMs / 1000} s`))
    }
    const json = {
      frames: results.map(({ screen, letters, errors, exact, wrong }) => ({
        name: screen.name,
        letters,
        errors,
        commands: screen.commands.length,
        exact,
        wrong,
      })),
      linux,
      pictures,
    }
    return { json, table: [...details, ...rows] }
  },
}
