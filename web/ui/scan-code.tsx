import { QRCodeSVG } from 'qrcode.react'

const SIZE_PX = 200
/** White around the code that ISO/IEC 18004 asks for, in its own squares. */
const QUIET_ZONE = 4

/** A text for cameras: dark on white in both colour schemes, because many readers see nothing else. */
export function ScanCode({ text, title }: { text: string; title: string }) {
  return (
    <div className="mx-auto w-fit overflow-hidden rounded-card border border-line bg-white">
      <QRCodeSVG value={text} size={SIZE_PX} level="M" marginSize={QUIET_ZONE} title={title} />
    </div>
  )
}
