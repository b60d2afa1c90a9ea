import { Lock } from 'lucide-react'
import { QRCodeSVG } from 'qrcode.react'
import { type Ref, useDeferredValue } from 'react'

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
          title={isWorking ? 'QR code of the link' : 'QR code of the link, not working while sharing is off'}
          className={isWorking ? 'block' : 'block opacity-15'}
        />
      )}
      {!isWorking && (
        <p className="absolute inset-0 flex flex-col items-center justify-center gap-2 text-sm font-medium text-black">
          <Lock aria-hidden="true" className="size-6" />
          Not working
        </p>
      )}
    </div>
  )
}
