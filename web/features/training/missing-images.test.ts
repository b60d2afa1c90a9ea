import { describe, expect, it, vi } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { MissingImages } from './missing-images.ts'

const MODULE = { id: 'm1', totalDuration: 100, posterUrl: null, steps: [{ start: 0 }, { start: 12.5 }] }

function open({ there = [] as string[], canDraw = true, fails = false } = {}) {
  const kept: string[] = []
  const widths: number[] = []
  const callApi = (async ({ path }: { path: string }) => {
    if (fails) throw new Error('no line')
    kept.push(path.replace('/api/modules/m1/images/', ''))
  }) as unknown as CallApi
  const drawing = { can: canDraw }
  const draw = async (width: number) => {
    widths.push(width)
    return drawing.can ? new Blob(['x'], { type: 'image/webp' }) : null
  }
  const isThere = async (url: string) => there.includes(url)
  return { images: new MissingImages({ callApi, draw, isThere }), kept, widths, drawing }
}

describe('MissingImages', () => {
  it('keeps a picture of each step that the video plays past, and a poster a tenth in, once each', async () => {
    const { images, kept, widths } = open()
    for (const seconds of [0.1, 0.4, 5, 10.2, 10.4, 12.4, 12.6, 12.8, 0.2, 50]) await images.note(seconds, MODULE)
    expect(kept).toEqual(['step-0', 'poster', 'step-12500'])
    expect(widths).toEqual([320, 640, 320])
  })

  it('skips existing images, and makes those of new steps', async () => {
    const { images, kept } = open({ there: ['/media/m1/images/step-0?ticket=t'] })
    const module = { ...MODULE, posterUrl: '/media/m1/images/poster?ticket=t' }
    for (const seconds of [0, 10, 12.5]) await images.note(seconds, module)
    expect(kept).toEqual(['step-12500'])
  })

  it('retries where the video was still seeking to that moment', async () => {
    const { images, kept, drawing } = open({ canDraw: false })
    await images.note(12.5, MODULE)
    drawing.can = true
    await images.note(12.6, MODULE)
    expect(kept).toEqual(['step-12500'])
  })

  it('keeps nothing of a video that cannot be drawn, and does not complain when the line is away', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    const dark = open({ canDraw: false })
    await dark.images.note(0, MODULE)
    expect(dark.kept).toEqual([])
    await open({ fails: true }).images.note(0, MODULE)
    expect(info).toHaveBeenCalledOnce()
    info.mockRestore()
  })
})
