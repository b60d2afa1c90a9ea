import { ExternalLink, Lock, QrCode, Share2 } from 'lucide-react'
import { useState } from 'react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { fillMarks, HIDDEN } from '#web/ui/fill-marks.tsx'
import { type RenderShareWarnings, ShareDialog, type SharedThing, sayOwners, sayWho } from './share-dialog.tsx'
import { ShareLink } from './share-link.tsx'

interface ShareProps {
  module: SharedThing
  renderWarnings?: RenderShareWarnings
}

/** Opens the share dialog from the head of a training, where it is in reach without scrolling. */
export function ShareButton({ module, renderWarnings }: ShareProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        aria-label={m.share_titled({ title: module.title })}
        onClick={() => setIsOpen(true)}
        className="shrink-0"
      >
        <Share2 aria-hidden="true" className="size-4" />
        {/* On the narrowest phones the title needs the width. */}
        <span className="max-[22.5rem]:hidden">{m.share_action()}</span>
      </Button>
      <ShareDialog module={isOpen ? module : null} {...{ renderWarnings }} onClose={() => setIsOpen(false)} />
    </>
  )
}

/** The link to hand out, beside the training. */
export function ShareCard({ module, renderWarnings }: ShareProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card className="p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">{m.share_this_training()}</h2>
        <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
          <QrCode aria-hidden="true" className="size-4" />
          {m.share_action()}
        </Button>
      </div>
      {module.shared ? (
        <div className="mt-3">
          <ShareLink
            link={new URL(module.shareUrl, window.location.origin).href}
            isWorking
            note={sayWho(module)}
            action={
              <a
                href={module.shareUrl}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-6 items-center gap-1.5 rounded-chip text-sm font-medium text-brand-ink hover:underline"
              >
                {/* One item, so that the spaces within it stay. */}
                <span>{fillMarks(m.open_shared_page(), HIDDEN)}</span>
                <ExternalLink aria-hidden="true" className="size-3.5" />
              </a>
            }
          />
        </div>
      ) : (
        <p className="mt-2 flex gap-2 text-sm text-ink-soft">
          <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {sayOwners(module, { you: m.sharing_is_off_only_you, people: m.sharing_is_off_only_people })}
        </p>
      )}
      <ShareDialog module={isOpen ? module : null} {...{ renderWarnings }} onClose={() => setIsOpen(false)} />
    </Card>
  )
}
