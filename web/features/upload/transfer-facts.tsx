import { formatBytes } from '#web/lib/format-bytes.ts'
import { useIsOnline } from '#web/lib/use-is-online.ts'
import { formatLeft } from './format-left.ts'
import type { UploadItem } from './upload-item.ts'

/** Bytes, speed and time left, as far as they are known. */
export function TransferFacts({ item }: { item: UploadItem }) {
  const isOnline = useIsOnline()
  const { transfer, status, sizeBytes, isPaused, isAudioSent } = item
  if (status === 'processing') return <Line>The file has arrived and is being checked.</Line>
  if (!isOnline) return <Line>You are offline. The upload goes on by itself when the connection is back.</Line>
  if (!transfer) return <Line>Getting ready</Line>
  const { sentBytes, bytesPerSecond, leftMs } = transfer
  const facts = [`${formatBytes(sentBytes)} of ${formatBytes(sizeBytes)}`]
  if (!isPaused && bytesPerSecond !== null) facts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (!isPaused && leftMs !== null) facts.push(formatLeft(leftMs))
  return (
    <>
      <Line>{facts.join(' · ')}</Line>
      {isAudioSent && <Line>The audio has arrived already: steps are being made while the video is on its way.</Line>}
    </>
  )
}

function Line({ children }: { children: string }) {
  return <p className="mt-2 text-sm text-ink-soft tabular-nums">{children}</p>
}
