import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Gray } from '../../screen/gray.ts'
import type { LineReading } from '../../screen/line-text.ts'
import { ENGINE_SETTINGS } from '../../screen/to-reading.ts'

type ReadLine = (image: Gray) => Promise<LineReading>

/** Keeps in a file what an engine read of the picture of each line, which is the same the next time. */
export function rememberLines(file: string, readLine: ReadLine): { readLine: ReadLine; save: () => void } {
  const known = new Map<string, LineReading>(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
  return {
    readLine: async (image) => {
      const size = JSON.stringify([image.width, image.height, ENGINE_SETTINGS])
      const key = createHash('sha256').update(size).update(image.data).digest('base64')
      const reading = known.get(key) ?? (await readLine(image))
      known.set(key, reading)
      return reading
    },
    save: () => writeFileSync(file, JSON.stringify([...known])),
  }
}
