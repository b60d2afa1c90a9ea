import { useRef } from 'react'
import type { Collection } from '#contract/collection.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { QrCode, QrDownloads } from './qr-code.tsx'
import { NO_LOGIN_NOTE, ShareLink } from './share-dialog.tsx'

interface ShareCollectionProps {
  collection: Pick<Collection, 'title' | 'shareUrl' | 'shared'>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onShared: (isShared: boolean) => void
}

/** How a collection is handed out: one code and one link for all of it. */
export function ShareCollection({ collection, isOpen, onOpenChange, onShared }: ShareCollectionProps) {
  const code = useRef<SVGSVGElement>(null)
  const { title, shareUrl, shared } = collection
  const link = new URL(shareUrl, window.location.origin).href
  return (
    <Dialog {...{ isOpen, onOpenChange }} title="Share this collection" description={title}>
      <div className="grid grid-cols-1 gap-5">
        <div className="grid grid-cols-1 gap-3">
          <QrCode ref={code} link={link} isWorking={shared} />
          <QrDownloads code={code} title={title} link={link} />
        </div>
        <ShareLink
          link={link}
          isWorking={shared}
          note={shared ? NO_LOGIN_NOTE : 'The link and the code lead nowhere while sharing is off.'}
        />
        <div className="border-t border-line pt-5">
          <Switch
            label="Anyone with the link can view"
            description={
              shared
                ? 'Modules whose own sharing is off are left out.'
                : 'The link stops working within a minute. The modules keep their own links.'
            }
            isOn={shared}
            onChange={onShared}
          />
        </div>
      </div>
    </Dialog>
  )
}
