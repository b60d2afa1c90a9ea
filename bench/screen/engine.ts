import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker } from 'tesseract.js'
import { engineLanguagesFor } from '#web/features/screen/engine-files.ts'
import { type Gray, toPgm } from '../../screen/gray.ts'
import type { LineReading } from '../../screen/line-text.ts'
import { ENGINE_SETTINGS, toReading } from '../../screen/to-reading.ts'

const { resolve } = createRequire(import.meta.url)

/** Opens engines of the product's kind, one for each language. */
export function openEngines(folder: string) {
  const engines = new Map<string, ReturnType<typeof createWorker>>()
  const open = async (names: readonly string[]) => {
    mkdirSync(folder, { recursive: true })
    for (const name of names) {
      const file = `${name}.traineddata.gz`
      const source = join(dirname(resolve(`@tesseract.js-data/${name}/package.json`)), '4.0.0_best_int', file)
      if (!existsSync(join(folder, file))) copyFileSync(source, join(folder, file))
    }
    const fail = (error: unknown) => console.error('The engine failed', error)
    const engine = await createWorker([...names], 1, { langPath: folder, cacheMethod: 'none', errorHandler: fail })
    await engine.setParameters(ENGINE_SETTINGS as never)
    return engine
  }
  return {
    readerOf: (language: string) => {
      const names = engineLanguagesFor(language)
      return async (image: Gray): Promise<LineReading> => {
        const key = names.join('+')
        const engine = engines.get(key) ?? open(names)
        engines.set(key, engine)
        const { data } = await (await engine).recognize(Buffer.from(toPgm(image)), {}, { blocks: true, text: false })
        return toReading(data)
      }
    },
    close: async () => {
      for (const engine of engines.values()) await (await engine).terminate()
    },
  }
}
