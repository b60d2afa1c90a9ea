import { ChevronUp, EllipsisVertical, Trash2, Volume2, VolumeX } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { Menu } from '#web/ui/menu.tsx'
import type { TutorPanelState } from './use-tutor-panel.ts'

/** How answers are given, and what to do with the conversation as a whole. */
export function TutorTools(props: { panel: TutorPanelState; canClose: boolean; onForget: () => void }) {
  const { aloud, tutor, opening } = props.panel
  const [isAsking, setIsAsking] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const VolumeIcon = aloud.isOn ? Volume2 : VolumeX
  return (
    <div className="flex items-center gap-0.5">
      {aloud.isSpeaking && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => {
            // It goes away with what it stops.
            toggle.current?.focus()
            aloud.stop()
          }}
        >
          Stop reading
        </Button>
      )}
      {aloud.isPossible && (
        <Button
          ref={toggle}
          variant="ghost"
          size="icon"
          aria-label="Read answers aloud"
          aria-pressed={aloud.isOn}
          title="Read answers aloud"
          onClick={aloud.toggle}
          className={aloud.isOn ? 'text-brand-ink!' : undefined}
        >
          <VolumeIcon aria-hidden="true" className="size-5" />
        </Button>
      )}
      {tutor.turns.length > 0 && (
        <Menu
          variant="ghost"
          size="icon"
          aria-label="More about this conversation"
          actions={[{ icon: Trash2, label: 'Clear conversation', onSelect: () => setIsAsking(true) }]}
        >
          <EllipsisVertical aria-hidden="true" className="size-5" />
        </Menu>
      )}
      {props.canClose && (
        <Button variant="ghost" size="icon" aria-label="Hide the tutor" aria-expanded onClick={opening.close}>
          <ChevronUp aria-hidden="true" className="size-5" />
        </Button>
      )}
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Clear this conversation?"
        description="Your questions about this video and the answers to them are taken off all your devices."
        confirmLabel="Clear"
        onConfirm={props.onForget}
      />
    </div>
  )
}
