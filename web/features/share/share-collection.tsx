import { useRef } from 'react'
import type { Collection } from '#contract/collection.ts'
import * as m from '#messages'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { QrCode, QrDownloads } from './qr-code.tsx'
import { NO_LOGIN_NOTE } from './share-dialog.tsx'
import { ShareLink } from './share-link.tsx'

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
    <Dialog {...{ isOpen, onOpenChange }} title={m.share_this_collection()} description={title}>
      <div className="grid grid-cols-1 gap-5">
        <div className="grid grid-cols-1 gap-3">
          <QrCode ref={code} link={link} isWorking={shared} />
          <QrDownloads code={code} title={title} link={link} />
        </div>
        <ShareLink link={link} isWorking={shared} note={shared ? NO_LOGIN_NOTE : m.the_link_and_the_code()} />
        <div className="border-t border-line pt-5">
          <Switch
            label={m.anyone_with_link_can_view()}
            description={shared ? m.modules_whose_own_sharing_is() : m.the_link_stops_working_within()}
            isOn={shared}
            onChange={onShared}
          />
        </div>
      </div>
    </Dialog>
  )
}
