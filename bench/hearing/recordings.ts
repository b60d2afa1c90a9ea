import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, parse } from 'node:path'
import { comparableWords } from '#local/testing/word-error-rate.ts'
import { ffmpeg } from '../video.ts'

/** A recording, and the words that are said in it. */
export interface Recording {
  name: string
  path: string
  words: string[]
}

const MEDIA = /\.(?:mp4|m4a|mov|webm|mkv|ogg|mp3|wav|flac)$/i
/** The product takes videos: their audio alone goes into one first. */
const BARE_AUDIO = /\.(?:ogg|mp3|wav|flac)$/i
const ENCODING = ['-c:a', 'aac', '-b:a', '128k']
const REFERENCE = 'reference.txt'

async function readWords(path: string): Promise<string[]> {
  return comparableWords(await readFile(path, 'utf8'))
}

/** The recording that has its folder's name where there is a `reference.txt`, otherwise each beside a text of its name. */
async function readFolder(folder: string): Promise<Recording[]> {
  const media = (await readdir(folder)).filter((file) => MEDIA.test(file)).toSorted()
  const whole = media.find((file) => parse(file).name === basename(folder))
  if (whole !== undefined && existsSync(join(folder, REFERENCE))) {
    const words = await readWords(join(folder, REFERENCE))
    return [{ name: basename(folder), path: join(folder, whole), words }]
  }
  const withTexts = media.filter((file) => existsSync(join(folder, `${parse(file).name}.txt`)))
  return Promise.all(
    withTexts.map(async (file) => {
      const words = await readWords(join(folder, `${parse(file).name}.txt`))
      return { name: parse(file).name, path: join(folder, file), words }
    }),
  )
}

/** The recordings of a folder of folders. @param named of those, the ones whose names have one of these in them */
export async function findRecordings(dir: string, named: readonly string[]): Promise<Recording[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(dir, name))
  const recordings = (await Promise.all(folders.toSorted().map(readFolder))).flat()
  return recordings.filter(({ name }) => named.length === 0 || named.some((part) => name.includes(part)))
}

const BETWEEN_S = 2

/** Joins recordings with silence between them, as one of AAC. */
export async function joinRecordings(recordings: readonly Recording[], folder: string): Promise<Recording> {
  const name = recordings.map((recording) => recording.name).join(' + ')
  const path = join(folder, `${recordings.map((recording) => recording.name).join('-')}.m4a`)
  const inputs = recordings.flatMap((recording) => ['-i', recording.path])
  const pads = recordings.map(
    (_, index) => `[${index}:a]aresample=44100,aformat=channel_layouts=mono,apad=pad_dur=${BETWEEN_S}[a${index}]`,
  )
  const labels = recordings.map((_, index) => `[a${index}]`).join('')
  const filter = [...pads, `${labels}concat=n=${recordings.length}:v=0:a=1[out]`].join(';')
  await ffmpeg([...inputs, '-filter_complex', filter, '-map', '[out]', ...ENCODING, path])
  return { name, path, words: recordings.flatMap(({ words }) => words) }
}

/** Puts audio without a video into a container that the product takes. */
export async function openRecording(recording: Recording, folder: string): Promise<Recording> {
  if (!BARE_AUDIO.test(recording.path)) return recording
  const path = join(folder, `${recording.name}.m4a`)
  await ffmpeg(['-i', recording.path, ...ENCODING, path])
  return { ...recording, path }
}
