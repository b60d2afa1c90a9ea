import { Download, Lock, Share } from 'lucide-react'
import { QRCodeSVG } from 'qrcode.react'
import { type Ref, type RefObject, useDeferredValue } from 'react'
import { toast } from 'sonner'
import * as m from '#messages'
import { saveFile } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'

/** @see specification §9 */
const SIZE_PX = 200
/** White around the code that ISO/IEC 18004 asks for, in its own squares. */
const QUIET_ZONE = 4

interface QrCodeProps {
  ref: Ref<SVGSVGElement>
  link: string
  /** Whether the link leads anywhere. */
  isWorking: boolean
}

/** The link for cameras: dark on white in both colour schemes, because many readers see nothing else. */
export function QrCode({ ref, link, isWorking }: QrCodeProps) {
  // Right after the dialog: it is what takes longest to draw, and its place is known.
  const isDrawn = useDeferredValue(true, false)
  return (
    <div className="relative mx-auto size-50.5 overflow-hidden rounded-card border border-line bg-white">
      {isDrawn && (
        <QRCodeSVG
          ref={ref}
          value={link}
          size={SIZE_PX}
          level="M"
          marginSize={QUIET_ZONE}
          title={isWorking ? m.qr_code_of_the_link() : m.qr_code_of_the_link_not()}
          className={isWorking ? 'block' : 'block opacity-15'}
        />
      )}
      {!isWorking && (
        <p className="absolute inset-0 flex flex-col items-center justify-center gap-2 text-sm font-medium text-black">
          <Lock aria-hidden="true" className="size-6" />
          {m.not_working()}
        </p>
      )}
    </div>
  )
}

interface QrDownloadsProps {
  code: RefObject<SVGSVGElement | null>
  title: string
  link: string
}

/** The code as a file to print beside a machine, and the link by whatever this device shares with. */
export function QrDownloads({ code, title, link }: QrDownloadsProps) {
  async function save(extension: keyof typeof DRAWERS) {
    if (!code.current) return
    try {
      saveFile(await DRAWERS[extension](code.current), qrFilename(title, extension))
    } catch {
      toast.error(m.the_picture_could_not_be(), { description: m.please_download_the_svg_instead() })
    }
  }
  return (
    <div className="flex flex-wrap justify-center gap-2">
      {(['png', 'svg'] as const).map((extension) => (
        <Button key={extension} variant="secondary" size="small" onClick={() => save(extension)}>
          <Download aria-hidden="true" className="size-4" />
          {extension.toUpperCase()}
          <span className="sr-only">{m.file_of_the_qr_code()}</span>
        </Button>
      ))}
      {'share' in navigator && (
        <Button variant="secondary" size="small" onClick={() => shareWith({ title, url: link })}>
          <Share aria-hidden="true" className="size-4" />
          {m.send_to_device()}
        </Button>
      )}
    </div>
  )
}

async function shareWith(what: { title: string; url: string }): Promise<void> {
  try {
    await navigator.share(what)
  } catch (error) {
    // Closing the sheet again is no failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast.error(m.this_device_could_not_share(), { description: m.please_copy_it_instead() })
  }
}

/** Of a printed code: 10 cm at 300 dots per inch. */
const PRINT_PX = 1200
const SVG_TYPE = 'image/svg+xml'

/** The drawn code as a file that stands alone, in the size that it is printed in. */
function svgFileOf(svg: SVGSVGElement): Blob {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(PRINT_PX))
  copy.setAttribute('height', String(PRINT_PX))
  copy.removeAttribute('class')
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: SVG_TYPE })
}

/** The same as pixels. @throws when the browser cannot draw it */
async function pngFileOf(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgFileOf(svg))
  try {
    const image = new Image(PRINT_PX, PRINT_PX)
    image.src = url
    await image.decode()
    const canvas = new OffscreenCanvas(PRINT_PX, PRINT_PX)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    context.imageSmoothingEnabled = false
    context.drawImage(image, 0, 0, PRINT_PX, PRINT_PX)
    return await canvas.convertToBlob({ type: 'image/png' })
  } finally {
    URL.revokeObjectURL(url)
  }
}

const DRAWERS = { png: pngFileOf, svg: svgFileOf } as const

/** `Change the filter` → `change-the-filter-qr.png`. */
function qrFilename(title: string, extension: 'png' | 'svg'): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `${words === '' ? 'training' : words}-qr.${extension}`
}
