import * as m from '#messages'
import { isEverybodys, UNUSUAL_H264 } from './can-show-picture.ts'

/** Names of picture formats as people know them, by how codec strings and containers' own names for them begin. */
const FORMATS: readonly (readonly [begin: RegExp, name: string])[] = [
  [UNUSUAL_H264, 'H.264 for editing (10 bits or 4:2:2)'],
  [/^(avc\d|V_MPEG4\/ISO\/AVC)/, 'H.264'],
  [/^(hvc1|hev1|dvh|V_MPEGH)/, 'HEVC (H.265)'],
  [/^av01/, 'AV1'],
  [/^vp0?9/, 'VP9'],
  [/^vp0?8/, 'VP8'],
  [/^ap[4c]/, 'ProRes'],
  [/^(mp4v|V_MPEG4)/, 'MPEG-4 (DivX, Xvid)'],
  [/^(m[12]v|mpg|V_MPEG[12])/i, 'MPEG-2'],
  [/^V_THEORA/, 'Theora'],
  [/^(m?jpe?g|mjp|V_MJPEG)/i, 'Motion JPEG'],
]

/** The name of a picture format; null for one without a known name. */
export function namePicture(codec: string): string | null {
  return FORMATS.find(([begin]) => begin.test(codec))?.[1] ?? null
}

/**
 * Who will not see a video with this picture, in a sentence; null where every usual browser plays it.
 * @param container as its first bytes show
 */
export function findUnseenBy(codec: string, container: string | null = null): string | null {
  if (/^(hvc1|hev1)/.test(codec)) {
    return m.learners_in_chrome_edge_or()
  }
  if (codec.startsWith('av01')) return m.learners_in_safari_on_most()
  if (/^ap[4c]/.test(codec)) return m.only_safari_on_a_mac()
  if (UNUSUAL_H264.test(codec)) return m.learners_in_safari_in_firefox()
  if (!isEverybodys(codec)) return m.learners_will_not_see_it()
  return container === 'video/x-matroska' ? m.learners_in_safari_on_iphones() : null
}
