import { afterEach, expect, it, vi } from 'vitest'
import { REPORT_PHOTO_MAX_BYTES } from '#contract/limits.ts'
import { redrawPhoto } from './redraw-photo.ts'

/** What the browser was asked to write, and how wide the picture was then. */
const written: { type: string; quality: number; width: number; height: number }[] = []

/** How many pictures have given their memory back. */
let closed = 0

/** A browser whose pictures have so many bytes for each pixel and quality; jsdom draws nothing. */
function stubCanvas({ size = [4_000, 3_000], bytesPerPixel = 0.1, writes = ['image/webp', 'image/jpeg'] } = {}) {
  const [width = 0, height = 0] = size
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    if (!file.type.startsWith('image/')) throw new DOMException('no picture', 'InvalidStateError')
    return { width, height, close: () => void (closed += 1) }
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage: () => {} } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, take, type, q) {
    const [asked, quality] = [String(type), Number(q)]
    written.push({ type: asked, quality, width: this.width, height: this.height })
    const bytes = Math.round(this.width * this.height * bytesPerPixel * quality)
    take(new Blob(['x'.repeat(bytes)], { type: writes.includes(asked) ? asked : 'image/png' }))
  })
}

afterEach(() => {
  written.length = 0
  closed = 0
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const PHOTO = new Blob(['a photo'], { type: 'image/jpeg' })

it('draws a photo again, as large as it may be', async () => {
  stubCanvas()
  const drawn = await redrawPhoto(PHOTO)
  expect(drawn?.type).toBe('image/webp')
  expect(atob(drawn?.base64 ?? '')).toMatch(/^x+$/)
  expect(written).toEqual([{ type: 'image/webp', quality: 0.8, width: 1_280, height: 960 }])
  expect(closed).toBe(1)
})

it('lowers the quality and then the size until it is small enough', async () => {
  stubCanvas({ bytesPerPixel: 0.4 })
  const drawn = await redrawPhoto(PHOTO)
  expect(atob(drawn?.base64 ?? '').length).toBeLessThanOrEqual(REPORT_PHOTO_MAX_BYTES)
  expect(written.map(({ width, quality }) => [width, quality])).toEqual([
    [1_280, 0.8],
    [1_280, 0.6],
    [960, 0.6],
    [720, 0.5],
  ])
})

it('writes a JPEG where the browser writes no WebP, and never enlarges', async () => {
  stubCanvas({ size: [300, 400], writes: ['image/jpeg'] })
  expect((await redrawPhoto(PHOTO))?.type).toBe('image/jpeg')
  expect(written.at(-1)).toMatchObject({ type: 'image/jpeg', width: 300, height: 400 })
})

it('takes nothing that is no picture, or stays too large', async () => {
  stubCanvas({ bytesPerPixel: 4 })
  expect(await redrawPhoto(new Blob(['<script>'], { type: 'text/html' }))).toBeNull()
  expect(await redrawPhoto(PHOTO)).toBeNull()
  expect(closed).toBe(1)
})
