import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { CODE, interfaceTexts } from '../screen/texts.ts'
import { ffmpeg, SPOKEN_LIKE } from '../video.ts'

/** A video as people record it, and the lines that can be read in it; none of a camera. */
export interface Original {
  kind: string
  path: string
  width: number
  height: number
  lines: readonly string[]
}

interface Kind {
  kind: string
  width: number
  height: number
  /** Kilobits a second that such a recorder writes. */
  videoKbps: number
  /** Lines of each picture; left out for a camera. */
  pictures?: readonly (readonly string[])[]
  style?: string
}

const SCREEN_STYLE = "background:#1e1e1e;color:#ddd;font:15px/1.5 'DejaVu Sans Mono'"
const SLIDE_STYLE = "background:#fff;color:#123;font:40px/1.6 'DejaVu Sans'"
const PICTURES = 4

/** What each kind weighs is in the middle of what recorders of such pictures write. */
const KINDS: readonly Kind[] = [
  { kind: 'screen-1080p', width: 1920, height: 1080, videoKbps: 4_000, pictures: listCode(), style: SCREEN_STYLE },
  { kind: 'screen-4k', width: 3840, height: 2160, videoKbps: 12_000, pictures: listCode(), style: SCREEN_STYLE },
  { kind: 'slides', width: 1920, height: 1080, videoKbps: 2_500, pictures: listSlides(), style: SLIDE_STYLE },
  { kind: 'camera', width: 1920, height: 1080, videoKbps: 8_000 },
]

function listCode(): string[][] {
  return Array.from({ length: PICTURES }, (_, at) => [...(CODE[at % CODE.length] ?? [])])
}

function listSlides(): string[][] {
  return Array.from({ length: PICTURES }, (_, at) => [...interfaceTexts('en', at * 7, 6)])
}

/** Makes a video of each kind whose name has one of some texts in it, which commas part. */
export async function makeOriginals(
  browser: Browser,
  folder: string,
  { seconds, only }: { seconds: number; only: string },
): Promise<Original[]> {
  const originals: Original[] = []
  const isMeant = ({ kind }: Kind) => only.split(',').some((each) => kind.includes(each))
  for (const kind of KINDS.filter(isMeant)) originals.push(await makeOriginal(browser, folder, { ...kind, seconds }))
  return originals
}

async function makeOriginal(
  browser: Browser,
  folder: string,
  { kind, width, height, videoKbps, pictures, style = '', seconds }: Kind & { seconds: number },
): Promise<Original> {
  const path = join(folder, `${kind}.mp4`)
  const picture =
    pictures === undefined
      ? // A scene that moves everywhere, with the grain of a sensor.
        ['-f', 'lavfi', '-i', `mandelbrot=s=${width}x${height}:r=30,noise=alls=8:allf=t`]
      : await drawPictures(browser, folder, { kind, height, pictures, style, seconds })
  const rate = `${videoKbps}k`
  const encoded = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -r 30 -g 120 -x264-params nal-hrd=cbr:force-cfr=1`
  const constant = `-b:v ${rate} -minrate ${rate} -maxrate ${rate} -bufsize ${rate} -c:a aac -b:a 128k -movflags +faststart`
  const options = [...encoded.split(' '), ...constant.split(' ')]
  await ffmpeg([
    ...picture,
    '-f',
    'lavfi',
    '-i',
    SPOKEN_LIKE,
    '-vf',
    `scale=${width}:${height}`,
    '-t',
    String(seconds),
    ...options,
    path,
  ])
  return { kind, path, width, height, lines: pictures?.flat() ?? [] }
}

interface Drawing extends Pick<Original, 'height'> {
  kind: string
  pictures: readonly (readonly string[])[]
  style: string
  seconds: number
}

/** Draws pages of text. @returns what ffmpeg reads them by, one after the other */
async function drawPictures(browser: Browser, folder: string, drawing: Drawing): Promise<string[]> {
  const { kind, height, pictures, style, seconds } = drawing
  const zoom = height / 1080
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, deviceScaleFactor: zoom })
  const list: string[] = []
  for (const [at, lines] of pictures.entries()) {
    await page.setContent(`<!doctype html><body style="margin:0;padding:60px;white-space:pre;${style}"></body>`)
    await page.evaluate((text) => (document.body.textContent = text), lines.join('\n'))
    const file = join(folder, `${kind}-${at}.png`)
    await page.screenshot({ path: file })
    list.push(`file '${file}'`, `duration ${seconds / pictures.length}`)
  }
  await page.close()
  const listFile = join(folder, `${kind}.txt`)
  await writeFile(listFile, list.join('\n'))
  return ['-f', 'concat', '-safe', '0', '-i', listFile]
}
