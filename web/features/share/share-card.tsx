import { ExternalLink, Lock, QrCode } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { ShareDialog, type SharedThing } from './share-dialog.tsx'

/** The link to hand out, beside the training. */
export function ShareCard({ module }: { module: SharedThing }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card className="p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">Share this training</h2>
        <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
          <QrCode aria-hidden="true" className="size-4" />
          Share
        </Button>
      </div>
      {module.shared ? (
        <ShareField shareUrl={module.shareUrl} />
      ) : (
        <p className="mt-2 flex gap-2 text-sm text-ink-soft">
          <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          Sharing is off: only you and people of your organization can open this training.
        </p>
      )}
      <ShareDialog module={isOpen ? module : null} onClose={() => setIsOpen(false)} />
    </Card>
  )
}

function ShareField({ shareUrl }: { shareUrl: string }) {
  const fieldId = useId()
  const link = new URL(shareUrl, window.location.origin).href
  return (
    <>
      <label htmlFor={fieldId} className="mt-1 block text-sm text-ink-soft">
        Anyone with this link can watch. No login required.
      </label>
      {/* Two lines hold all of it; one would hide the end, which is what tells links apart. */}
      <Textarea
        id={fieldId}
        readOnly
        rows={2}
        value={link}
        onFocus={(event) => event.target.select()}
        className="mt-3 block resize-none field-sizing-content font-mono text-xs break-all"
      />
      <div className="mt-2 flex items-center gap-4">
        <CopyButton text={link} variant="primary" className="flex-1" />
        <a
          href={shareUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-10 items-center gap-1.5 rounded-chip text-sm font-medium text-brand-ink hover:underline"
        >
          Open
          <ExternalLink aria-hidden="true" className="size-3.5" />
          <span className="sr-only">the shared page in a new tab</span>
        </a>
      </div>
    </>
  )
}
