import { afterEach, describe, expect, it, vi } from 'vitest'
import { canShowPicture } from './can-show-picture.ts'
import { findUnseenBy, namePicture } from './picture.ts'

afterEach(() => vi.restoreAllMocks())

describe('namePicture', () => {
  it.each([
    ['avc1.64001f', 'H.264'],
    ['avc3.42c00d', 'H.264'],
    ['avc1.6e0029', 'H.264 for editing (10 bits or 4:2:2)'],
    ['hvc1.1.6.L93.B0', 'HEVC (H.265)'],
    ['hev1.1.6.L93.B0', 'HEVC (H.265)'],
    ['av01.0.04M.08', 'AV1'],
    ['vp09.00.10.08', 'VP9'],
    ['vp8', 'VP8'],
    ['apcn', 'ProRes'],
    ['ap4h', 'ProRes'],
    ['mp4v', 'MPEG-4 (DivX, Xvid)'],
    ['V_MPEG4/ISO/ASP', 'MPEG-4 (DivX, Xvid)'],
    ['V_MPEG2', 'MPEG-2'],
    ['V_THEORA', 'Theora'],
    ['mjpa', 'Motion JPEG'],
    ['V_UNCOMPRESSED', null],
  ])('knows %s', (codec, name) => {
    expect(namePicture(codec)).toBe(name)
  })
})

describe('findUnseenBy', () => {
  it.each([
    ['avc1.42c00d', null],
    ['avc1.64001f', 'video/mp4'],
    ['vp8', 'video/webm'],
    ['vp09.00.10.08', 'video/webm'],
  ])('finds no one for %s', (codec, container) => {
    expect(findUnseenBy(codec, container)).toBeNull()
  })

  it.each([
    ['hvc1.1.6.L93.B0', 'video/quicktime', /Chrome, Edge or Firefox/],
    ['av01.0.04M.08', 'video/mp4', /Safari/],
    ['apcn', 'video/quicktime', /Only Safari on a Mac/],
    ['avc1.6e001f', 'video/mp4', /most phones/],
    ['avc1.7A0028', 'video/quicktime', /most phones/],
    ['V_MPEG2', 'video/x-matroska', /no usual browser/],
    ['avc1.64001f', 'video/x-matroska', /cannot play MKV/],
  ])('says who will not see %s in %s', (codec, container, who) => {
    expect(findUnseenBy(codec, container)).toMatch(who)
  })
})

describe('canShowPicture', () => {
  it('asks the browser about a format that not all of them show', () => {
    const asked: string[] = []
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockImplementation((type) => {
      asked.push(type)
      return type.includes('hvc1') ? '' : 'probably'
    })
    expect([canShowPicture('hvc1.1.6.L93.B0'), canShowPicture('av01.0.04M.08')]).toEqual([false, true])
    expect(asked).toEqual(['video/mp4; codecs="hvc1.1.6.L93.B0"', 'video/mp4; codecs="av01.0.04M.08"'])
  })

  it.each([null, 'avc1.64001f', 'vp8'])('tries %s, whatever the browser says', (codec) => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
    expect(canShowPicture(codec)).toBe(true)
  })
})
