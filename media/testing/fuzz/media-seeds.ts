import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMedia, steadyPackets } from '../make-media.ts'
import { type MediaSeed, tryVideo } from './fuzz-media.ts'

const FIXTURES = join(import.meta.dirname, '../../../local/media/fixtures')

/** Whole videos, of every container and as ffmpeg and browsers write them. */
export async function makeSeeds(): Promise<MediaSeed[]> {
  const files = readdirSync(FIXTURES).filter((name) => /\.(mp4|webm)$/.test(name))
  const found = files.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(FIXTURES, name))) }))
  const made = (['mp4', 'fragmented', 'mov', 'webm', 'live', 'mkv'] as const).map(async (name) => ({
    name,
    bytes: await makeMedia(name, steadyPackets(120)),
  }))
  return [...found, ...(await Promise.all(made))].map((video) => ({ ...video, tryFile: tryVideo }))
}
