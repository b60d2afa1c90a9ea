import { ChevronUp, EllipsisVertical, Trash2, Volume2, VolumeX } from 'lucide-react'
import { useRef, useState } from 'react'
import * as m from '#messages'
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
          {m.stop_reading()}
        </Button>
      )}
      {aloud.isPossible && (
        <Button
          ref={toggle}
          variant="ghost"
          size="icon"
          aria-label={m.read_answers_aloud()}
          aria-pressed={aloud.isOn}
          title={m.read_answers_aloud()}
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
          aria-label={m.more_about_this_conversation()}
          actions={[{ icon: Trash2, label: m.clear_conversation(), onSelect: () => setIsAsking(true) }]}
        >
          <EllipsisVertical aria-hidden="true" className="size-5" />
        </Menu>
      )}
      {props.canClose && (
        <Button variant="ghost" size="icon" aria-label={m.hide_the_tutor()} aria-expanded onClick={opening.close}>
          <ChevronUp aria-hidden="true" className="size-5" />
        </Button>
      )}
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.clear_this_conversation()}
        description={m.your_questions_about_this_video()}
        confirmLabel={m.clear()}
        onConfirm={props.onForget}
      />
    </div>
  )
}
