import { createWorker, type WorkerParams } from 'tesseract.js'
import { type Gray, toPgm } from '#screen/gray.ts'
import type { LineReading } from '#screen/line-text.ts'
import { ENGINE_SETTINGS, toReading } from '#screen/to-reading.ts'
import { ENGINE_FOLDER } from './engine-files.ts'

/** The engine that reads the picture of a line. */
export interface Engine {
  readLine: (image: Gray) => Promise<LineReading>
  close: () => void
}

/** Loads the engine, which runs in a web worker of its own. @throws where it cannot be loaded or run */
export async function openEngine(languages: readonly string[]): Promise<Engine> {
  const folder = `${location.origin}${ENGINE_FOLDER}`
  const engine = await createWorker([...languages], 1, {
    workerPath: `${folder}/worker.min.js`,
    corePath: folder,
    langPath: folder,
    // A script of a blob would have the policy of this one, which allows no WebAssembly.
    workerBlobURL: false,
    // The browser keeps the files by their address.
    cacheMethod: 'none',
    errorHandler: (error: unknown) => console.info('A line of the screen could not be read', error),
  })
  await engine.setParameters(ENGINE_SETTINGS as Partial<WorkerParams>)
  return {
    readLine: async (image) => {
      const { data } = await engine.recognize(new Blob([toPgm(image)]), {}, { blocks: true, text: false })
      return toReading(data)
    },
    close: () => void engine.terminate(),
  }
}
