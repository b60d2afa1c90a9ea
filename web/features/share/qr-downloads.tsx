import { Download, Share } from 'lucide-react'
import type { RefObject } from 'react'
import { toast } from 'sonner'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { pngFileOf, qrFilename, svgFileOf } from './qr-file.ts'

interface QrDownloadsProps {
  code: RefObject<SVGSVGElement | null>
  title: string
  link: string
}

/** The code as a file to print beside a machine, and the link by whatever this device shares with. */
export function QrDownloads({ code, title, link }: QrDownloadsProps) {
  async function savePng() {
    if (!code.current) return
    try {
      saveFile(await pngFileOf(code.current), qrFilename(title, 'png'))
    } catch {
      toast.error('The picture could not be made', { description: 'Please download the SVG instead.' })
    }
  }
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <Button variant="secondary" size="small" onClick={savePng}>
        <Download aria-hidden="true" className="size-4" />
        PNG
        <span className="sr-only">file of the QR code</span>
      </Button>
      <Button
        variant="secondary"
        size="small"
        onClick={() => code.current && saveFile(svgFileOf(code.current), qrFilename(title, 'svg'))}
      >
        <Download aria-hidden="true" className="size-4" />
        SVG
        <span className="sr-only">file of the QR code</span>
      </Button>
      {'share' in navigator && (
        <Button variant="secondary" size="small" onClick={() => shareWith({ title, url: link })}>
          <Share aria-hidden="true" className="size-4" />
          Send…
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
    toast.error('This device could not share the link', { description: 'Please copy it instead.' })
  }
}
